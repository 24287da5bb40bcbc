"""What controls show of a judge as one HTML page that needs no network, no script and no other file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from memtrial.judging.controls.drawing import ARMS


def build_page(result: Mapping[str, Any]) -> str:
    """The page as HTML text; `result` is what `results.evaluate` made. All text from data is escaped."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = _percent
    missed = [(arm, [r for r in result["records"] if r["arm"] == arm and not r["passed"]]) for arm in result["arms"]]
    return environment.get_template("page.html.j2").render(
        result=result,
        shows={name: arm.shows for name, arm in ARMS.items()},
        missed=[(arm, records) for arm, records in missed if records],
        confidence=result["settings"]["confidence"],
    )


def _percent(share: float) -> str:
    """A share with one decimal, none where it is whole.

    >>> _percent(0.9), _percent(0.175)
    ('90%', '17.5%')
    """
    return f"{100 * share:.1f}".removesuffix(".0") + "%"
