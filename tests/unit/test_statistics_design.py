"""The design: slices on every kind of axis, sets with and without disputed gold, and what is drawn together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.errors import InputError
from memtrial.records import Disputed, Evidence, Gold, Question, Session
from memtrial.statistics.design import Design, design


def question(i: str, conversation: str = "c", language: str = "en") -> Question:
    return Question(i, conversation, "?", None, language, [])


def gold(i: str, kind: str = "fact", answer: str | None = "7 May", abstention: bool = False, **labels: str) -> Gold:
    return Gold(i, [] if answer is None else [answer], kind, labels, abstention)


def sessions(number: int, conversation: str = "c") -> list[Session]:
    return [Session(conversation, n, f"s{n}", f"t{n}", None) for n in range(number)]


def evidence(i: str, *positions: int | None) -> list[Evidence]:
    return [Evidence(i, p, None, "", p is not None) for p in positions]


def disputed(i: str, changes_score: bool | None) -> Disputed:
    return Disputed(i, "audit", "WRONG", changes_score, "")


def spec(*axes: str, **more: str) -> dict[str, Any]:
    return {"statistics": {"axes": list(axes), **more}}


def sliced(made: Design) -> dict[str, str]:
    """Slices by axis/name as the joined ids, without `all`."""
    return {f"{s.axis}/{s.name}": " ".join(s.ids) for s in made.slices if s.axis != "all"}


QUESTIONS = [question("q1"), question("q2"), question("q3", language="ru"), question("q4")]
GOLD = [
    gold("q1", scope="one", tag="past"),
    gold("q2", scope="two"),
    gold("q3", "update", scope="one", tag="now"),
    gold("q4", "update", abstention=True, tag="past"),
]


def test_default_axes() -> None:
    made = design(QUESTIONS, GOLD, [], [], None, {"statistics": {}})
    assert [(s.axis, s.name, " ".join(s.ids)) for s in made.slices] == [
        ("all", "all", "q1 q2 q3 q4"),
        ("question_type", "fact", "q1 q2"),
        ("question_type", "update", "q3 q4"),
        ("abstention", "false", "q1 q2 q3"),
        ("abstention", "true", "q4"),
        ("language", "en", "q1 q2 q4"),
        ("language", "ru", "q3"),
    ]
    assert (made.ids, made.abstentions) == (("q1", "q2", "q3", "q4"), frozenset({"q4"}))
    assert made.types == {"q1": "fact", "q2": "fact", "q3": "update", "q4": "update"}


def test_absent_gold_sets_answerable_apart_and_first() -> None:
    answers = [*GOLD[:3], gold("q4", "adversarial", None, abstention=True)]
    made = design(QUESTIONS, answers, [], [], None, spec("language"))
    assert list(sliced(made))[:2] == ["scored/answerable", "scored/abstention"]
    assert sliced(made)["scored/answerable"] == "q1 q2 q3"


def test_labels_are_axes_and_a_question_without_one_is_in_none_of_its_slices() -> None:
    made = design(QUESTIONS, GOLD, [], [], None, spec("tag", "scope"))
    assert list(sliced(made).items()) == [
        ("tag/now", "q3"),
        ("tag/past", "q1 q4"),
        ("scope/one", "q1 q3"),
        ("scope/two", "q2"),
    ]


def test_axes_cross_to_any_number() -> None:
    made = design(QUESTIONS, GOLD, [], [], None, spec("scope*language", "tag * scope*question_type"))
    assert list(sliced(made).items()) == [
        ("scope*language/one × en", "q1"),
        ("scope*language/one × ru", "q3"),
        ("scope*language/two × en", "q2"),
        ("tag * scope*question_type/now × one × update", "q3"),
        ("tag * scope*question_type/past × one × fact", "q1"),
    ]


def test_answer_length_counts_words_in_bins_that_keep_their_order() -> None:
    words = {"a": 1, "b": 2, "c": 3, "d": 4, "e": 10, "f": 11, "g": 60}
    answers = [gold(i, answer=" ".join(["Wort"] * n)) for i, n in words.items()] + [gold("h", answer=None)]
    made = design([question(i) for i in "abcdefgh"], answers, [], [], None, spec("answer_length"))
    assert {k: v for k, v in sliced(made).items() if k.startswith("answer")} == {
        "answer_length/1 word": "a",
        "answer_length/2 to 3 words": "b c",
        "answer_length/4 to 10 words": "d e",
        "answer_length/11 words or more": "f g",
    }
    assert list(sliced(made))[-1] == "answer_length/11 words or more"


def test_evidence_position_by_fifths() -> None:
    """Of 12 sessions the first and the last three are its edges (12 / 5, rounded up)."""
    found = [*evidence("a", 0, 2), *evidence("b", 3, 8), *evidence("c", 0, 5), *evidence("d", 9, 0)]
    found += [*evidence("e", None), *evidence("f", 4, None)]
    asked, answers = [question(i) for i in "abcdefg"], [gold(i) for i in "abcdefg"]
    made = design(asked, answers, found, sessions(12), None, spec("evidence_position"))
    assert list(sliced(made).items()) == [
        ("evidence_position/edge", "a d"),
        ("evidence_position/middle", "b f"),
        ("evidence_position/both", "c"),
    ]


@given(st.integers(1, 40), st.data())
def test_edges_are_the_same_from_both_ends(number: int, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, number - 1))
    found = [*evidence("a", position), *evidence("b", number - 1 - position)]
    asked, answers = [question("a"), question("b")], [gold("a"), gold("b")]
    made = design(asked, answers, found, sessions(number), None, spec("evidence_position"))
    assert list(sliced(made).values()) == ["a b"]


def test_an_unknown_axis_is_named_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match=r"statistics\.axes.*unknown axis 'colour'.*answer_length.*labels scope, tag"):
        design(QUESTIONS, GOLD, [], [], None, spec("scope*colour"))


def test_undisputed_leaves_out_what_changes_the_score_or_may() -> None:
    dossier = [disputed("q1", True), disputed("q2", False), disputed("q3", None), disputed("q3", False)]
    made = design(QUESTIONS, GOLD, [], [], dossier, spec())
    assert made.sets == {"published": {"q1", "q2", "q3", "q4"}, "undisputed": {"q2", "q4"}}
    for nothing in (None, []):
        assert list(design(QUESTIONS, GOLD, [], [], nothing, spec()).sets) == ["published"]


def test_conversations_are_clusters_where_asked_for_and_where_there_are_enough() -> None:
    many = [question(f"q{n}", f"c{n // 2}") for n in range(10)]
    answers = [gold(q.question_id) for q in many]
    by_conversation = spec(cluster="conversation")
    assert design(many, answers, [], [], None, by_conversation).clusters["q9"] == "c4"
    assert design(many, answers, [], [], None, spec(cluster="question")).clusters["q9"] == "q9"
    assert design(many[:8], answers[:8], [], [], None, by_conversation).clusters["q7"] == "q7"


def test_row_order_changes_nothing() -> None:
    rows = [QUESTIONS, GOLD, [*evidence("q1", 0, 5, 3), *evidence("q3", 4)], sessions(9), [disputed("q1", True)]]
    axes = spec("tag", "evidence_position")
    assert design(*rows, axes) == design(*(r[::-1] for r in rows), axes)


def test_missing_gold_is_named() -> None:
    with pytest.raises(InputError, match=r"gold\.parquet.*no row for q4"):
        design(QUESTIONS, GOLD[:3], [], [], None, spec())


def test_a_group_gathers_values_of_a_label() -> None:
    labelled = [gold("q1", kind_of="a"), gold("q2", kind_of="b"), gold("q3", kind_of="c"), gold("q4")]
    groups = {"family": {"kind_of": {"first": ["a", "b"]}}}
    made = design(QUESTIONS, labelled, [], [], None, {"statistics": {"axes": ["family"], "groups": groups}})
    assert sliced(made) == {"family/first": "q1 q2"}


def test_gold_that_is_absent_sets_nothing_apart_unless_abstentions_lack_it() -> None:
    without = [gold("q1", answer=None), gold("q2"), gold("q3"), gold("q4")]
    assert {s.axis for s in design(QUESTIONS, without, [], [], None, spec("abstention")).slices} == {
        "all",
        "abstention",
    }
    without[0] = gold("q1", answer=None, abstention=True)
    assert "scored" in {s.axis for s in design(QUESTIONS, without, [], [], None, spec("abstention")).slices}


def test_names_that_would_be_taken_for_others_are_refused() -> None:
    with pytest.raises(InputError, match="the axis 'macro' is that of the macro averages"):
        design(QUESTIONS, [gold(f"q{n}", macro="x") for n in range(1, 5)], [], [], None, spec("macro"))
    crossed = [gold("q1", a="x", b="y × z"), gold("q2", a="x × y", b="z"), gold("q3"), gold("q4")]
    with pytest.raises(InputError, match=r"two slices of 'a\*b' have one name"):
        design(QUESTIONS, crossed, [], [], None, spec("a*b"))
