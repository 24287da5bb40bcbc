"""A bundle verified from disk: manifest, receipts, Merkle root, chain of hashes, RO-Crate; nothing is run."""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from memtrial.bundle import contents
from memtrial.bundle.chain import chain
from memtrial.bundle.opened import Opened, opened
from memtrial.errors import InputError
from memtrial.receipt import SUFFIX, Problem, content, gather, manifest

_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_SHOWN = 6  # names of later files in one message
UNREADABLE = (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError)


class Verified(NamedTuple):
    """What differs, and, in words, what was checked."""

    problems: list[Problem]
    summary: str


def verify_bundle(path: Path) -> Verified:
    """Check every file of a bundle, zip or folder, against every hash in it, a file at a time.

    Each problem names a file, says what differs and which later files rest on it. Raises `InputError` for what is no
    bundle at all.
    """
    with opened(path) as bundle:
        if contents.MANIFEST not in bundle.names:
            raise InputError(f"no bundle: it has no {contents.MANIFEST}", file=path)
        checked, receipts, links = _Checked(bundle), {}, 0
        checked.manifest()
        try:
            if (facts := checked.json(contents.ABOUT)) is not None:
                receipts = checked.receipts()
                checked.workflow(facts)
                checked.root(f"results/{facts['benchmark']}/receipt.json", receipts, facts)
                checked.artifacts(receipts, facts)
                found, links = chain(bundle, checked.places, f"results/{facts['benchmark']}/")
                checked.problems += found
            checked.crate()
        except (KeyError, TypeError, AttributeError) as error:
            # No record of ours: then the manifest was made for something else.
            raise InputError(f"not a bundle as memtrial packs it: {error!r}", file=path) from error
        counts = f"{len(checked.found)} files, {len(receipts)} receipts, {links} links from packet to verdict"
        root = f", Merkle root {facts['merkle_root']}" if facts else ""
        return Verified(_told(checked.problems, receipts), counts + root)


