"""Rows on which our reading and the official reading of a reply differ."""

from __future__ import annotations

from memtrial.records import Verdict
from memtrial.statistics.cells import Cell
from memtrial.statistics.columns import DISAGREEMENTS
from memtrial.statistics.disagreements import disagreement_rows


def verdict(number: int, correct: bool | None, official: bool | None, raw: str = "raw") -> Verdict:
    status = "unparseable" if correct is None else "judged"
    return Verdict(f"q{number}", status, correct, None, official, raw, "j", "j-1", "p", "0", "0", "0", 1, None)


def test_only_rows_with_another_official_reading_are_listed_in_order() -> None:
    first = [verdict(3, False, True, "No, yesterday"), verdict(1, None, True), verdict(2, True, True)]
    second = [verdict(1, True, None), verdict(2, None, None), verdict(3, True, False)]
    rows = disagreement_rows([Cell("s", "r", "2", "j", second), Cell("s", "r", "1", "j", first)])
    assert [(r["reader_pass"], r["question_id"], r["correct"], r["official"]) for r in rows] == [
        ("1", "q1", None, True),
        ("1", "q3", False, True),
        ("2", "q3", True, False),
    ]
    assert rows[1]["raw"] == "No, yesterday"
    assert all(list(r) == DISAGREEMENTS.names for r in rows)
