"""The dossier of disputed gold beside the verdicts on its questions."""

from __future__ import annotations

from typing import Any

import pytest

from memtrial.errors import InputError
from memtrial.records import Disputed, Gold, Verdict
from memtrial.statistics import columns, tables
from memtrial.statistics.cells import Cell
from memtrial.statistics.disputed import disputed_rows

GOLD = [Gold(f"q{n}", ["x"], "dates" if n == 1 else "names", {}, False) for n in range(3)]
DOSSIER = [
    Disputed("q1", "notes", "unclear", None, "says two weeks"),
    Disputed("q1", "audit", "wrong", True, "eleven weeks"),
    Disputed("q0", "audit", "citation", False, ""),
]


def cell(system: str, judge: str, marks: str) -> Cell:
    known = {"+": True, "-": False, "?": None}
    verdicts = [verdict(f"q{n}", known[m]) for n, m in enumerate(marks)]
    return Cell(system, "r", "1", judge, verdicts)


def verdict(question_id: str, correct: bool | None) -> Verdict:
    status = "error" if correct is None else "judged"
    return Verdict(question_id, status, correct, None, None, "", "m", None, "p", "t", "a", None, 1, None)


CELLS = [cell("chain", "one", "++-"), cell("chain", "two", "-?+"), cell("rag", "one", "--+")]


def test_each_row_of_the_dossier_stands_beside_its_verdicts(tmp_path: Any) -> None:
    rows = disputed_rows(DOSSIER, GOLD, CELLS)
    assert [(r["question_id"], r["source"], r["n_judged"], r["n_right"]) for r in rows] == [
        ("q0", "audit", 3, 1),
        ("q1", "audit", 2, 1),
        ("q1", "notes", 2, 1),
    ]
    assert (rows[1]["question_type"], rows[1]["kind"], rows[1]["changes_score"]) == ("dates", "wrong", True)
    assert (rows[2]["changes_score"], rows[2]["detail"]) == (None, "says two weeks")
    tables.write_table(tmp_path / "disputed.parquet", rows, columns.DISPUTED)
    assert tables.read_table(tmp_path / "disputed.parquet") == rows


def test_the_order_of_the_dossier_does_not_matter() -> None:
    assert disputed_rows(DOSSIER[::-1], GOLD, CELLS[::-1]) == disputed_rows(DOSSIER, GOLD, CELLS)


def test_trivial_baselines_do_not_count() -> None:
    echo = cell("trivial", "one", "+++")
    assert disputed_rows(DOSSIER, GOLD, [*CELLS, echo]) == disputed_rows(DOSSIER, GOLD, CELLS)


def test_without_a_dossier_there_are_no_rows() -> None:
    assert disputed_rows([], GOLD, CELLS) == []


def test_a_question_that_the_benchmark_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match=r"disputed.jsonl, field 'question_id': the benchmark has no q8, q9"):
        disputed_rows(
            [*DOSSIER, DOSSIER[0]._replace(question_id="q9"), DOSSIER[0]._replace(question_id="q8")], GOLD, []
        )
