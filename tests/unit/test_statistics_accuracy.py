from __future__ import annotations

from typing import Any

import pytest

from memtrial.errors import InputError
from memtrial.records import Gold, Question, Verdict
from memtrial.statistics.accuracy import accuracy_rows
from memtrial.statistics.flips import flip_rows
from memtrial.statistics.intervals import wilson

SPEC = {"statistics": {"resamples": 500, "seed": 20260830, "confidence": 0.95, "ks": [1, 10]}}


def question(i: str, language: str = "en", conversation: str = "c") -> Question:
    return Question(i, conversation, "?", None, language, [])


def gold(i: str, kind: str = "temporal", abstention: bool = False, answers: tuple[str, ...] = ("7 May",)) -> Gold:
    return Gold(i, list(answers), kind, {}, abstention)


def verdict(i: str, correct: bool | None, status: str = "judged", answer: str = "a") -> Verdict:
    return Verdict(i, status, correct, None, None, "", "lexical", None, "lexical", "t", answer, None, 1, None)


def cell(verdicts: list[Verdict], reader_pass: str = "1") -> tuple[Any, ...]:
    return ("chain", "extractive", reader_pass, "lexical", verdicts)


QUESTIONS = [question("q1"), question("q2"), question("q3", "ru"), question("q4")]
GOLD = [gold("q1"), gold("q2"), gold("q3", "update"), gold("q4", "update", abstention=True)]


