"""The accuracy table: counts, bounds, macro averages, disputed gold, and the order of rows that must not matter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from memtrial.errors import InputError
from memtrial.records import Disputed, Gold, Question, Verdict
from memtrial.statistics import columns
from memtrial.statistics.accuracy import accuracy_rows
from memtrial.statistics.cells import Cell
from memtrial.statistics.design import Design, design
from memtrial.statistics.intervals import Resampling, wilson
from memtrial.statistics.resampling import mean_intervals

SPEC = {"statistics": {"resamples": 500, "seed": 20260830, "confidence": 0.95}}
KNOWN = ("accuracy", "se", "wilson_low", "wilson_high", "boot_low", "boot_high")


def question(i: str, language: str = "en", conversation: str = "c") -> Question:
    return Question(i, conversation, "?", None, language, [])


def gold(i: str, kind: str = "temporal", abstention: bool = False) -> Gold:
    return Gold(i, ["7 May"], kind, {}, abstention)


def verdict(i: str, correct: bool | None, status: str = "judged", grade: float | None = None) -> Verdict:
    return Verdict(i, status, correct, grade, None, "", "lexical", None, "lexical", "t", "a", None, 1, None)


def cell(verdicts: list[Verdict], system: str = "chain") -> Cell:
    return Cell(system, "extractive", "1", "lexical", verdicts)


def marks(pattern: str, system: str = "chain") -> Cell:
    """Verdicts of q1, q2, …: + right, - wrong, ? unjudged."""
    known = {"+": (True, "judged"), "-": (False, "judged"), "?": (None, "error")}
    return cell([verdict(f"q{n}", *known[mark]) for n, mark in enumerate(pattern, 1)], system)


QUESTIONS = [question("q1"), question("q2"), question("q3", "ru"), question("q4")]
GOLD = [gold("q1"), gold("q2"), gold("q3", "update"), gold("q4", "update", abstention=True)]


def made(
    questions: Sequence[Question] = QUESTIONS,
    answers: Sequence[Gold] = GOLD,
    dossier: Sequence[Disputed] = (),
    **more: str,
) -> Design:
    return design(questions, answers, [], [], dossier, {"statistics": {**SPEC["statistics"], **more}})


def by_slice(rows: list[dict[str, Any]], of: str = "published") -> dict[str, dict[str, Any]]:
    return {f"{r['axis']}/{r['slice']}": r for r in rows if r["gold"] == of}


def test_counts_by_slice() -> None:
    rows = accuracy_rows(made(), [marks("+-++")], SPEC)
    assert {name: (r["n"], r["correct"], r["accuracy"]) for name, r in by_slice(rows).items()} == {
        "all/all": (4, 3, 0.75),
        "question_type/temporal": (2, 1, 0.5),
        "question_type/update": (2, 2, 1.0),
        "abstention/false": (3, 2, 0.666667),
        "abstention/true": (1, 1, 1.0),
        "language/en": (3, 2, 0.666667),
        "language/ru": (1, 1, 1.0),
        "macro/question_type": (4, None, 0.75),
        "macro/question_type, answerable": (3, None, 0.75),
    }
    whole = rows[0]
    assert (whole["wilson_low"], whole["wilson_high"]) == pytest.approx(wilson(3, 4, 0.95), abs=1e-6)
    assert 0 <= whole["boot_low"] < 0.75 < whole["boot_high"] <= 1
    assert whole["se"] == pytest.approx(np.sqrt(0.75 * 0.25 / 4), abs=1e-6)
    assert (whole["bound_low"], whole["bound_high"]) == (0.75, 0.75)
    assert [whole[c] for c in ("n_disputed", "disputed_low", "disputed_high")] == [None] * 3


def test_rows_have_the_columns_of_the_table_in_their_order() -> None:
    rows = accuracy_rows(made(), [marks("++++")], SPEC)
    assert {tuple(row) for row in rows} == {tuple(columns.ACCURACY.names)}
    assert {type(value) for row in rows for value in row.values()} == {str, int, float, type(None)}


def test_unjudged_rows_leave_a_bound_and_no_accuracy() -> None:
    verdicts = [verdict("q1", True), verdict("q2", None, "error"), verdict("q3", None, "unanswered")]
    found = by_slice(accuracy_rows(made(), [cell([*verdicts, verdict("q4", False)])], SPEC))
    whole, known, macro = found["all/all"], found["abstention/true"], found["macro/question_type"]
    assert [whole[c] for c in KNOWN] == [macro[c] for c in KNOWN] == [None] * 6
    assert (whole["n"], whole["n_error"], whole["n_unparseable"], whole["n_unanswered"]) == (4, 1, 0, 1)
    assert (whole["bound_low"], whole["bound_high"]) == (0.25, 0.75)
    assert (macro["bound_low"], macro["bound_high"]) == (0.25, 0.75)
    assert known["accuracy"] == 0.0


def test_another_cells_unjudged_rows_change_nothing() -> None:
    alone = accuracy_rows(made(), [marks("+-++")], SPEC)
    beside = accuracy_rows(made(), [marks("?-??", "other"), marks("+-++")], SPEC)
    assert [row for row in beside if row["system"] == "chain"] == alone


def test_macro_weighs_types_alike_and_has_the_interval_of_their_mean() -> None:
    """Twenty of one type, half right; eighty of the other, all but eight right. Macro 0.7, micro 0.82."""
    questions = [question(f"q{n:02}") for n in range(100)]
    answers = [gold(q.question_id, "common" if n % 5 else "rare") for n, q in enumerate(questions)]
    verdicts = [verdict(q.question_id, n % 50 > 4 if n % 5 else n % 10 == 0) for n, q in enumerate(questions)]
    often = {"statistics": {**SPEC["statistics"], "resamples": 10000}}
    found = by_slice(accuracy_rows(made(questions, answers), [cell(verdicts)], often))
    macro = found["macro/question_type"]
    assert (found["all/all"]["accuracy"], macro["accuracy"], macro["wilson_low"]) == (0.82, 0.7, None)
    error = np.sqrt(0.5 * 0.5 / 20 + 0.9 * 0.1 / 80) / 2
    assert macro["se"] == pytest.approx(error, abs=1e-6)
    ends = stats.norm(0.7, error).ppf([0.025, 0.975])
    assert (macro["boot_low"], macro["boot_high"]) == pytest.approx(ends, abs=0.01)
    assert "macro/question_type, answerable" not in found


def test_disputed_gold_bounds_the_published_rows_and_a_set_leaves_it_out() -> None:
    dossier = [Disputed("q2", "audit", "WRONG", True, ""), Disputed("q3", "audit", "VAGUE", None, "")]
    rows = accuracy_rows(
        made(dossier=[*dossier, Disputed("q1", "audit", "CITATION", False, "")]), [marks("+-++")], SPEC
    )
    published, undisputed = by_slice(rows), by_slice(rows, "undisputed")
    names = ("n", "accuracy", "n_disputed", "disputed_low", "disputed_high")
    assert {k: [v[name] for name in names] for k, v in published.items() if "language" not in k} == {
        "all/all": [4, 0.75, 2, 0.5, 1.0],
        "question_type/temporal": [2, 0.5, 1, 0.5, 1.0],
        "question_type/update": [2, 1.0, 1, 0.5, 1.0],
        "abstention/false": [3, 0.666667, 2, 0.333333, 1.0],
        "abstention/true": [1, 1.0, 0, 1.0, 1.0],
        "macro/question_type": [4, 0.75, 2, 0.5, 1.0],
        "macro/question_type, answerable": [3, 0.75, 2, 0.25, 1.0],
    }
    assert [undisputed["all/all"][name] for name in names] == [2, 1.0, None, None, None]
    assert undisputed["question_type/update"]["n"] == 1
    assert "language/ru" not in undisputed


def test_disputes_bound_nothing_while_other_rows_are_unjudged() -> None:
    rows = by_slice(accuracy_rows(made(dossier=[Disputed("q2", "a", "b", True, "")]), [marks("+?+?")], SPEC))
    assert [rows["all/all"][name] for name in ("n_disputed", "disputed_low", "disputed_high")] == [1, None, None]
    answerable = rows["abstention/false"]
    assert [answerable[name] for name in ("accuracy", "disputed_low", "disputed_high")] == [None, 0.666667, 1.0]


def test_row_order_changes_nothing() -> None:
    there = accuracy_rows(made(), [marks("+-+-")], SPEC)
    back = cell(list(marks("+-+-").verdicts)[::-1])
    assert there == accuracy_rows(made(QUESTIONS[::-1], GOLD[::-1]), [back], SPEC)


def test_order_of_systems_orders_rows_and_changes_none() -> None:
    cells = [marks("+-++", "a"), marks("--++", "b"), marks("+-?-", "c")]
    there = accuracy_rows(made(), cells, SPEC)
    for ordered in permutations(cells):
        rows = accuracy_rows(made(), ordered, SPEC)
        assert sorted(rows, key=lambda r: str(r["system"])) == there


def test_clustering_by_conversation_is_asked_for() -> None:
    questions = [question(f"q{n:02}", conversation=f"c{n // 10}") for n in range(80)]
    answers = [gold(q.question_id) for q in questions]
    cells = [cell([verdict(q.question_id, n < 40) for n, q in enumerate(questions)])]
    alone = accuracy_rows(made(questions, answers), cells, SPEC)[0]
    whole = accuracy_rows(made(questions, answers, cluster="conversation"), cells, SPEC)[0]
    # Eight conversations, half of them all right: sqrt(8 / 7 * 8 * 5^2) / 80 against sqrt(0.25 / 80).
    assert (alone["se"], whole["se"]) == pytest.approx((0.055902, 0.188982), abs=1e-6)
    assert whole["t_low"] <= whole["boot_low"] and whole["t_high"] >= whole["boot_high"]
    assert alone["t_low"] is alone["t_high"] is None
    assert whole["boot_high"] - whole["boot_low"] > 2 * (alone["boot_high"] - alone["boot_low"])
    right, homes = np.array([[float(n < 40)] for n in range(80)]), [q.conversation_id for q in questions]
    ends = mean_intervals(right, np.ones((80, 1), dtype=bool), homes, Resampling(500, 20260830, 0.95))
    assert [whole["boot_low"], whole["boot_high"]] == [round(float(end[0, 0]), 6) for end in ends]


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
        accuracy_rows(made(), [cell(verdicts)], SPEC)


def test_no_cells_make_no_rows() -> None:
    assert accuracy_rows(made(), [], SPEC) == []


def test_a_mean_grade_needs_a_grade_of_every_row() -> None:
    graded = [verdict(f"q{n}", True, grade=g) for n, g in enumerate((0.5, 1.0, 0.0, 0.5), 1)]
    rows = by_slice(accuracy_rows(made(), [cell(graded)], SPEC))
    assert [rows[name]["mean_grade"] for name in ("all/all", "question_type/temporal")] == [0.5, 0.75]
    assert rows["macro/question_type, answerable"]["mean_grade"] == 0.375
    graded[3] = graded[3]._replace(status="error", correct=None)
    rows = by_slice(accuracy_rows(made(), [cell(graded)], SPEC))
    assert [rows[name]["mean_grade"] for name in ("all/all", "question_type/temporal")] == [None, 0.75]


def conversations(number: int, questions: int, right: bool | None = None) -> tuple[list[Question], list[Verdict]]:
    asked = [question(f"q{n:03}", conversation=f"c{n % number}") for n in range(questions)]
    return asked, [verdict(q.question_id, n % 3 > 0 if right is None else right) for n, q in enumerate(asked)]


def test_conversations_that_do_not_differ_leave_wilson_alone() -> None:
    asked, verdicts = conversations(6, 30, right=True)
    (row, *_) = accuracy_rows(
        made(asked, [gold(q.question_id) for q in asked], cluster="conversation"), [cell(verdicts)], SPEC
    )
    assert (row["accuracy"], row["t_low"], row["t_high"]) == (1.0, None, None)
    assert row["wilson_low"] < 0.9


def test_a_dossier_of_every_question_leaves_no_undisputed_row() -> None:
    objections = [Disputed(q.question_id, "s", "k", True, "") for q in QUESTIONS]
    rows = accuracy_rows(made(dossier=objections), [marks("+-+-")], SPEC)
    assert {r["gold"] for r in rows} == {"published"}
    assert (rows[0]["disputed_low"], rows[0]["disputed_high"]) == (0.0, 1.0)


def test_macro_error_takes_the_conversations_that_each_type_lies_in() -> None:
    # Two types of three conversations each: each type's own clustered error, by G / (G - 1) of its three.
    asked = [question(f"q{n:02}", conversation=f"c{n % 6}") for n in range(36)]
    answers = [gold(q.question_id, "a" if n % 6 < 3 else "b") for n, q in enumerate(asked)]
    marked = [(n * 7) % 5 > 1 for n in range(36)]
    rows = accuracy_rows(
        made(asked, answers, cluster="conversation"),
        [cell([verdict(q.question_id, m) for q, m in zip(asked, marked, strict=True)])],
        SPEC,
    )
    macro = next(r for r in rows if r["axis"] == "macro")
    variances = []
    for kind in (0, 1):
        own = [(n % 6, float(m)) for n, m in enumerate(marked) if (n % 6 >= 3) == bool(kind)]
        mean = np.mean([m for _, m in own])
        sums = [sum(m - mean for c, m in own if c == k) / len(own) for k in {c for c, _ in own}]
        variances.append(3 / 2 * sum(s * s for s in sums))
    assert macro["se"] == pytest.approx(np.sqrt(sum(variances)) / 2, abs=1e-6)