class _Checked:
    """What was found so far: size and SHA-256 of each file, the files that can be relied on, and the problems."""

    def __init__(self, bundle: Opened) -> None:
        self._bundle = bundle
        self.problems: list[Problem] = []
        self.found: dict[str, tuple[int, str]] = {}
        self.changed: set[str] = set()
        self.places: dict[str, str] = {}

    def add(self, name: str, what: str) -> None:
        """A problem with a file, which is not looked into any further."""
        self.changed.add(name)
        self.problems.append(Problem(name, what))

    def json(self, name: str) -> Any:
        """What a JSON file holds; None where it was found changed or cannot be read."""
        if name in self.changed or name not in self.found:
            return None
        try:
            return json.loads(self._bundle.text(name))
        except UNREADABLE as error:
            self.add(name, f"cannot be read: {error}")
            return None

    def manifest(self) -> None:
        """Each file against the manifest."""
        told: dict[str, str] = {}
        try:
            lines = self._bundle.text(contents.MANIFEST).splitlines()
        except UNREADABLE as error:
            self.add(contents.MANIFEST, f"cannot be read: {error}")
            return
        for number, line in enumerate(lines, 1):
            if found := _LINE.fullmatch(line):
                told[found[2]] = found[1]
            else:
                self.problems.append(Problem(contents.MANIFEST, f"line {number} is no hash and name: {line[:80]!r}"))
        for name in self._bundle.names:
            if name == contents.MANIFEST:
                continue
            try:
                self.found[name] = self._bundle.digest(name)
            except UNREADABLE as error:
                self.add(name, f"cannot be read as it was packed: {error}")
                continue
            if name not in told:
                self.add(name, "is not in the manifest")
            elif self.found[name][1] != told[name]:
                self.add(name, f"SHA-256 differs: the manifest says {told[name]}, found {self.found[name][1]}")
        for name in sorted(told.keys() - set(self._bundle.names)):
            self.add(name, "is missing, and the manifest names it")

    def workflow(self, facts: Mapping[str, Any]) -> None:
        """The digest of the workflow's own files, which have no receipts."""
        names = [n for n in self.found if not n.startswith("results/") and n not in contents.WRITTEN]
        found = {"files": len(names), "sha256": contents.workflow_digest(self.found, names)}
        if found != facts["workflow"] and not self.changed & set(names):
            self.add(contents.ABOUT, f"tells another digest of the workflow: found {found['sha256']}")

    def receipts(self) -> dict[str, dict[str, Any]]:
        """The receipts by the artifact that they are of."""
        names = [n for n in self._bundle.names if n.startswith("results/") and n.endswith(SUFFIX)]
        read = {n.removesuffix(SUFFIX): self.json(n) for n in names}
        for artifact, told in read.items():
            if told and told.get("artifact") != artifact:
                self.add(f"{artifact}{SUFFIX}", f"is the receipt of {told.get('artifact')}")
        return {artifact: told for artifact, told in read.items() if told and told.get("artifact") == artifact}

    def root(self, name: str, receipts: Mapping[str, dict[str, Any]], facts: Mapping[str, Any]) -> None:
        """The gathered receipt: names what there is, and has the Merkle root of the receipts."""
        if (told := self.json(name)) is None:
            if name not in self.changed:
                self.add(name, "is missing")
            return
        listed = [entry["artifact"] for entry in told["artifacts"]]
        absent = [n for n in listed if n not in receipts and f"{n}{SUFFIX}" not in self.changed]
        for artifact in absent:
            self.add(f"{artifact}{SUFFIX}", f"is missing, and {name} rests on it")
        if all(n in receipts for n in listed):
            made = gather([receipts[n] for n in listed])
            if made["merkle_root"] != told["merkle_root"]:
                self.add(name, f"the Merkle root differs: told {told['merkle_root']}, found {made['merkle_root']}")
            elif made != told:
                self.add(name, "tells other hashes than the receipts")
        if told["merkle_root"] != facts["merkle_root"]:
            self.add(contents.ABOUT, f"tells another Merkle root than {name}")

    def artifacts(self, receipts: Mapping[str, dict[str, Any]], facts: Mapping[str, Any]) -> None:
        """Each artifact against its receipt, and each receipt against those of its inputs."""
        withheld = {entry["file"]: entry["instead"] for entry in facts["withheld"]}
        for artifact, told in receipts.items():
            name = withheld.get(artifact, artifact)
            if name is None or name in self.changed:
                continue
            if name not in self.found:
                self.add(name, "is missing, and its receipt is here")
                continue
            if problem := self._artifact(artifact, name, told, withheld):
                self.add(name, problem)
            else:
                self.places[artifact] = name
            for read, digest in told["inputs"].items():
                if read in receipts and receipts[read]["content_sha256"] != digest:
                    self.problems.append(Problem(name, f"was made from another version of {read}"))

    def _artifact(self, artifact: str, name: str, told: Mapping[str, Any], withheld: Mapping[str, Any]) -> str | None:
        size, digest = self.found[name]
        try:
            with self._bundle.local(name) as path:
                rows, hashed = content(path)
                vouched = manifest(path) if name == artifact else None
        except Exception as error:  # a damaged file may break the reader in any way; that too is a finding
            return f"cannot be read: {error}"
        if name != artifact:
            return None if rows in (told["rows"], None) else f"holds {rows} rows, and its receipt says {told['rows']}"
        found = {"bytes": size, "bytes_sha256": digest, "rows": rows, "content_sha256": hashed}
        differing = [f"{k} differs: its receipt says {told[k]}, found {v}" for k, v in found.items() if told[k] != v]
        if vouched:
            folder = f"{artifact.rpartition('/')[0]}/{vouched.folder}/"
            there = {n: v for n, v in self.found.items() if n.startswith(folder)}
            kept = {f"{folder}{n}": (e["bytes"], e["sha256"]) for n, e in vouched.files.items()}
            odd = sorted(n for n in there.keys() | kept.keys() if there.get(n) != kept.get(n) and n not in self.changed)
            differing += [f"{n} is not the file that it vouches for" for n in odd if n not in withheld]
        return "; ".join(differing) or None

    def crate(self) -> None:
        """The RO-Crate's hashes and sizes."""
        told = self.json(contents.CRATE)
        if told is None:
            return
        files = {unquote(e["@id"]): e for e in told.get("@graph", []) if "sha256" in e}
        for name in sorted(self.found.keys() - files.keys() - {contents.CRATE} - self.changed):
            self.problems.append(Problem(contents.CRATE, f"does not describe {name}"))
        for name, (size, digest) in self.found.items():
            entity = files.get(name) if name not in self.changed else None
            if entity and (entity["contentSize"], entity["sha256"]) != (str(size), digest):
                self.problems.append(Problem(contents.CRATE, f"tells another size or hash of {name}"))


def _told(problems: Iterable[Problem], receipts: Mapping[str, Mapping[str, Any]]) -> list[Problem]:
    """The problems file by file, each with the later files that rest on it."""
    by_file: dict[str, list[str]] = {}
    for problem in problems:
        whats = by_file.setdefault(problem.path, [])
        if problem.what not in whats:
            whats.append(problem.what)
    found = []
    for name, whats in sorted(by_file.items()):
        later = _later(name.replace(".withheld.", "."), receipts)
        shown = ", ".join(later[:_SHOWN]) + (f" and {len(later) - _SHOWN} more" if len(later) > _SHOWN else "")
        found.append(Problem(name, "; ".join(whats) + (f". What rests on it: {shown}" if later else "")))
    return found


def _later(name: str, receipts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The artifacts that were made from a file, directly or not."""
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        made_from = waiting.pop()
        for artifact, told in receipts.items():
            if made_from in told["inputs"] and artifact not in found:
                found[artifact] = None
                waiting.append(artifact)
    return sorted(found)
