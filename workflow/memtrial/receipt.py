"""Receipts: what each artifact is, by hash, and what it was made from; and the proof that all still holds.

An artifact `X` has `X.receipt.json` beside it: number of rows, SHA-256 of the bytes and of the content (canonical rows,
so that a changed compression is not a changed result), inputs by content hash, the resolved spec, the code digest and
the versions of the libraries that code imports. Receipts hold nothing volatile. `results/{benchmark}/receipt.json`
gathers them under one Merkle root (RFC 6962 shape: leaves and nodes hashed under different prefixes).
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from memtrial.digest import code_digest, library_versions
from memtrial.schemas import TABLES
from memtrial.store import atomic, iterate_plain, table_of
from memtrial.text import canonical

SUFFIX = ".receipt.json"
VERSION = 1
ROWS_IN_MEMORY = 128  # a request can hold a whole history


class Problem(NamedTuple):
    """What differs: the artifact's path and in what."""

    path: str
    what: str


class Manifest(NamedTuple):
    """An artifact that vouches for a folder beside it, all of whose files it names: {name: {"bytes", "sha256"}}."""

    folder: str
    files: dict[str, dict[str, Any]]


def receipt_path(artifact: Path) -> Path:
    """Where the receipt of an artifact lies."""
    return artifact.with_name(f"{artifact.name}{SUFFIX}")


def bytes_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def content(path: Path) -> tuple[int | None, str]:
    """(rows, SHA-256 of the canonical rows) of a table's file; (None, SHA-256 of the bytes) of any other."""
    if path.name.split(".")[0] not in TABLES or path.suffix not in (".parquet", ".jsonl"):
        return None, bytes_sha256(path)
    digest = hashlib.sha256(f"{table_of(path)}\n".encode())
    rows = 0
    for row in iterate_plain(path, ROWS_IN_MEMORY):
        digest.update(f"{canonical(row)}\n".encode())
        rows += 1
    return rows, digest.hexdigest()


def name_of(path: Path, workdir: Path) -> str:
    """A path as receipts name it: relative to the working directory, or the bare name of a file outside it.

    Links are not followed: `results` may be a link to another disk.
    """
    path, workdir = (Path(os.path.normpath(p.absolute())) for p in (path, workdir))
    return path.relative_to(workdir).as_posix() if path.is_relative_to(workdir) else path.name


def _names(paths: Sequence[Path], workdir: Path) -> dict[str, Path]:
    """The paths by name; where several outside the working directory share one, with folders that tell them apart."""
    shared: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(set(paths)):
        shared[name_of(path, workdir)].append(path)
    named: dict[str, Path] = {}
    for name, same in shared.items():
        depth = next(d for d in count(1) if len({p.parts[-d:] for p in same}) == len(same))
        named |= {name if len(same) == 1 else "/".join(p.parts[-depth:]): p for p in same}
    return named


def input_hash(path: Path) -> str:
    """Content hash of an input: from its receipt if it has one, else of its bytes."""
    receipt = receipt_path(path)
    return str(json.loads(receipt.read_text())["content_sha256"]) if receipt.exists() else bytes_sha256(path)


def make(
    artifact: Path,
    inputs: Sequence[Path],
    spec: Mapping[str, Any],
    modules: Sequence[str],
    facts: Mapping[str, Any],
    workdir: Path,
) -> dict[str, Any]:
    """The receipt of an artifact. `facts` are what only the run knows (the encoder's backend, a file's variant)."""
    rows, digest = content(artifact)
    return {
        "receipt_version": VERSION,
        "artifact": name_of(artifact, workdir),
        "rows": rows,
        "bytes": artifact.stat().st_size,
        "bytes_sha256": bytes_sha256(artifact),
        "content_sha256": digest,
        "inputs": {name: input_hash(p) for name, p in _names(inputs, workdir).items()},
        "spec": dict(spec),
        "facts": dict(facts),
        "code": {"modules": list(modules), "digest": code_digest(*modules)},
        "versions": {"python": platform.python_version(), **library_versions(*modules)},
    }


