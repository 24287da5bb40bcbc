"""What a control found: which artifact of which question, and what is wrong in words; and its file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from memtrial.store import atomic

# How many findings a result spells out; the ids of the questions are all there.
SHOWN = 20


class Finding(NamedTuple):
    """A fault of a question's row of an artifact; an empty question id means the file as a whole."""

    artifact: str
    question_id: str
    what: str


def result(control: str, counts: Mapping[str, int], findings: Iterable[Finding]) -> dict[str, Any]:
    """What a control's file says; `counts` are the rows that were looked at, by artifact.

    `n` is the number of questions, `first` the first finding by question id and artifact (null if there is none),
    `findings` the first `SHOWN` of `n_findings`. A control that looked at nothing has not passed.
    """
    found = sorted(findings, key=lambda f: (f.question_id, f.artifact))
    ids = {name: sorted({f.question_id for f in found if f.artifact == name}) for name in counts}
    n = max(counts.values())
    return {
        "control": control,
        "passed": n > 0 and not found,
        "n": n,
        "artifacts": {name: {"n": count, "differing": ids[name]} for name, count in counts.items()},
        "first": found[0]._asdict() if found else None,
        "n_findings": len(found),
        "findings": [f._asdict() for f in found[:SHOWN]],
    }


def told(benchmark: str, system: str, results: Iterable[Mapping[str, Any]]) -> list[str]:
    """One line a failed control: which, where, the first question and what is wrong."""
    return [f"{r['control']} of {system} on {benchmark}: {_first(r)}" for r in results if not r["passed"]]


def _first(found: Mapping[str, Any]) -> str:
    first = found["first"]
    if first is None:
        return "there was nothing to look at"
    where = f"question {first['question_id']}" if first["question_id"] else "the whole file"
    more = f" (1 of {found['n_findings']} findings)" if found["n_findings"] > 1 else ""
    return f"{first['artifact']}, {where}: {first['what']}{more}"


def write_json(path: Path, value: object) -> None:
    """Write indented JSON with real characters."""
    with atomic(path) as draft:
        draft.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
