"""Agreement of two judges on the same answers; between two draws of one judge, what is missing is the judge's noise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from memtrial.statistics.cells import Cell
from memtrial.statistics.columns import CELL
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.intervals import rate, wilson
from memtrial.statistics.judgings import Verdicts, along, by_cell, judging_of, require_same_answers

Row = dict[str, Any]


def agreement_rows(
    design: Design, cells: Iterable[Cell], judges: Mapping[str, Mapping[str, Any]], confidence: float
) -> list[Row]:
    """Rows of `columns.AGREEMENT`: one a pass, pair of judges, set and slice.

    Only rows that both judged count; the others are in `n_unjudged`. `judges` gives each judge's definition: a pair
    that differs in nothing but `draw` is a repeated judging (`repeat`), and 1 - rate is its share of flips. Raises
    `InputError` where cells do not hold the design's questions, or two judges did not see the same answers.
    """
    passes = along("judge", by_cell(design.ids, cells))
    for key, judged in passes.items():
        require_same_answers(judged, f"verdicts of {', '.join(key)}")
    counted = [
        (gold, Slice(s.axis, s.name, tuple(i for i in s.ids if i in ids)))
        for gold, ids in design.sets.items()
        for s in design.slices
    ]
    return [
        {
            "gold": gold,
            **_head(key, a, b, judges),
            "axis": s.axis,
            "slice": s.name,
            **_counts(judged[a], judged[b], s.ids, confidence),
        }
        for key, judged in passes.items()
        for a, b in combinations(judged, 2)
        for gold, s in counted
        if s.ids
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


def is_repeat(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Whether two judges are draws of one."""
    return judging_of(a) == judging_of(b) and a.get("draw", 1) != b.get("draw", 1)


def _head(key: tuple[str, str, str], a: str, b: str, judges: Mapping[str, Mapping[str, Any]]) -> Row:
    named = dict(zip(CELL[:3], key, strict=True))
    return {**named, "judge_a": a, "judge_b": b, "repeat": is_repeat(judges[a], judges[b])}


def _counts(a: Verdicts, b: Verdicts, ids: Sequence[str], confidence: float) -> Row:
    pairs = [(a[i].correct, b[i].correct) for i in ids if a[i].correct is not None and b[i].correct is not None]
    both_right, only_a = pairs.count((True, True)), pairs.count((True, False))
    only_b, both_wrong = pairs.count((False, True)), pairs.count((False, False))
    n, agree = len(pairs), both_right + both_wrong
    rates = (agree / n, *wilson(agree, n, confidence)) if n else (None,) * 3
    shown = map(rate, (*rates, kappa(both_right, only_a, only_b, both_wrong)))
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