def write(receipt: Mapping[str, Any], path: Path) -> None:
    """Write a receipt: indented JSON, sorted keys, real characters."""
    with atomic(path) as draft:
        draft.write_text(json.dumps(receipt, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def merkle_root(leaves: Sequence[str]) -> str:
    """Root over texts in the given order; an odd node is carried up unhashed.

    >>> merkle_root(["a"]) == hashlib.sha256(b"\\0a").hexdigest()
    True
    """
    level = [hashlib.sha256(b"\0" + leaf.encode()).digest() for leaf in leaves]
    while len(level) > 1:
        joined = [hashlib.sha256(b"\1" + a + b).digest() for a, b in zip(level[::2], level[1::2], strict=False)]
        level = joined + level[len(joined) * 2 :]
    return level[0].hex() if level else hashlib.sha256(b"").hexdigest()


def gather(receipts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The benchmark's receipt: each artifact's hashes in path order, and the Merkle root over them."""
    ordered = sorted(receipts, key=lambda r: str(r["artifact"]))
    kept = ("artifact", "rows", "bytes", "bytes_sha256", "content_sha256")
    artifacts = [{k: r[k] for k in kept} for r in ordered]
    return {
        "receipt_version": VERSION,
        "merkle_root": merkle_root([canonical(dict(r)) for r in ordered]),
        "artifacts": artifacts,
    }


def manifest(path: Path) -> Manifest | None:
    """The manifest that a file is; None for any other file.

    Raises `ValueError` for one that names files outside its folder, or a `.json` file that is no JSON.
    """
    told = json.loads(path.read_text(encoding="utf-8")) if path.suffix == ".json" else None
    if not isinstance(told, dict) or told.keys() != set(Manifest._fields):
        return None
    for name in (told["folder"], *told["files"]):
        if "/" in name or name in ("", ".", ".."):
            raise ValueError(f"'{name}' is no plain name")
    return Manifest(**told)


def verify(gathered: Path, workdir: Path) -> list[Problem]:
    """Recompute every hash below a benchmark's receipt; name each artifact, input or root that differs."""
    if not gathered.exists():
        return [Problem(name_of(gathered, workdir), "is missing: run the workflow first")]
    told = json.loads(gathered.read_text())
    problems: list[Problem] = []
    receipts: list[dict[str, Any]] = []
    for entry in told["artifacts"]:
        artifact = workdir / entry["artifact"]
        if not artifact.exists() or not receipt_path(artifact).exists():
            problems.append(Problem(entry["artifact"], "the artifact or its receipt is missing"))
            continue
        receipt = json.loads(receipt_path(artifact).read_text())
        receipts.append(receipt)
        problems += _check_artifact(artifact, receipt, entry)
    current = {r["artifact"]: r["content_sha256"] for r in receipts}
    for receipt in receipts:
        for name, digest in receipt["inputs"].items():
            if current.get(name, digest) != digest:
                problems.append(Problem(receipt["artifact"], f"was made from another version of {name}"))
    if not problems and gather(receipts)["merkle_root"] != told["merkle_root"]:
        problems.append(Problem(name_of(gathered, workdir), "the Merkle root differs: a receipt was changed"))
    return problems


def _check_artifact(artifact: Path, receipt: Mapping[str, Any], entry: Mapping[str, Any]) -> list[Problem]:
    found: dict[str, Any] = {"bytes": artifact.stat().st_size, "bytes_sha256": bytes_sha256(artifact)}
    try:
        found["rows"], found["content_sha256"] = content(artifact)
    except Exception as error:  # a damaged file may break the reader in any way; that too is a finding
        return [Problem(entry["artifact"], f"cannot be read: {error}")]
    differing = [k for k, v in found.items() if not v == receipt[k] == entry[k]]
    problems = [Problem(entry["artifact"], f"{k} differs: told {receipt[k]}, found {found[k]}") for k in differing]
    return problems or _check_folder(artifact, entry["artifact"])


def _check_folder(path: Path, artifact: str) -> list[Problem]:
    """What differs in the folder that an artifact vouches for; nothing where it is no manifest."""
    if (told := manifest(path)) is None:
        return []
    folder, place = path.parent / told.folder, f"{artifact.removesuffix(path.name)}{told.folder}/"
    # Snakemake keeps a hidden file of its own in each folder that it has made.
    there = {p.relative_to(folder).as_posix() for p in folder.rglob("[!.]*") if not p.is_dir()}
    absent, unknown = sorted(told.files.keys() - there), sorted(there - told.files.keys())
    problems = [Problem(place + name, f"is missing, and {path.name} names it") for name in absent]
    problems += [Problem(place + name, f"is not in {path.name}") for name in unknown]
    for name in sorted(there & told.files.keys()):
        found = {"bytes": (folder / name).stat().st_size, "sha256": bytes_sha256(folder / name)}
        kept = told.files[name]
        differing = [k for k, v in found.items() if v != kept[k]]
        problems += [Problem(place + name, f"{k} differs: told {kept[k]}, found {found[k]}") for k in differing]
    return problems
