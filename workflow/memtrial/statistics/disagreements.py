"""Verdicts on which our reading of a judge's reply and the benchmark's own reading of it differ."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memtrial.statistics.cells import Cell

Row = dict[str, Any]


def disagreement_rows(cells: Iterable[Cell]) -> list[Row]:
    """Rows of `columns.DISAGREEMENTS`, ordered by cell and question.

    A reply that we find unparseable (`correct` null) while the official reading decides is a difference too. A verdict
    without an official reading is none.
    """
    rows = [
        {
            **{name: getattr(cell, name) for name in ("system", "reader", "reader_pass", "judge")},
            **{name: getattr(verdict, name) for name in ("question_id", "correct", "official", "raw")},
        }
        for cell in cells
        for verdict in cell.verdicts
        if verdict.official is not None and verdict.official != verdict.correct
    ]
    return sorted(rows, key=_order)


def _order(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in ("system", "reader", "reader_pass", "judge", "question_id"))
