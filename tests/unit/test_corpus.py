"""The corpus: order, rendering, blank turns and sessions, and what a question can see."""

from __future__ import annotations

import random
from datetime import datetime

import pytest

from memtrial.corpus import Corpus, date_text, day_text, slot_name, turn_body, turn_text
from memtrial.records import Question, Session, Slot, Turn

NOON = datetime(2023, 5, 20, 12)


def question(asked_at: datetime | None) -> Question:
    return Question("q", "c", "Where?", asked_at, "en", [])


def test_a_date_reads_like_this() -> None:
    assert date_text(datetime(2023, 5, 20, 2, 21)) == "2023/05/20 (Sat) 02:21"
    assert date_text(None) == "unknown"
    assert date_text(datetime(1, 1, 1)) == "0001/01/01 (Mon) 00:00"
    assert day_text(NOON.date()) == "2023/05/20 (Sat)"


@pytest.mark.parametrize(
    ("origin", "name"), [("prefix", "Session 3"), ("history", "Session 3"), ("passage", "Passage 3")]
)
def test_a_slot_has_a_neutral_name(origin: str, name: str) -> None:
    assert slot_name(Slot(3, 0, origin, "whole", None, 0, 1, 1)) == name


@pytest.mark.parametrize(
    ("turn", "body", "shown"),
    [
        (Turn("t", 0, "user", "", " Hi. \n", None), "Hi.", "user: Hi."),
        (Turn("t", 0, "user", "Ann", "Look!", " a cat "), "Look! [a cat]", "Ann: Look! [a cat]"),
        (Turn("t", 0, "user", "Ann", "  ", "a cat"), "[a cat]", "Ann: [a cat]"),
        (Turn("t", 0, "assistant", "", "\t", "  "), "", "assistant: "),
    ],
)
def test_turn_text_joins_speaker_text_and_caption(turn: Turn, body: str, shown: str) -> None:
    assert turn_body(turn) == body
    assert turn_text(turn) == shown


def test_a_session_renders_with_its_date_and_without_blank_turns() -> None:
    texts = ["One.\nTwo.", " ", "Three."]
    turns = [Turn("t", i, "user", "", text, None) for i, text in enumerate(texts)]
    corpus = Corpus([Session("c", 0, "s", "t", NOON)], turns)
    session = corpus.conversation("c")[0]
    assert corpus.text(session) == "date: 2023/05/20 (Sat) 12:00\nuser: One.\nTwo.\nuser: Three."
    assert [turn and turn.turn_index for _, turn in corpus.lines(session)] == [None, 0, 0, 2]
    assert [t.turn_index for t in corpus.turns(session)] == [0, 1, 2]


def test_a_session_without_turns_renders_as_its_date() -> None:
    corpus = Corpus([Session("c", 0, "s", "t", None)], [])
    assert corpus.text(corpus.conversation("c")[0]) == "date: unknown"
    assert corpus.turns(corpus.conversation("c")[0]) == []


def test_order_is_that_of_positions_and_turn_indices_whatever_the_rows() -> None:
    sessions = [Session(c, p, f"s{p}", f"t{p % 2}", None) for c in "ab" for p in range(11)]
    turns = [Turn(f"t{i}", j, "user", "", f"{i} {j}", None) for i in range(2) for j in range(11)]
    random.Random(1).shuffle(sessions)
    random.Random(2).shuffle(turns)
    corpus = Corpus(sessions, turns)
    assert [s.position for s in corpus.conversation("b")] == list(range(11))
    assert [t.text for t in corpus.turns(corpus.conversation("b")[3])] == [f"1 {j}" for j in range(11)]


@pytest.mark.parametrize(
    ("future", "asked_at", "seen"),
    [("keep", NOON, [0, 1, 2, 3]), ("drop", NOON, [0, 1, 3]), ("drop", None, [0, 1, 2, 3])],
)
def test_sessions_after_the_question_are_dropped_on_request(
    future: str, asked_at: datetime | None, seen: list[int]
) -> None:
    times = [datetime(2023, 5, 1), NOON, datetime(2023, 5, 20, 12, 1), None]
    corpus = Corpus([Session("c", i, "s", "t", t) for i, t in enumerate(times)], [], future)
    assert [s.position for s in corpus.visible(question(asked_at))] == seen


def test_an_unknown_way_with_later_sessions_is_refused() -> None:
    with pytest.raises(ValueError, match="'ignore'"):
        Corpus([], [], "ignore")
