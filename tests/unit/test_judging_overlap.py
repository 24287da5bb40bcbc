"""The F1 of LoCoMo and RUMBA against values worked by hand, and the stemmer below the former against NLTK's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.errors import InputError
from memtrial.judging.overlap import locomo_f1, locomo_rule, rumba_f1, rumba_rule, stem
from memtrial.judging.rules import RULES, judge
from memtrial.records import Answer, Gold

# What NLTK 3.10.4's PorterStemmer gives; Snowball's differs in the second line.
STEMS = {
    "caresses": "caress", "ponies": "poni", "cats": "cat", "agreed": "agre", "plastered": "plaster", "hopping": "hop",
    "dies": "die", "died": "die", "dying": "die", "skies": "sky", "news": "news", "enjoy": "enjoy", "spied": "spi",
    "filing": "file", "happy": "happi", "relational": "relat", "conditional": "condit", "rationalli": "ration",
    "hopefulli": "hope", "geologi": "geolog", "adoption": "adopt", "controll": "control", "roll": "roll",
    "rate": "rate", "cease": "ceas", "probate": "probat", "feed": "feed", "sing": "sing", "by": "by", "as": "as",
    "electriciti": "electr", "formative": "form", "failing": "fail", "fizzed": "fizz", "кошки": "кошки",
}  # fmt: skip


@pytest.mark.parametrize(("word", "expected"), STEMS.items())
def test_stems_are_those_of_the_stemmer_that_locomo_uses(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("answer", "reference", "category", "expected"),
    [
        # "adopted" and "adoption" have one stem; articles, "and" and punctuation do not count: 2 of 2, 2 of 3 words.
        ("the adoption, and Ann!", "Ann adopted cats", "4", 4 / 5),
        ("8 May 2023", "7 May 2023", "2", 4 / 6),
        ("red red", "red", "4", 2 / 3),
        ("", "red", "4", 0.0),
        ("the", "the", "4", 0.0),
        # The parts of the reference: "tea" is given (1); "green apples" is half given by "apples": 2·1·(1/2)/(3/2).
        ("apples, tea", "tea, green apples", "1", (1 + 2 / 3) / 2),
        ("apples, tea", "tea, green apples", "4", 4 / 5),
        ("tea", "tea; she likes it hot", "3", 1.0),
        ("tea", "tea; she likes it hot", "4", 2 / 6),
    ],
)
def test_locomo_f1_by_hand(answer: str, reference: str, category: str, expected: float) -> None:
    assert locomo_f1(answer, reference, category) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [("a red red cat", "A black cat", 2 / 3), ("cat.", "cat", 0.0), ("", "", 0.0), ("Он дома", "он дома", 1.0)],
)
def test_rumba_f1_by_hand(answer: str, reference: str, expected: float) -> None:
    assert rumba_f1(answer, reference) == pytest.approx(expected)


@given(st.text(), st.text(), st.sampled_from("1234"))
def test_f1_lies_between_0_and_1_and_is_1_for_the_reference_itself(answer: str, reference: str, category: str) -> None:
    for f1 in (locomo_f1(answer, reference, category), rumba_f1(answer, reference)):
        assert 0 <= f1 <= 1
    assert rumba_f1(reference, reference) == (1 if reference.split() else 0)


def gold(category: str | None, *references: str) -> Gold:
    labels = {"category": category} if category else {}
    return Gold("q1", list(references), "type", labels, not references)


def test_the_best_reference_counts_and_the_threshold_decides() -> None:
    golden = gold("4", "a black cat", "red dog")
    assert locomo_rule(golden, "red hat", 0.5) == (True, 0.5, "overlaps")
    assert locomo_rule(golden, "red hat", 0.6) == (False, 0.5, "differs")
    assert rumba_rule(golden, "red dog", 1.0) == (True, 1.0, "overlaps")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It is Not mentioned.", (True, 1.0, "abstains")),
        ("No information available", (True, 1.0, "abstains")),
        ("That was never said.", (False, 0.0, "answers")),
        ("a red hat", (False, 0.0, "answers")),
    ],
)
def test_an_adversarial_question_goes_by_the_two_official_phrases(
    answer: str, expected: tuple[bool, float, str]
) -> None:
    assert locomo_rule(gold("5"), answer, 0.5) == expected


@pytest.mark.parametrize(
    ("kind", "golden", "message"),
    [
        ("locomo-f1", gold(None, "tea"), "LoCoMo category from 1 to 5 of question 'q1', found ''"),
        ("locomo-f1", gold("4"), "'q1' has none"),
        ("rumba-f1", gold("4"), "'q1' has none"),
    ],
)
def test_a_question_that_an_f1_cannot_judge_is_an_error(kind: str, golden: Gold, message: str) -> None:
    answer = Answer("q1", "ok", "tea", "tea", "", "stop", "r", "r-1", {}, "", "", "", 1, None)
    with pytest.raises(InputError, match=message):
        judge(RULES[kind], golden, answer)


def test_verdicts_of_rules_name_the_rule() -> None:
    answer = Answer("q1", "ok", "tea", "tea", "", "stop", "r", "r-1", {}, "", "", "", 1, None)
    found = {kind: judge(rule, gold("4", "tea"), answer) for kind, rule in RULES.items()}
    assert {k: (v.protocol, v.correct, v.grade, v.official) for k, v in found.items()} == {
        "lexical": ("lexical-v1", True, 1.0, None),
        "locomo-f1": ("locomo-f1-v1", True, 1.0, None),
        "rumba-f1": ("rumba-f1-v1", True, 1.0, None),
    }
    assert len({v.template_sha256 for v in found.values()}) == 3
