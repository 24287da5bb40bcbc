"""Whether a control changed anything that a reader would see, and what."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from memtrial import store
from memtrial.controls.findings import Finding, result
from memtrial.receipt import bytes_sha256

CLIPPED = 60


def original(question_id: str, names: Mapping[str, str]) -> str:
    """The id that a question had before its ids, or its conversation's, were replaced.

    >>> original("x1-q003", {"x1": "conv-26"})
    'conv-26-q003'
    """
    if question_id in names:
        return names[question_id]
    head, mark, tail = question_id.rpartition("-q")
    return f"{names[head]}{mark}{tail}" if head in names else question_id


def difference(ours: Any, theirs: Any, field: str = "") -> str:
    """Where two values first differ, and how; both are records, lists, texts or plain values.

    >>> difference([1, 2], [1, 3], "kept_lines")
    'kept_lines[1] is 2, then 3'
    """
    if hasattr(ours, "_fields") and type(ours) is type(theirs):
        name = next(f for f in ours._fields if getattr(ours, f) != getattr(theirs, f))
        return difference(getattr(ours, name), getattr(theirs, name), f"{field}.{name}".removeprefix("."))
    if isinstance(ours, list) and isinstance(theirs, list):
        if len(ours) != len(theirs):
            return f"{field} has {len(ours)} entries, then {len(theirs)}"
        at = next(i for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b)
        return difference(ours[at], theirs[at], f"{field}[{at}]")
    if isinstance(ours, str) and isinstance(theirs, str) and max(len(ours), len(theirs)) > CLIPPED:
        at = sum(1 for _ in takewhile(_equal, zip(ours, theirs, strict=False)))
        shown = [text[at : at + CLIPPED] for text in (ours, theirs)]
        return f"{field} differs from character {at} on: {shown[0]!r}, then {shown[1]!r}"
    return f"{field} is {ours!r}, then {theirs!r}"


def _equal(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]


def differing(ours: Iterable[Any], theirs: Iterable[Any], names: Mapping[str, str]) -> dict[str, str]:
    """What differs, by question, between the rows of an artifact and of its second making; ids do not count.

    A question that stands on one side alone, or twice on the second, differs.
    """
    waiting = {row.question_id: row for row in ours}
    found = {}
    for row in theirs:
        name = original(row.question_id, names)
        mine = waiting.pop(name, None)
        renamed = row._replace(question_id=name)
        if mine is None:
            found[name] = "stands in the second run without a counterpart in the first"
        elif mine != renamed:
            found[name] = difference(mine, renamed)
    return found | dict.fromkeys(waiting, "stands in the first run alone")


def compare(control: str, ours: Sequence[Path], theirs: Sequence[Path], names: Path) -> dict[str, Any]:
    """The result of a control from pairs of files, of the benchmark and of its changed copy.

    `names` is a JSON file of the old id of each new one. Where no id changed, the files must be equal to the byte.
    """
    known = json.loads(names.read_text(encoding="utf-8"))
    counts: dict[str, int] = {}
    findings: list[Finding] = []
    for mine, other in zip(ours, theirs, strict=True):
        rows = store.read(mine)
        counts[mine.name] = len(rows)
        found = differing(rows, store.iterate(other), known)
        findings += [Finding(mine.name, question, what) for question, what in found.items()]
        hashes = [bytes_sha256(path) for path in (mine, other)]
        if not known and not found and hashes[0] != hashes[1]:
            findings.append(Finding(mine.name, "", f"the rows are equal, the files are not: {' and '.join(hashes)}"))
    return result(control, counts, findings)
