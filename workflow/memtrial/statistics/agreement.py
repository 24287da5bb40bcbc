"""Agreement of two judges on the same answers; between two draws of one judge, what is missing is the judge's noise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from memtrial.errors import InputError
from memtrial.records import Gold, Question, Verdict
from memtrial.statistics.accuracy import Cell, Slice, by_question, slices_of
from memtrial.statistics.intervals import DECIMALS, wilson

AXES = ("all", "scored", "question_type", "abstention")
Row = dict[str, Any]


def agreement_rows(
    gold: Iterable[Gold],
    questions: Iterable[Question],
    cells: Iterable[tuple[Any, ...]],
    judges: Mapping[str, Mapping[str, Any]],
    confidence: float,
) -> list[Row]:
    """Rows of `tables.AGREEMENT`: one a pass, pair of judges and slice; `cells` are `Cell`s or tuples like them.

    Only rows that both judged count; the others are in `n_unjudged`. `judges` gives each judge's definition: a pair
    that differs in nothing but `draw` is a repeated judging (`repeat`), and 1 - rate is its share of flips. Raises
    `InputError` where verdicts, questions and gold do not match, or two judges did not see the same answer.
    """
    asked = {q.question_id: q for q in questions}
    slices = [s for s in slices_of(asked, gold) if s.axis in AXES]
    passes: dict[tuple[str, str, str], dict[str, dict[str, Verdict]]] = defaultdict(dict)
    for cell in (Cell(*c) for c in cells):
        key = (cell.system, cell.reader, cell.reader_pass)
        if cell.judge in passes[key]:
            raise InputError(f"judge {cell.judge} of {', '.join(key)} is given twice")
        passes[key][cell.judge] = by_question(cell, asked)
    return [
        row
        for key, judged in sorted(passes.items())
        for a, b in combinations(sorted(judged), 2)
        for row in _pair(key, (a, b), (judged[a], judged[b]), _is_repeat(judges[a], judges[b]), slices, confidence)
    ]


def kappa(both_right: int, only_a: int, only_b: int, both_wrong: int) -> float | None:
    """Cohen's kappa of a 2 x 2 table (J. Cohen, Educ. Psychol. Meas. 20, 1960), in [-1, 1].

    None where it is undefined: no rows, or each judge gave one and the same verdict throughout.
    """
    n = both_right + only_a + only_b + both_wrong
    right_a, right_b = both_right + only_a, both_right + only_b
    by_chance = right_a * right_b + (n - right_a) * (n - right_b)  # times n squared
    if by_chance == n * n:
        return None
    return (n * (both_right + both_wrong) - by_chance) / (n * n - by_chance)


def _is_repeat(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    return {k: v for k, v in a.items() if k != "draw"} == {k: v for k, v in b.items() if k != "draw"}


def _pair(
    key: tuple[str, str, str],
    names: tuple[str, str],
    judged: tuple[Mapping[str, Verdict], Mapping[str, Verdict]],
    repeat: bool,
    slices: Sequence[Slice],
    confidence: float,
) -> list[Row]:
    a, b = judged
    for i in a:
        if a[i].answer_sha256 != b[i].answer_sha256:
            where = f"verdicts of {', '.join(key)}"
            raise InputError(f"{names[0]} and {names[1]} judged different answers", file=where, row=i)
    head: Row = {"system": key[0], "reader": key[1], "reader_pass": key[2]}
    head |= {"judge_a": names[0], "judge_b": names[1], "repeat": repeat}
    return [{**head, "axis": s.axis, "slice": s.name, **_counts(a, b, s.ids, confidence)} for s in slices]


def _counts(a: Mapping[str, Verdict], b: Mapping[str, Verdict], ids: Sequence[str], confidence: float) -> Row:
    pairs = [(a[i].correct, b[i].correct) for i in ids if a[i].correct is not None and b[i].correct is not None]
    both_right, only_a = pairs.count((True, True)), pairs.count((True, False))
    only_b, both_wrong = pairs.count((False, True)), pairs.count((False, False))
    n, agree = len(pairs), both_right + both_wrong
    rates = (agree / n, *wilson(agree, n, confidence)) if n else (None,) * 3
    measures = (*rates, kappa(both_right, only_a, only_b, both_wrong))
    shown = [None if m is None else round(m, DECIMALS) for m in measures]
    return {
        "n": n,
        "agree": agree,
        **dict(zip(("rate", "wilson_low", "wilson_high", "kappa"), shown, strict=True)),
        "both_right": both_right,
        "only_a": only_a,
        "only_b": only_b,
        "both_wrong": both_wrong,
        "n_unjudged": len(ids) - n,
    }
