"""What each protocol shows a judge, and what it makes of the reply."""

from __future__ import annotations

from typing import Any

import pytest

from memtrial.judging.protocols import binary, locomo, longmemeval, protocol, rumba
from memtrial.judging.protocols.base import Protocol, Ruling
from memtrial.records import Gold, Question

NAMES = ("binary", "longmemeval", "locomo", "rumba")


def question(language: str = "en") -> Question:
    return Question("q1", "c1", "What do the lessons cost?", None, language, [])


def gold(kind: str = "multi-session", *references: str, abstention: bool = False, **labels: str) -> Gold:
    return Gold("q1", list(references or ("45 euros",)), kind, labels, abstention)


def prompt(chosen: Protocol, golden: Gold, language: str = "en") -> str:
    (message,) = chosen.render(question(language), golden, "perhaps 45")
    assert message.role == "user"
    return message.content


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("abstention", [False, True])
def test_every_protocol_shows_question_references_and_answer_and_nothing_else(
    name: str, language: str, abstention: bool
) -> None:
    text = prompt(protocol({"protocol": name}), gold("kind-x", "45 euros", "45 €", abstention=abstention), language)
    for part in ("What do the lessons cost?", "45 euros", "45 €", "perhaps 45"):
        assert part in text
    for hidden in ("q1", "kind-x", "c1"):
        assert hidden not in text
    assert ("Question:" in text) == (language == "en")


def test_the_hash_of_a_protocol_is_its_own() -> None:
    hashes = {protocol({"protocol": name}).template_sha256 for name in NAMES}
    assert len(hashes) == len(NAMES)
    assert {len(h) for h in hashes} == {64}


@pytest.mark.parametrize(
    ("golden", "rubric"),
    [
        (gold("single-session-user"), "multi-session"),
        (gold("single-session-assistant"), "multi-session"),
        (gold("multi-session"), "multi-session"),
        (gold("temporal-reasoning"), "temporal-reasoning"),
        (gold("knowledge-update"), "knowledge-update"),
        (gold("single-session-preference"), "single-session-preference"),
        (gold("temporal-reasoning", abstention=True), "abstention"),
        (Gold("q1", [], "adversarial", {}, False), "abstention"),
    ],
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_longmemeval_has_a_rubric_by_type_and_one_where_abstaining_is_right(
    golden: Gold, rubric: str, language: str
) -> None:
    assert longmemeval.rubric_of(golden) == rubric
    assert prompt(longmemeval.OURS, golden, language).startswith(longmemeval.RUBRICS[rubric][language] + "\n\n")


def test_an_adversarial_locomo_question_shows_the_planted_answer_as_wrong() -> None:
    planted = Gold("q1", [], "adversarial", {"adversarial_answer": "60 euros", "category": "5"}, True)
    text = prompt(locomo.PROTOCOL, planted)
    assert text.startswith(locomo.ADVERSARIAL_RUBRICS["en"])
    assert f"{locomo.KNOWN_WRONG['en']}\n60 euros" in text
    plain = prompt(locomo.PROTOCOL, gold("single-hop", category="4"))
    assert plain.startswith(locomo.RUBRICS["en"])
    assert locomo.KNOWN_WRONG["en"] not in plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"grade": 0}', Ruling(False, 0.0)),
        ("1", Ruling(False, 1.0)),
        ("Оценка: 2", Ruling(True, 2.0)),
        ('{"grade": 3,}', Ruling(True, 3.0)),
        ("4", Ruling(None)),
        ("yes", Ruling(None)),
    ],
)
def test_rumba_grades_two_and_three_count_as_correct(text: str, expected: Ruling) -> None:
    assert rumba.parse(text) == expected


@pytest.mark.parametrize("name", ["binary", "longmemeval", "locomo"])
@pytest.mark.parametrize(("text", "expected"), [("correct", True), ("неверно", False), ("no", False), ("hm", None)])
def test_the_others_read_a_verdict_without_grade(name: str, text: str, expected: bool | None) -> None:
    assert protocol({"protocol": name}).parse(text) == Ruling(expected)


@pytest.mark.parametrize("closings", [binary.CLOSINGS, locomo.CLOSINGS])
def test_a_judge_that_repeats_the_closing_question_has_given_no_verdict(closings: dict[str, Any]) -> None:
    for text in closings.values():
        assert binary.PROTOCOL.parse(text) == Ruling(None)
