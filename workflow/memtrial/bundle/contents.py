"""What goes into a bundle: the files that the benchmark's receipt vouches for, their receipts, and the workflow.

Names in a bundle are the paths of the run, so that receipts fit and the unpacked bundle is a working directory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from memtrial import receipt
from memtrial.bundle.licences import redistributed
from memtrial.bundle.withheld import KEPT, WRITING_KINDS, Treatment, treatment, withheld_name
from memtrial.errors import InputError
from memtrial.spec import BASELINES

README, CRATE, MANIFEST = "README.md", "ro-crate-metadata.json", "manifest-sha256.txt"
ABOUT, CONFIG, WORKFLOW, LICENCE = "bundle.json", "config.resolved.yaml", "Snakefile", "LICENSE"
WRITTEN = (CONFIG, ABOUT, README, CRATE, MANIFEST)
VERSION = 1


class Part(NamedTuple):
    """A file of a bundle: its name, where it lies, what is done with it, and whether it holds the benchmark's text."""

    name: str
    path: Path
    treatment: Treatment
    quotes: bool

    @property
    def packed_as(self) -> str | None:
        """The name under which it is packed; None if it is left out."""
        if self.treatment.omitted:
            return None
        return withheld_name(self.name) if self.treatment.fields else self.name


def parts(
    benchmark: str, artifacts: Sequence[str], sources: Iterable[Path], spec: Mapping[str, Any], places: Sequence[Path]
) -> list[Part]:
    """The files of a bundle but the `WRITTEN` ones, in order of names.

    `artifacts` are names as in receipts; `places` the working directory and the repository; `spec`: {"config",
    "registry"} (the registry's entry of the benchmark's file, or None). Raises `InputError` naming a missing file.
    """
    workdir, repository = places
    withheld = not redistributes(benchmark, spec)
    copying = copying_readers(spec["config"])
    found: list[Part] = []
    for name in artifacts:
        receipt_name = receipt.receipt_path(Path(name)).as_posix()
        _check_there([workdir / name, workdir / receipt_name], workdir)
        for file in (name, *_folder(workdir, name)):
            treated = treatment(file.removeprefix(f"results/{benchmark}/"), copying)
            found.append(Part(file, workdir / file, treated if withheld else KEPT, treated != KEPT))
        found.append(Part(receipt_name, workdir / receipt_name, KEPT, False))
    gathered = f"results/{benchmark}/receipt.json"
    found.append(Part(gathered, workdir / gathered, KEPT, False))
    found += [Part(receipt.name_of(path, repository), path, KEPT, False) for path in sources]
    _check_there([part.path for part in found], workdir)
    return sorted(found, key=lambda part: part.packed_as or part.name)


def _check_there(paths: Iterable[Path], workdir: Path) -> None:
    if absent := next((path for path in paths if not path.exists()), None):
        raise InputError("is missing; see `snakemake verify`", file=receipt.name_of(absent, workdir))


def _folder(workdir: Path, name: str) -> list[str]:
    """The files of the folder that an artifact vouches for, if it does."""
    told = receipt.manifest(workdir / name) if name.endswith(".json") else None
    return [str(PurePosixPath(name).with_name(told.folder) / file) for file in sorted(told.files)] if told else []


def redistributes(benchmark: str, spec: Mapping[str, Any]) -> bool:
    """Whether the bundle holds the benchmark's text."""
    return redistributed(spec["config"]["benchmarks"][benchmark].get("redistribute"), spec["registry"])


def copying_readers(config: Mapping[str, Any]) -> set[str]:
    """Readers whose answers are text of the benchmark: the extractive one and the trivial baselines."""
    return {*BASELINES, *(name for name, given in config["readers"].items() if given["kind"] not in WRITING_KINDS)}


def about(
    benchmark: str,
    found: Iterable[Part],
    spec: Mapping[str, Any],
    gathered: Mapping[str, Any],
    source: Mapping[str, Any],
) -> dict[str, Any]:
    """What `bundle.json` says: whose results these are, of which file, and what was withheld, each with the reason.

    `source` is the benchmark's file as the receipts know it: {"file", "sha256", "bytes"}.
    """
    registered = spec["registry"] or {}
    known = {k: registered.get(k) for k in ("url", "revision", "licence", "citation")}
    withheld = [
        {"file": p.name, "instead": p.packed_as, "fields": list(p.treatment.fields), "reason": p.treatment.reason}
        for p in found
        if p.treatment != KEPT
    ]
    return {
        "bundle_version": VERSION,
        "benchmark": benchmark,
        "source": {**source, **known},
        "redistributed": redistributes(benchmark, spec),
        "merkle_root": gathered["merkle_root"],
        "run": spec["config"]["run"],
        "withheld": withheld,
    }


def source_of(corpus_receipt: Mapping[str, Any]) -> dict[str, Any]:
    """The benchmark's file, from the receipt of a corpus table: name, SHA-256 and bytes of the plain JSON."""
    (name, _), *_ = sorted(corpus_receipt["inputs"].items())
    facts = corpus_receipt["facts"]
    return {"file": name, "sha256": facts["sha256"], "bytes": facts["bytes"]}


def manifest_text(digests: Mapping[str, tuple[int, str]]) -> str:
    """A manifest that `sha256sum -c` reads: each file's SHA-256 and name, in order of names."""
    return "".join(f"{digest}  {name}\n" for name, (_, digest) in sorted(digests.items()))


def workflow_digest(digests: Mapping[str, tuple[int, str]], sources: Collection[str]) -> str:
    """SHA-256 of the manifest's lines of the workflow's own files: the same for the same code, wherever it lay."""
    return hashlib.sha256(manifest_text({n: digests[n] for n in sources}).encode()).hexdigest()
