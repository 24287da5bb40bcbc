"""Whether a control changed anything that a reader would see, and whether the packets keep to their budget."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from memtrial import store
from memtrial.errors import InputError
from memtrial.records import Packet
from memtrial.text import proxy_tokens, sha256

SHOWN = 10


def original(question_id: str, names: Mapping[str, str]) -> str:
    """The id that a question had before its ids, or its conversation's, were replaced.

    >>> original("x1-q003", {"x1": "conv-26"})
    'conv-26-q003'
    """
    if question_id in names:
        return names[question_id]
    head, mark, tail = question_id.rpartition("-q")
    return f"{names[head]}{mark}{tail}" if head in names else question_id


def differing(ours: Iterable[Any], theirs: Iterable[Any], names: Mapping[str, str]) -> list[str]:
    """Ids of the questions whose records differ, or that stand on one side alone; ids themselves do not count."""
    left = {row.question_id: row for row in ours}
    right = {}
    for row in theirs:
        name = original(row.question_id, names)
        right[name] = row._replace(question_id=name)
    return sorted(q for q in left.keys() | right.keys() if left.get(q) != right.get(q))


def over_budget(packets: Iterable[Packet], budget: Mapping[str, Any]) -> list[str]:
    """Ids of packets whose accounts are wrong or whose budget is broken."""
    sessions, tokens = budget.get("max_sessions"), budget.get("max_tokens")
    return [
        p.question_id
        for p in packets
        if p.chars != len(p.text)
        or p.proxy_tokens != proxy_tokens(p.chars)
        or p.sha256 != sha256(p.text)
        or (tokens is not None and p.proxy_tokens > tokens)
        or (sessions is not None and len(p.slots) > sessions)
    ]


def compare(
    control: str, ours: Sequence[Path], theirs: Sequence[Path], names: Path, budget: Mapping[str, Any], result: Path
) -> None:
    """Compare artifacts pairwise and write what was found to `result`; raises `InputError` if the control fails."""
    known = json.loads(names.read_text(encoding="utf-8"))
    found: dict[str, Any] = {"control": control, "artifacts": {}}
    faults: list[str] = []
    for mine, other in zip(ours, theirs, strict=True):
        rows = store.read(mine)
        ids = differing(rows, store.iterate(other), known)
        found["artifacts"][mine.name] = {"n": len(rows), "differing": ids}
        faults += [f"{mine.name} of {q} differs" for q in ids]
        if store.table_of(mine) == "packets":
            broken = over_budget(rows, budget)
            found["accounting"] = {"n": len(rows), "broken": broken}
            faults += [f"the accounts of packet {q} are wrong or over budget" for q in broken]
    if faults:
        more = f" and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
        raise InputError(f"control {control} failed: {'; '.join(faults[:SHOWN])}{more}")
    with store.atomic(result) as draft:
        draft.write_text(json.dumps(found | {"passed": True}, indent=1) + "\n", encoding="utf-8")