def by_slice(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {f"{r['axis']}/{r['slice']}": r for r in rows}


def test_counts_by_slice() -> None:
    rows = accuracy_rows(
        GOLD,
        QUESTIONS,
        [cell([verdict("q1", True), verdict("q2", False), verdict("q3", True), verdict("q4", True)])],
        SPEC,
    )
    assert {name: (r["n"], r["correct"], r["accuracy"]) for name, r in by_slice(rows).items()} == {
        "all/all": (4, 3, 0.75),
        "question_type/temporal": (2, 1, 0.5),
        "question_type/update": (2, 2, 1.0),
        "abstention/false": (3, 2, 0.666667),
        "abstention/true": (1, 1, 1.0),
        "language/en": (3, 2, 0.666667),
        "language/ru": (1, 1, 1.0),
    }
    whole = rows[0]
    assert (whole["wilson_low"], whole["wilson_high"]) == pytest.approx(wilson(3, 4, 0.95), abs=1e-6)
    assert 0 <= whole["boot_low"] < 0.75 < whole["boot_high"] <= 1
    assert (whole["bound_low"], whole["bound_high"]) == (0.75, 0.75)


def test_columns_are_those_of_the_table() -> None:
    rows = accuracy_rows(GOLD, QUESTIONS, [cell([verdict(q.question_id, True) for q in QUESTIONS])], SPEC)
    assert ",".join(rows[0]) == (
        "system,reader,reader_pass,judge,axis,slice,n,correct,accuracy,wilson_low,wilson_high,boot_low,boot_high,"
        "n_error,n_unparseable,n_unanswered,bound_low,bound_high,mean_grade"
    )


def test_unjudged_rows_leave_a_bound_and_no_accuracy() -> None:
    rows = accuracy_rows(
        GOLD,
        QUESTIONS,
        [
            cell(
                [
                    verdict("q1", True),
                    verdict("q2", None, "error"),
                    verdict("q3", None, "unanswered"),
                    verdict("q4", False),
                ]
            )
        ],
        SPEC,
    )
    whole, known = by_slice(rows)["all/all"], by_slice(rows)["abstention/true"]
    assert [whole[c] for c in ("accuracy", "wilson_low", "wilson_high", "boot_low", "boot_high")] == [None] * 5
    assert (whole["n"], whole["n_error"], whole["n_unparseable"], whole["n_unanswered"]) == (4, 1, 0, 1)
    assert (whole["bound_low"], whole["bound_high"]) == (0.25, 0.75)
    assert known["accuracy"] == 0.0


def test_absent_gold_sets_answerable_apart() -> None:
    gold_rows = [*GOLD[:3], gold("q4", "adversarial", abstention=True, answers=())]
    verdicts = [verdict("q1", True), verdict("q2", True), verdict("q3", True), verdict("q4", False)]
    found = by_slice(accuracy_rows(gold_rows, QUESTIONS, [cell(verdicts)], SPEC))
    assert [name for name in found if name.startswith("scored/")] == ["scored/answerable", "scored/abstention"]
    assert (found["scored/answerable"]["n"], found["scored/answerable"]["accuracy"]) == (3, 1.0)
    assert (found["scored/abstention"]["n"], found["scored/abstention"]["accuracy"]) == (1, 0.0)


def test_row_order_changes_nothing() -> None:
    verdicts = [verdict(q.question_id, n % 2 == 0) for n, q in enumerate(QUESTIONS)]
    there = accuracy_rows(GOLD, QUESTIONS, [cell(verdicts)], SPEC)
    assert there == accuracy_rows(GOLD[::-1], QUESTIONS[::-1], [cell(verdicts[::-1])], SPEC)


def test_clustering_by_conversation_is_asked_for() -> None:
    questions = [question(f"q{n:02}", conversation=f"c{n // 10}") for n in range(80)]
    answers = [gold(q.question_id) for q in questions]
    verdicts = [verdict(q.question_id, n < 40) for n, q in enumerate(questions)]
    clustered = {"statistics": {**SPEC["statistics"], "cluster": "conversation"}}
    alone = accuracy_rows(answers, questions, [cell(verdicts)], SPEC)[0]
    whole = accuracy_rows(answers, questions, [cell(verdicts)], clustered)[0]
    assert whole["boot_high"] - whole["boot_low"] > 2 * (alone["boot_high"] - alone["boot_low"])


@pytest.mark.parametrize(
    ("verdicts", "message"),
    [
        ([verdict("q1", True), verdict("q2", True)], "pass 1, lexical.*'question_id': no row for q3, q4"),
        ([verdict(f"q{n}", True) for n in range(1, 6)], "not asked: q5"),
        ([verdict("q1", True)] * 2 + [verdict(f"q{n}", True) for n in (2, 3, 4)], "several for q1"),
        ([verdict(f"q{n}", True, "jugded") for n in range(1, 5)], "row q1, field 'status'.*'jugded'"),
        ([verdict(f"q{n}", None) for n in range(1, 5)], "row q1, field 'correct'"),
        ([verdict(f"q{n}", True, "error") for n in range(1, 5)], "row q1, field 'correct'"),
    ],
)
def test_faulty_verdicts_are_named(verdicts: list[Verdict], message: str) -> None:
    with pytest.raises(InputError, match=message):
        accuracy_rows(GOLD, QUESTIONS, [cell(verdicts)], SPEC)


def test_missing_gold_is_named() -> None:
    with pytest.raises(InputError, match=r"gold\.parquet.*no row for q4"):
        accuracy_rows(GOLD[:3], QUESTIONS, [], SPEC)


def test_flips_of_three_passes() -> None:
    passes = {
        "1": [verdict("q1", True, answer="a"), verdict("q2", True), verdict("q3", None, "error")],
        "2": [verdict("q1", False, answer="a"), verdict("q2", True), verdict("q3", True)],
        "10": [verdict("q1", True, answer="b"), verdict("q2", True), verdict("q3", True)],
    }
    rows = flip_rows(cell(v, name) for name, v in reversed(passes.items()))
    names = ("pass_a", "pass_b", "question_id", "correct_a", "correct_b", "same_answer")
    assert [tuple(r[n] for n in names) for r in rows] == [
        ("1", "2", "q1", True, False, True),
        ("2", "10", "q1", False, True, False),
    ]


def test_one_pass_has_no_flips_and_other_judges_are_not_compared() -> None:
    one = cell([verdict("q1", True)])
    other = ("chain", "extractive", "2", "another", [verdict("q1", False)])
    assert flip_rows([one, other]) == []


def test_passes_over_other_questions_are_refused() -> None:
    with pytest.raises(InputError, match=r"pass 2.*no row for q2"):
        flip_rows([cell([verdict("q1", True), verdict("q2", True)]), cell([verdict("q1", True)], "2")])
    with pytest.raises(InputError, match="given twice"):
        flip_rows([cell([verdict("q1", True)]), cell([verdict("q1", True)])])


def test_a_mean_grade_needs_a_grade_of_every_row() -> None:
    graded = [verdict(f"q{n}", True)._replace(grade=g) for n, g in enumerate((0.5, 1.0, 0.0, 0.5), 1)]
    rows = by_slice(accuracy_rows(GOLD, QUESTIONS, [cell(graded)], SPEC))
    assert rows["all/all"]["mean_grade"] == 0.5
    assert rows["question_type/temporal"]["mean_grade"] == 0.75
    graded[3] = graded[3]._replace(status="error", correct=None, grade=None)
    rows = by_slice(accuracy_rows(GOLD, QUESTIONS, [cell(graded)], SPEC))
    assert rows["all/all"]["mean_grade"] is None
    assert rows["question_type/temporal"]["mean_grade"] == 0.75
