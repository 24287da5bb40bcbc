"""Flips between passes: which questions, in which direction, and what changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtrial.errors import InputError
from memtrial.records import Verdict
from memtrial.statistics import columns, tables
from memtrial.statistics.cells import Cell
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.flips import flip_rows

Row = dict[str, Any]
HASHES = ("request", "packet", "scaffold")


def verdict(question_id: str, correct: bool | None, answer: str = "a") -> Verdict:
    status = "judged" if correct is not None else "error"
    return Verdict(question_id, status, correct, None, None, "", "m", "m", "p", "t", answer, "r", 1, None)


def cell(verdicts: list[Verdict], reader_pass: str = "1", judge: str = "j") -> Cell:
    return Cell("chain", "x", reader_pass, judge, verdicts)


def design(n: int, disputed: tuple[str, ...] = ()) -> Design:
    ids = tuple(f"q{i}" for i in range(1, n + 1))
    types = {i: f"type-{i}" for i in ids}
    sets = {"published": frozenset(ids)}
    if disputed:
        sets["undisputed"] = frozenset(ids) - set(disputed)
    return Design(ids, (Slice("all", "all", ids),), sets, {i: i for i in ids}, types, frozenset())


def rows(cells: list[Any], n: int, hashes: Any = None, disputed: tuple[str, ...] = ()) -> list[Row]:
    """`hashes`: those of a pass by question, where they are not `HASHES`."""
    of = design(n, disputed)
    answers = {c[:3]: dict.fromkeys(of.ids, HASHES) | (hashes or {}).get(c[2], {}) for c in cells}
    return flip_rows(of, cells, answers)


def flip(answers: tuple[str, str], a: tuple[str, str, str] = HASHES, b: tuple[str, str, str] = HASHES) -> Row:
    """The row of a question that was lost between two passes."""
    cells = [cell([verdict("q1", True, answers[0])], "1"), cell([verdict("q1", False, answers[1])], "2")]
    [row] = rows(cells, 1, {"1": {"q1": a}, "2": {"q1": b}})
    return row


def test_three_passes() -> None:
    passes = {
        "1": [verdict("q1", True), verdict("q2", True), verdict("q3", None)],
        "2": [verdict("q1", False), verdict("q2", True), verdict("q3", True)],
        "10": [verdict("q1", True, "b"), verdict("q2", True), verdict("q3", True)],
    }
    found = rows([cell(v, name) for name, v in reversed(passes.items())], 3, disputed=("q1",))
    names = ("pass_a", "pass_b", "question_id", "question_type", "correct_a", "correct_b", "cause", "disputed")
    assert [tuple(r[n] for n in names) for r in found] == [
        ("1", "2", "q1", "type-q1", True, False, "judge", True),
        ("2", "10", "q1", "type-q1", False, True, "reader", True),
    ]


@pytest.mark.parametrize(
    "row, same_answer, same_evidence, cause",
    [
        (flip(("a", "a")), True, True, "judge"),
        (flip(("a", "b")), False, True, "reader"),
        (flip(("a", "b"), b=("other", "other", "scaffold")), False, False, "evidence"),
        (flip(("a", "b"), b=("other", "packet", "other")), False, False, "evidence"),
        # Another prompt over the same packet is a matter of the reader.
        (flip(("a", "b"), b=("other", "packet", "scaffold")), False, True, "reader"),
        # A judge that changes its mind on one answer does so whatever lay before the reader.
        (flip(("a", "a"), b=("other", "other", "other")), True, False, "judge"),
        (flip(("", "b")), None, True, "unknown"),
        (flip(("", ""), ("", "", ""), ("", "", "")), None, None, "unknown"),
        (flip(("a", "b"), ("", "", ""), ("", "", "")), False, None, "unknown"),
        (flip(("a", "b"), ("request", "", ""), ("request", "", "")), False, None, "reader"),
    ],
)
def test_the_cause_of_a_flip(row: Row, same_answer: bool | None, same_evidence: bool | None, cause: str) -> None:
    assert (row["same_answer"], row["same_evidence"], row["cause"]) == (same_answer, same_evidence, cause)


def test_one_pass_has_no_flips_and_other_judges_are_not_compared() -> None:
    assert rows([cell([verdict("q1", True)]), cell([verdict("q1", False)], "2", "another")], 1) == []


def test_other_questions_a_pass_given_twice_and_missing_answers_are_refused() -> None:
    one, other = cell([verdict("q1", True)]), cell([verdict("q1", False)], "2")
    with pytest.raises(InputError, match=r"pass 1.*no row for q2"):
        rows([one], 2)
    with pytest.raises(InputError, match="given twice"):
        rows([one, one], 1)
    with pytest.raises(InputError, match="verdicts on pass 2 of chain, x, but no answers"):
        flip_rows(design(1), [one, other], {one[:3]: {"q1": HASHES}})
    with pytest.raises(InputError, match=r"row q1.*a verdict without an answer"):
        flip_rows(design(1), [one, other], {one[:3]: {"q1": HASHES}, other[:3]: {}})


def test_the_table_keeps_its_rows(tmp_path: Path) -> None:
    found = [flip(("a", "b")), flip(("", ""), ("", "", ""), ("", "", ""))]
    tables.write_table(tmp_path / "flips.parquet", found, columns.FLIPS)
    assert tables.read_table(tmp_path / "flips.parquet") == found
    assert all(r.keys() == set(columns.FLIPS.names) for r in found)
