"""The README of a bundle."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_REPORT_DEPTH = 2  # results/{benchmark}/report: folders below it hold many small files


def readme(facts: Mapping[str, Any], digests: Mapping[str, tuple[int, str]]) -> str:
    """The README (Markdown): what is in, how to verify it, how to make again what was left out.

    `facts` are those of `bundle.json`, `digests` size and SHA-256 of each file so far.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    reasons: dict[str, list[Mapping[str, Any]]] = {}
    for entry in facts["withheld"]:
        kept = reasons.setdefault(entry["reason"], [])
        # Of a folder that a manifest vouches for, one line will do.
        if (folder := entry["file"].rpartition("/")[0]).count("/") > _REPORT_DEPTH and "/report/" in folder:
            entry = {**entry, "file": f"{folder}/ (each file is named in bundle.json)"}
        if entry not in kept:
            kept.append(entry)
    names = [name for name in digests if name.startswith("results/")]
    size = sum(size for size, _ in digests.values())
    return environment.get_template("readme.md.j2").render(facts=facts, reasons=reasons, names=names, size=size)
