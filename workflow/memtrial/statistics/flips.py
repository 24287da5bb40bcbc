"""Flip rows: questions whose verdict differs between two passes of the same system, reader and judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from memtrial.errors import InputError
from memtrial.records import Verdict
from memtrial.statistics.accuracy import Cell, by_question

Row = dict[str, Any]


def flip_rows(cells: Iterable[tuple[Any, ...]]) -> list[Row]:
    """Rows of `tables.FLIPS`: one a flipped question and pair of passes, for any number of passes.

    `same_answer` tells judge noise (equal `answer_sha256`) from reader noise. A question that is unjudged in either
    pass cannot flip; the accuracy table counts it. Raises `InputError` where two passes hold different questions or a
    pass is given twice.
    """
    groups: dict[tuple[str, str, str], dict[str, dict[str, Verdict]]] = defaultdict(dict)
    asked: dict[tuple[str, str, str], dict[str, Verdict]] = {}
    for cell in (Cell(*c) for c in cells):
        key = (cell.system, cell.reader, cell.judge)
        verdicts = by_question(cell, asked.get(key, {v.question_id: v for v in cell.verdicts}))
        asked.setdefault(key, verdicts)
        if cell.reader_pass in groups[key]:
            raise InputError(f"pass {cell.reader_pass} of {', '.join(key)} is given twice")
        groups[key][cell.reader_pass] = verdicts
    return [
        {"system": key[0], "reader": key[1], "judge": key[2], "pass_a": a, "pass_b": b, **row}
        for key, passes in sorted(groups.items())
        for a, b in combinations(sorted(passes, key=_pass_order), 2)
        for row in _pair(passes[a], passes[b])
    ]


def _pass_order(name: str) -> tuple[int, str]:
    """Passes 2 and 10 in the order of their numbers, named ones after them."""
    return (int(name), name) if name.isdecimal() else (1 << 31, name)


def _pair(a: dict[str, Verdict], b: dict[str, Verdict]) -> list[Row]:
    return [
        {
            "question_id": i,
            "correct_a": a[i].correct,
            "correct_b": b[i].correct,
            "same_answer": a[i].answer_sha256 == b[i].answer_sha256,
        }
        for i in sorted(a)
        if a[i].correct is not None and b[i].correct is not None and a[i].correct != b[i].correct
    ]
