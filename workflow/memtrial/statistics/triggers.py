"""Operator choice: how often each scaffold operator fires, and how that agrees with what the questions need.

Needs come from labels by hand (`labelled_needs`) or from a benchmark's question types (`needs_by_type`); where neither
says whether a question needs an operator, it counts in the rate and not in precision and recall. Precision is
tp / (tp + fp), recall tp / (tp + fn), null where the denominator is 0. The sections that accompany every operator are
no choice.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from memtrial.errors import InputError
from memtrial.records import Gold, Scaffold
from memtrial.statistics.intervals import DECIMALS

OPERATORS = ("dates", "recency", "counting", "comparison")
Row = dict[str, Any]
Needs = Mapping[str, Mapping[str, bool]]  # by operator and question id
_COLUMNS = ["benchmark", "question_id", "operators"]
_UNKNOWN = dict.fromkeys(("needed", "tp", "fp", "fn", "precision", "recall"))


def trigger_rows(
    system: str, scaffolds: Iterable[Scaffold], gold: Iterable[Gold], needs: Needs | None = None
) -> list[Row]:
    """Rows of `columns.TRIGGERS` for one system, by operator and question type; `needs` where they are known.

    Raises `InputError` for a scaffold whose question has no gold row.
    """
    type_of = {g.question_id: g.question_type for g in gold}
    used = {s.question_id: set(s.operators) for s in scaffolds}
    if missing := sorted(set(used) - set(type_of)):
        raise InputError(f"no gold row for {', '.join(missing[:10])}", file="gold.parquet")
    slices = {"all": sorted(used)}
    for name in sorted({type_of[i] for i in used}):
        slices[f"question_type={name}"] = [i for i in slices["all"] if type_of[i] == name]
    return [
        {"system": system, "operator": operator, "slice": name}
        | _row(operator, ids, used, (needs or {}).get(operator, {}))
        for operator in OPERATORS
        for name, ids in slices.items()
        if ids
    ]


def _row(operator: str, ids: Sequence[str], used: Mapping[str, set[str]], needs: Mapping[str, bool]) -> Row:
    fired = {i for i in ids if operator in used[i]}
    row: Row = {"n": len(ids), "fired": len(fired), "rate": round(len(fired) / len(ids), DECIMALS)}
    labelled = {i for i in ids if i in needs}
    row |= {"labelled": len(labelled), **_UNKNOWN}
    if labelled:
        needed = {i for i in labelled if needs[i]}
        tp, fp, fn = len(fired & needed), len(fired & labelled - needed), len(needed - fired)
        row |= {"needed": len(needed), "tp": tp, "fp": fp, "fn": fn}
        row |= {"precision": _share(tp, tp + fp), "recall": _share(tp, tp + fn)}
    return row


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, DECIMALS) if whole else None


def needs_by_type(gold: Iterable[Gold], types: Mapping[str, Collection[str]]) -> Needs:
    """Needs by question type: `types` says for an operator which types need it, so all others do not."""
    listed = list(gold)
    return {o: {g.question_id: g.question_type in needing for g in listed} for o, needing in types.items()}


def labelled_needs(text: str, benchmark: str, file: str = "operator-needs.csv") -> Needs:
    """Needs of a benchmark's questions from a CSV table with the columns benchmark, question_id and operators.

    Operators are separated by blanks; none is a need too: for no operator. Raises `InputError` for other columns, an
    unknown operator and a question that is labelled twice.
    """
    reader = csv.DictReader(io.StringIO(text))
    if reader.fieldnames != _COLUMNS:
        raise InputError(f"expected the columns {', '.join(_COLUMNS)}, found {reader.fieldnames}", file=file)
    needs: dict[str, dict[str, bool]] = {operator: {} for operator in OPERATORS}
    for number, row in enumerate(reader, 2):
        operators = (row["operators"] or "").split()
        if unknown := [o for o in operators if o not in OPERATORS]:
            problem = f"expected operators out of {', '.join(OPERATORS)}, found {unknown[0]!r}"
            raise InputError(problem, file=file, row=number, field="operators")
        if row["benchmark"] == benchmark:
            if row["question_id"] in needs[OPERATORS[0]]:
                raise InputError(f"{row['question_id']} is labelled twice", file=file, row=number, field="question_id")
            for operator in OPERATORS:
                needs[operator][row["question_id"]] = operator in operators
    return needs
