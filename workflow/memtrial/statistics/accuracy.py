"""Accuracy by slice, with the number of questions, of every bad status, and intervals.

While a row of a slice is unjudged its accuracy and intervals are null: what is known is a bound, from every unjudged
row counted wrong to every one counted right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from memtrial.errors import InputError
from memtrial.records import Gold, Question, Verdict
from memtrial.statistics.intervals import DECIMALS, Resampling, bootstrap, wilson

BAD = ("error", "unparseable", "unanswered")
Row = dict[str, Any]


class Cell(NamedTuple):
    """One judging of one pass of one reader over one memory system."""

    system: str
    reader: str
    reader_pass: str
    judge: str
    verdicts: Sequence[Verdict]


class Slice(NamedTuple):
    """A named set of questions; ids in ascending order."""

    axis: str
    name: str
    ids: tuple[str, ...]


def accuracy_rows(
    gold: Iterable[Gold], questions: Iterable[Question], cells: Iterable[tuple[Any, ...]], spec: Mapping[str, Any]
) -> list[Row]:
    """Rows of `tables.ACCURACY`, one a cell and slice; `cells` are `Cell`s or tuples like them.

    The bootstrap draws questions, or whole conversations if `spec["statistics"]["cluster"]` is `conversation`.
    Raises `InputError` naming the ids where verdicts, questions and gold do not match one to one.
    """
    asked = {q.question_id: q for q in questions}
    statistics = spec["statistics"]
    resampling = Resampling(statistics["resamples"], statistics["seed"], statistics["confidence"])
    by_conversation = statistics.get("cluster", "question") == "conversation"
    cluster = {i: q.conversation_id if by_conversation else i for i, q in asked.items()}
    slices = slices_of(asked, gold)
    judged = [(cell, by_question(cell, asked)) for cell in (Cell(*c) for c in cells)]
    boot = _boot_intervals(slices, [v for _, v in judged], cluster, resampling)
    return [
        _row(cell, part, verdicts, boot.get((part.ids, i)), resampling.confidence)
        for i, (cell, verdicts) in enumerate(judged)
        for part in slices
    ]


def slices_of(asked: Mapping[str, Question], gold: Iterable[Gold]) -> list[Slice]:
    """The slices of a benchmark: all, by question type, abstention and language.

    Where some gold is absent (LoCoMo's adversarial category) an axis `scored` sets the answerable questions apart from
    those that are right only when the reader abstains: the two never share a headline.
    """
    answers = {g.question_id: g for g in gold}
    _require_same(asked, answers, "gold.parquet")
    members: dict[tuple[str, str], list[str]] = defaultdict(list)
    absent = any(not g.reference_answers for g in answers.values())
    for i in sorted(asked):
        names = [("all", "all"), ("question_type", answers[i].question_type)]
        names += [("abstention", str(answers[i].abstention).lower()), ("language", asked[i].language)]
        names += [("scored", "abstention" if answers[i].abstention else "answerable")] if absent else []
        for name in names:
            members[name].append(i)
    axes = ("all", "scored", "question_type", "abstention", "language")
    # Answerable questions carry the headline, so they come before those that want an abstention.
    ordered = sorted(members, key=lambda name: (axes.index(name[0]), name == ("scored", "abstention"), name[1]))
    return [Slice(axis, name, tuple(members[axis, name])) for axis, name in ordered]


def by_question(cell: Cell, asked: Mapping[str, Any]) -> dict[str, Verdict]:
    """A cell's verdicts by question id; raises `InputError` unless there is one usable row a question."""
    where = f"verdicts of {cell.system}, {cell.reader}, pass {cell.reader_pass}, {cell.judge}"
    twice = [i for i, count in Counter(v.question_id for v in cell.verdicts).items() if count > 1]
    if twice:
        raise InputError(f"expected one row a question, found several for {_shown(twice)}", file=where)
    verdicts = {v.question_id: v for v in cell.verdicts}
    _require_same(asked, verdicts, where)
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


def _require_same(asked: Mapping[str, Any], found: Mapping[str, Any], file: str) -> None:
    missing, extra = asked.keys() - found.keys(), found.keys() - asked.keys()
    if missing:
        raise InputError(f"no row for {_shown(missing)}", file=file, field="question_id")
    if extra:
        raise InputError(f"rows for questions that were not asked: {_shown(extra)}", file=file, field="question_id")


def _shown(ids: Iterable[str], at_most: int = 10) -> str:
    ordered = sorted(ids)
    more = f" and {len(ordered) - at_most} more" if len(ordered) > at_most else ""
    return ", ".join(ordered[:at_most]) + more


def _boot_intervals(
    slices: list[Slice], judged: list[dict[str, Verdict]], cluster: Mapping[str, str], resampling: Resampling
) -> dict[tuple[tuple[str, ...], int], tuple[float, float]]:
    """Bootstrap intervals by (a slice's ids, cell index), for the fully judged ones; equal slices are drawn once."""
    intervals: dict[tuple[tuple[str, ...], int], tuple[float, float]] = {}
    for ids in dict.fromkeys(s.ids for s in slices):
        whole = [n for n, verdicts in enumerate(judged) if all(verdicts[i].status == "judged" for i in ids)]
        if not whole:
            continue
        values = np.array([[float(bool(judged[n][i].correct)) for n in whole] for i in ids])
        low, high = bootstrap(ids, values, [cluster[i] for i in ids], resampling)
        intervals |= {(ids, n): (float(low[m]), float(high[m])) for m, n in enumerate(whole)}
    return intervals


def _row(
    cell: Cell, part: Slice, verdicts: Mapping[str, Verdict], boot: tuple[float, float] | None, confidence: float
) -> Row:
    rows = [verdicts[i] for i in part.ids]
    n, correct = len(rows), sum(v.correct is True for v in rows)
    bad = Counter(v.status for v in rows if v.status != "judged")
    row: Row = {
        "system": cell.system, "reader": cell.reader, "reader_pass": cell.reader_pass, "judge": cell.judge,
        "axis": part.axis, "slice": part.name, "n": n, "correct": correct,
    }  # fmt: skip
    names = ("accuracy", "wilson_low", "wilson_high", "boot_low", "boot_high")
    known = (correct / n, *wilson(correct, n, confidence), *boot) if boot else (None,) * len(names)
    row |= {name: value if value is None else round(value, DECIMALS) for name, value in zip(names, known, strict=True)}
    row |= {f"n_{status}": bad[status] for status in BAD}
    row["bound_low"] = round(correct / n, DECIMALS)
    row["bound_high"] = round((correct + bad.total()) / n, DECIMALS)
    row["mean_grade"] = _mean_grade(rows)
    return row


def _mean_grade(rows: Sequence[Verdict]) -> float | None:
    """The mean on the judge's own scale (an F1, a grade from 0 to 3); null unless every row was judged and graded."""
    grades = [v.grade for v in rows if v.status == "judged" and v.grade is not None]
    return round(fsum(grades) / len(rows), DECIMALS) if len(grades) == len(rows) else None
