"""The trivial baselines: their texts, what the judges by rule make of them, and the gold that only one may see."""

from __future__ import annotations

import pytest

from memtrial import spec
from memtrial.errors import InputError
from memtrial.judging.rules import RULES, judge
from memtrial.reading.baselines import ABSTENTIONS, BASELINES, baseline_answers
from memtrial.records import Gold, Question

QUESTIONS = [
    Question("q1", "c1", "Which pet does Ann have?", None, "en", []),
    Question("q2", "c1", "Сколько лет коту?", None, "ru", []),
    Question("q3", "c2", "Which car does Ann own?", None, "en", []),
]
GOLD = [
    Gold("q3", [], "adversarial", {"category": "5"}, True),
    Gold("q1", ["a grey parrot", "a parrot"], "single-hop", {"category": "4"}, False),
    Gold("q2", ["три года"], "temporal", {"category": "2"}, False),
]


def texts(name: str) -> list[str]:
    return [a.answer for a in baseline_answers(name, QUESTIONS, GOLD)]


def test_each_baseline_says_its_one_thing() -> None:
    assert texts("always-abstain") == [ABSTENTIONS["en"], ABSTENTIONS["ru"], ABSTENTIONS["en"]]
    assert texts("question-echo") == [q.question for q in QUESTIONS]
    assert texts("gold-echo") == ["a grey parrot", "три года", ABSTENTIONS["en"]]


def test_the_names_are_those_of_the_config() -> None:
    assert BASELINES == spec.BASELINES


@pytest.mark.parametrize("name", BASELINES)
def test_the_answers_are_whole_rows_in_the_order_of_the_questions(name: str) -> None:
    answers = baseline_answers(name, QUESTIONS, GOLD)
    assert [a.question_id for a in answers] == ["q1", "q2", "q3"]
    assert {(a.status, a.model_requested, a.request_sha256, a.attempts, a.error) for a in answers} == {
        ("ok", "baseline", "", 0, None)
    }
    assert all(a.raw == a.answer for a in answers)


@pytest.mark.parametrize("name", ["always-abstain", "question-echo"])
def test_the_others_do_not_need_the_gold(name: str) -> None:
    assert baseline_answers(name, QUESTIONS) == baseline_answers(name, QUESTIONS, GOLD)


@pytest.mark.parametrize("kind", ["lexical", "locomo-f1"])
def test_every_rule_takes_the_abstention_for_one_and_the_gold_for_right(kind: str) -> None:
    ruled = {
        name: [
            judge(RULES[kind], g, a).correct
            for g, a in zip(golds(), baseline_answers(name, QUESTIONS, GOLD), strict=True)
        ]
        for name in BASELINES
    }
    assert ruled == {
        "always-abstain": [False, False, True],
        "question-echo": [False, False, False],
        "gold-echo": [True, True, True],
    }


def golds() -> list[Gold]:
    return sorted(GOLD, key=lambda g: g.question_id)


@pytest.mark.parametrize("gold", [None, GOLD[:2]])
def test_an_echo_of_gold_that_is_not_there_is_refused(gold: list[Gold] | None) -> None:
    with pytest.raises(InputError, match=r"gold, field 'question_id': no gold for question 'q[12]'"):
        baseline_answers("gold-echo", QUESTIONS, gold)


def test_another_name_is_refused() -> None:
    with pytest.raises(InputError, match=r"expected one of always-abstain, question-echo, gold-echo, found 'gold'"):
        baseline_answers("gold", QUESTIONS, GOLD)
