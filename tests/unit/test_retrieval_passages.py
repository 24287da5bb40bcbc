"""Passages of plain RAG: how turns pair, and what a passage's text is."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.corpus import Corpus
from memtrial.records import Question, Session, Turn
from memtrial.retrieval.passages import Passage, pairs, passages
from memtrial.retrieval.view import views

NAMES = {"u": "user", "a": "assistant"}


def turns_of(roles: str) -> list[Turn]:
    return [Turn("t", i, NAMES[r], "", f"text {i}", None) for i, r in enumerate(roles)]


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ("", []),
        ("ua", [[0, 1]]),
        ("uaua", [[0, 1], [2, 3]]),
        ("auau", [[0], [1, 2], [3]]),
        ("uuau", [[0, 1], [2], [3]]),
        ("aa", [[0], [1]]),
    ],
)
def test_a_user_turn_pairs_with_the_turn_after_it(roles: str, expected: list[list[int]]) -> None:
    assert [[t.turn_index for t in p] for p in pairs(turns_of(roles))] == expected


@given(st.text("ua", max_size=12))
def test_pairs_keep_every_turn_once_and_an_assistant_closes_its_pair(roles: str) -> None:
    found = pairs(turns_of(roles))
    assert [t.turn_index for p in found for t in p] == list(range(len(roles)))
    assert all(len(p) in (1, 2) for p in found)
    assert all(t.role == "user" for p in found for t in p[:-1])


def test_a_passage_reads_like_this_and_skips_blank_turns_and_sessions() -> None:
    sessions = [Session("c", 0, "s", "none", None), Session("c", 1, "s", "t", datetime(2023, 5, 20, 2, 21))]
    turns = [
        Turn("t", 0, "user", "", "Hello.", None),
        Turn("t", 1, "assistant", "", "  ", None),
        Turn("t", 2, "assistant", "Bot", "Look", "a cat"),
        Turn("t", 3, "user", "", "Bye.", None),
        Turn("none", 0, "user", "", " ", None),
    ]
    corpus = Corpus(sessions, turns)
    view = next(views([Question("q", "c", "?", None, "en", [])], corpus))
    date = "date: 2023/05/20 (Sat) 02:21"
    assert passages(view, corpus) == [
        Passage(0, [0, 2], f"{date}\nuser: Hello.\nBot: Look [a cat]"),
        Passage(0, [3], f"{date}\nuser: Bye."),
    ]
    assert view.sessions[0].position == 1
