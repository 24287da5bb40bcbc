"""The gate: worked examples, its refusals, and its two figures against scipy."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from memtrial.errors import InputError
from memtrial.records import Verdict
from memtrial.statistics.cells import Cell
from memtrial.statistics.gate import chance_of_none, gate, listed_ids, questions_needed, render, upper_bound


def verdict(name: str, correct: bool | None, answer: str = "a") -> Verdict:
    status = "unparseable" if correct is None else "judged"
    return Verdict(name, status, correct, None, None, "", "m", None, "binary", "t", answer, None, 1, None)


def cell(system: str, pattern: str, answer: str = "a") -> Cell:
    """Verdicts of questions a, b, c, …: + right, - wrong, ? unjudged."""
    marks = {"+": True, "-": False, "?": None}
    rows = [verdict(chr(97 + i), marks[mark], f"{answer}{i}") for i, mark in enumerate(pattern)]
    return Cell(system, "reader", "1", "judge", rows)


def outcome(old: str, new: str, controls: list[str] | None = None, answer: str = "b") -> dict[str, Any]:
    return gate(cell("old", old), cell("new", new, answer), controls)


def test_recovered_and_broken_are_told_and_one_broken_question_fails() -> None:
    told = outcome("++--+", "+-+-+")
    assert (told["recovered"], told["broken"], told["unjudged"]) == (["c"], ["b"], [])
    assert (told["n_questions"], told["n_controls"], told["passed"]) == (5, 3, False)
    assert told["in_words"][0] == "Failed: 1 of 3 control questions broke: b."
    assert told["upper_bound"] is None


def test_nothing_broken_passes_with_a_warning_that_few_questions_show_little() -> None:
    told = outcome("+++-", "++++")
    assert told["passed"]
    assert told["recovered"] == ["d"]
    # (1 - p)^3 for p = 0.5, 1, 2, 5, 10%, and 1 - 0.05^(1/3).
    assert list(told["chance_of_none"]) == ["0.5%", "1.0%", "2.0%", "5.0%", "10.0%"]
    assert list(told["chance_of_none"].values()) == [0.985075, 0.970299, 0.941192, 0.857375, 0.729]
    assert told["upper_bound"] == 0.631597
    assert told["in_words"] == [
        "Passed: none of 3 control questions broke.",
        "The chance to see none broken among 3, by the share that the change truly breaks: "
        "0.5%: 98.5%, 1.0%: 97.0%, 2.0%: 94.1%, 5.0%: 85.7%, 10.0%: 72.9%.",
        "A true share of up to 63.2% stays possible (exact, one-sided 95%).",
        "This control set is small: to bound the share it takes, none broken, "
        "59 (for 5%), 149 (for 2%), 299 (for 1%) questions.",
    ]


def test_a_set_that_bounds_the_share_below_5_percent_is_not_called_small() -> None:
    assert any("small" in words for words in outcome("+" * 58, "+" * 58)["in_words"])
    assert not any("small" in words for words in outcome("+" * 59, "+" * 59)["in_words"])


@pytest.mark.parametrize(("old", "new"), [("++", "+?"), ("+?", "++"), ("+?", "+-")])
def test_an_unjudged_control_question_blocks(old: str, new: str) -> None:
    told = outcome(old, new)
    assert (told["unjudged"], told["broken"], told["passed"], told["n_controls"]) == (["b"], [], False, 1)
    assert told["in_words"][0] == "Blocked: 1 control questions are unjudged: b."
    assert told["upper_bound"] is None


def test_an_unjudged_question_that_cannot_break_does_not_block() -> None:
    told = outcome("+-", "+?")
    assert told["passed"]
    assert (told["unjudged"], told["unjudged_elsewhere"]) == ([], ["b"])


def test_given_control_questions_alone_decide() -> None:
    told = outcome("+++?", "+-+-", ["a", "c"])
    assert told["passed"]
    assert (told["n_controls"], told["broken"], told["broken_elsewhere"]) == (2, [], ["b"])
    assert (told["unjudged"], told["unjudged_elsewhere"]) == ([], ["d"])
    assert not outcome("+++?", "+-+-", ["a", "b"])["passed"]


def test_no_control_question_is_no_pass() -> None:
    told = outcome("--", "++")
    assert (told["passed"], told["n_controls"], told["recovered"]) == (False, 0, ["a", "b"])
    assert told["in_words"] == ["Failed: there is no control question, so nothing could have broken."]


def test_a_broken_question_whose_answer_did_not_change_is_told_from_one_whose_answer_did() -> None:
    assert outcome("+", "-", answer="a")["same_answer"] == ["a"]
    assert "The judge changed its mind" in outcome("+", "-", answer="a")["in_words"][1]
    assert outcome("+", "-", answer="b")["same_answer"] == []


def test_other_questions_are_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"new.*\bc\b"):
        outcome("++", "+++")
    with pytest.raises(InputError, match=r"new.*\bb\b"):
        outcome("++", "+")


@pytest.mark.parametrize(
    ("controls", "told"),
    [
        (["a", "z"], "ids.txt: control questions have no verdict: z"),
        (["a", "a"], "ids.txt: control questions are given twice: a"),
        (["a", "b"], "ids.txt: control questions are answered wrongly by the incumbent: b"),
    ],
)
def test_a_control_question_that_cannot_be_one_is_refused(controls: list[str], told: str) -> None:
    with pytest.raises(InputError) as caught:
        gate(cell("old", "+-"), cell("new", "++"), controls, "ids.txt")
    assert str(caught.value) == told


def test_a_file_of_ids_has_one_a_line() -> None:
    assert listed_ids("# frozen in May\nq-1\n\n  q-2  \n") == ["q-1", "q-2"]


@given(st.integers(1, 3000))
def test_the_bound_is_that_of_clopper_and_pearson_at_none_of_n(n: int) -> None:
    assert upper_bound(n) == pytest.approx(stats.binomtest(0, n).proportion_ci(0.90, "exact").high, abs=1e-9)
    assert chance_of_none(upper_bound(n), n) == pytest.approx(0.05)


@given(st.integers(0, 500), st.floats(0.001, 0.5))
def test_the_chance_of_none_is_the_binomial_one(n: int, rate: float) -> None:
    assert chance_of_none(rate, n) == pytest.approx(stats.binom.pmf(0, n, rate))
    assert upper_bound(questions_needed(rate)) <= rate + 1e-12
    assert upper_bound(questions_needed(rate) - 1) > rate


def test_the_table_is_plain_text() -> None:
    old, new = cell("old", "++-"), cell("new", "+-+", "b")
    assert render("swap", "tiny", gate(old, new), old, new).splitlines() == [
        "gate swap on tiny",
        "",
        "incumbent  old, reader, pass 1, judge judge",
        "candidate  new, reader, pass 1, judge judge",
        "",
        "questions                  3",
        "controls judged            2",
        "recovered                  1",
        "broken                     1",
        "broken elsewhere           0",
        "unjudged                   0",
        "unjudged elsewhere         0",
        "",
        "true share   chance of none broken",
        "      0.5%                   99.0%",
        "      1.0%                   98.0%",
        "      2.0%                   96.0%",
        "      5.0%                   90.2%",
        "     10.0%                   81.0%",
        "",
        "Failed: 1 of 2 control questions broke: b.",
        "The chance to see none broken among 2, by the share that the change truly breaks: "
        "0.5%: 99.0%, 1.0%: 98.0%, 2.0%: 96.0%, 5.0%: 90.2%, 10.0%: 81.0%.",
        "",
        "recovered: c",
        "broken: b",
    ]
