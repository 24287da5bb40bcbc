"""Cells: which verdicts are set side by side, and the check that there is one usable verdict a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memtrial.errors import InputError
from memtrial.records import Verdict

BAD = ("error", "unparseable", "unanswered")


class Cell(NamedTuple):
    """One judging of one pass of one reader over one memory system."""

    system: str
    reader: str
    reader_pass: str
    judge: str
    verdicts: Sequence[Verdict]


def by_question(cell: Cell, asked: Iterable[str]) -> dict[str, Verdict]:
    """A cell's verdicts by question id; raises `InputError` unless there is one usable row a question asked."""
    where = f"verdicts of {cell.system}, {cell.reader}, pass {cell.reader_pass}, {cell.judge}"
    twice = [i for i, count in Counter(v.question_id for v in cell.verdicts).items() if count > 1]
    if twice:
        raise InputError(f"expected one row a question, found several for {shown(twice)}", file=where)
    verdicts = {v.question_id: v for v in cell.verdicts}
    require_same(asked, verdicts, where)
    for verdict in cell.verdicts:
        if verdict.status not in ("judged", *BAD):
            expected = f"expected judged, {', '.join(BAD)}, found {verdict.status!r}"
            raise InputError(expected, file=where, row=verdict.question_id, field="status")
        if (verdict.status == "judged") != (verdict.correct is not None):
            raise InputError(
                f"expected true or false just where status is judged, found {verdict.correct} at {verdict.status}",
                file=where,
                row=verdict.question_id,
                field="correct",
            )
    return verdicts


def require_same(asked: Iterable[str], found: Iterable[str], file: str) -> None:
    """Raises `InputError`, naming the ids, unless `found` in `file` are the questions asked."""
    wanted, given = set(asked), set(found)
    if missing := wanted - given:
        raise InputError(f"no row for {shown(missing)}", file=file, field="question_id")
    if extra := given - wanted:
        raise InputError(f"rows for questions that were not asked: {shown(extra)}", file=file, field="question_id")


def shown(ids: Iterable[str], at_most: int = 10) -> str:
    """The first ids in ascending order, and how many more there are."""
    ordered = sorted(ids)
    more = f" and {len(ordered) - at_most} more" if len(ordered) > at_most else ""
    return ", ".join(ordered[:at_most]) + more
