"""A benchmark's evidence release as one zip: the same bytes for the same results, files streamed, memory bounded.

Entries stand in order of names, then the files about them; times and modes are fixed. Parquet is stored as it is, being
compressed already; all else is deflated, so equal bytes of the zip need the same zlib, equal manifests do not. Zip64
where a size asks for it.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from memtrial import receipt
from memtrial.bundle import contents
from memtrial.bundle.contents import Part
from memtrial.bundle.crate import crate
from memtrial.bundle.keys import refuse_keys
from memtrial.bundle.opened import CHUNK
from memtrial.bundle.readme import readme
from memtrial.bundle.withheld import write_emptied
from memtrial.errors import InputError
from memtrial.store import atomic

_LEVEL = 6
_TIME = (1980, 1, 1, 0, 0, 0)  # the first that a zip can tell


class _Zip:
    """A zip being written: the size and SHA-256 of each entry so far."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.digests: dict[str, tuple[int, str]] = {}

    def add(self, name: str, path: Path) -> None:
        """Stream a file in."""
        info = self._info(name, path.stat().st_size)
        digest, size = hashlib.sha256(), 0
        with path.open("rb") as source, self._archive.open(info, "w") as out:
            while chunk := source.read(CHUNK):
                digest.update(chunk)
                out.write(chunk)
                size += len(chunk)
        self.digests[name] = size, digest.hexdigest()

    def add_text(self, name: str, text: str) -> None:
        """Write a small file."""
        content = text.encode()
        self._archive.writestr(self._info(name, len(content)), content)
        self.digests[name] = len(content), hashlib.sha256(content).hexdigest()

    def _info(self, name: str, size: int) -> zipfile.ZipInfo:
        info = zipfile.ZipInfo(name, _TIME)
        info.create_system, info.external_attr, info.file_size = 3, 0o100644 << 16, size
        stored = name.endswith((".parquet", ".png"))
        info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
        info._compresslevel = _LEVEL  # type: ignore[attr-defined]  # `open` takes it from nowhere else
        return info


def pack(
    target: Path,
    gathered: Path,
    extras: Sequence[Path],
    sources: Sequence[Path],
    spec: Mapping[str, Any],
    places: Sequence[Path],
) -> dict[str, Any]:
    """Write the bundle of the benchmark whose receipt is `gathered`; returns what its `bundle.json` says.

    `extras` are artifacts beyond those of the receipt; `sources` the workflow's own files; `places` the working
    directory and the repository; `spec`: {"config", "registry", "date"}. Raises `InputError` where a file differs from
    its receipt, and for a config that seems to hold a key.
    """
    benchmark, told = gathered.parent.name, json.loads(gathered.read_text(encoding="utf-8"))
    config = yaml.safe_dump(json.loads(json.dumps(spec["config"])), allow_unicode=True)
    refuse_keys(config, contents.CONFIG)
    for path in sources:
        if path.suffix in (".yaml", ".yml") and "schemas" not in path.parts:
            refuse_keys(path.read_text(encoding="utf-8"), receipt.name_of(path, places[1]))
    artifacts = [*(entry["artifact"] for entry in told["artifacts"]), *(receipt.name_of(p, places[0]) for p in extras)]
    parts = contents.parts(benchmark, artifacts, sources, spec, places)
    corpus = receipt.receipt_path(gathered.parent / "corpus/questions.parquet")
    source = contents.source_of(json.loads(corpus.read_text(encoding="utf-8")))
    facts = contents.about(benchmark, parts, spec, told, source)
    with atomic(target) as draft, zipfile.ZipFile(draft, "w") as archive:
        written = _Zip(archive)
        _add_parts(written, parts)
        _check(written.digests, artifacts, places[0])
        written.add_text(contents.CONFIG, config)
        names = [receipt.name_of(path, places[1]) for path in sources]
        facts["workflow"] = {"files": len(names), "sha256": contents.workflow_digest(written.digests, names)}
        written.add_text(contents.ABOUT, json.dumps(facts, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
        written.add_text(contents.README, readme(facts, written.digests))
        written.add_text(contents.CRATE, crate(facts, parts, written.digests, spec))
        written.add_text(contents.MANIFEST, contents.manifest_text(written.digests))
    return facts


def _add_parts(written: _Zip, parts: Sequence[Part]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for part in parts:
            name = part.packed_as
            if name and part.treatment.fields:
                emptied = Path(folder) / Path(name).name
                write_emptied(part.path, emptied, part.treatment.fields)
                written.add(name, emptied)
                emptied.unlink()
            elif name:
                written.add(name, part.path)


def _check(digests: Mapping[str, tuple[int, str]], artifacts: Sequence[str], workdir: Path) -> None:
    """A bundle vouches for its files; one that is not what its receipt says is not packed."""
    for name in artifacts:
        told = json.loads(receipt.receipt_path(workdir / name).read_text(encoding="utf-8"))
        if name in digests and digests[name][1] != told["bytes_sha256"]:
            raise InputError("differs from its receipt; see `snakemake verify`", file=name)
