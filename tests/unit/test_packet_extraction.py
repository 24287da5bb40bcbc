"""Term-preserving extraction: worked examples in English and Russian, and its laws."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from packet_cases import HISTORIES, QUESTION, corpus_of

from memtrial.corpus import Corpus
from memtrial.packet.extraction import Extractor, content_terms
from memtrial.packet.rendering import Renderer
from memtrial.records import Session, Slot, Turn


def extraction(corpus: Corpus, question: str, how: str = "extracted") -> tuple[Slot, str]:
    renderer, session = Renderer(corpus), corpus.conversation("c")[0]
    slot: Slot = getattr(Extractor(renderer), how)(renderer.whole(session, "prefix"), session, content_terms(question))
    return slot, renderer.body(session, slot.form, slot.kept_lines, slot.chars)


def test_user_lines_matching_lines_and_the_two_ends_stay() -> None:
    corpus = corpus_of(
        [
            [
                "We met at the pier.\nIt was cold.",
                "Piers are windy.\nBring a coat.\nTickets are sold there.",
                "Thanks!",
                "You are welcome.\nShall I go on?\nGood night.",
            ]
        ]
    )
    slot, text = extraction(corpus, "Where were the tickets for the pier sold?")
    assert text == (
        "date: 2024/05/01 (Wed) 09:30\n"
        "user: We met at the pier.\n"
        "It was cold.\n"
        "assistant: Piers are windy.\n"
        "[... 1 lines elided ...]\n"
        "Tickets are sold there.\n"
        "user: Thanks!\n"
        "[... 2 lines elided ...]\n"
        "Good night."
    )
    assert (slot.form, slot.kept_lines, slot.elided_lines) == ("extracted", [0, 1, 2, 3, 5, 6, 9], 3)
    assert (slot.chars, slot.original_chars) == (len(text), len(corpus.text(corpus.conversation("c")[0])))


def test_russian_lines_are_matched_by_word_and_not_by_form() -> None:
    corpus = corpus_of(
        [
            [
                "Помоги выбрать подарок.",
                "Сначала о бюджете.\nДетям дарят велосипеды.\nИли книги.\nАнне понравится шарф.\nУдачи!",
            ]
        ]
    )
    slot, text = extraction(corpus, "Какой велосипед я купил ребёнку и что выбрал для Анны?")
    assert slot.kept_lines == [0, 1, 3, 5, 6]
    assert "Детям дарят велосипеды." in text and "[... 1 lines elided ...]\nАнне" in text


@pytest.mark.parametrize(
    ("question", "line", "shared"),
    [
        ("Where was the event held?", "ask them to hold you accountable", True),
        ("Which piece did my friend pass on?", "All pieces passed.", True),
        ("Which friend was it?", "a friendly word", False),
        ("How many days did it last, two weeks?", "Many days and two weeks were the last.", False),
        ("What lies between them?", "The best lies between.", True),
        ("What did the assistant say to the user?", "assistant: user", False),
        ("Сколько дней прошло?", "Много дней назад.", False),
        ("Куда пошли люди?", "Каждый человек идёт.", True),
        ("Где мы встретили Зюзякину?", "О Зюзякиной потом.", True),
    ],
)
def test_which_words_meet(question: str, line: str, shared: bool) -> None:
    assert bool(content_terms(question) & content_terms(line)) is shared


def test_what_people_say_to_each_other_is_kept_whole() -> None:
    rows = [Session("c", 0, "s", "t", None)]
    turns = [Turn("t", i, role, name, "Words\nand more", None) for i, (role, name) in enumerate(
        [("user", "Ann"), ("assistant", "Bob"), ("user", "Ann")]
    )]  # fmt: skip
    slot, _ = extraction(Corpus(rows, turns), "Which words?")
    assert (slot.kept_lines, slot.elided_lines) == (list(range(7)), 0)
    slot, _ = extraction(Corpus(rows, turns), "Which words?", "condensed")
    assert slot.form == "whole"
    # The name "assistant" is no person's.
    named = [turn._replace(speaker="Assistant") if turn.role == "assistant" else turn for turn in turns]
    slot, _ = extraction(Corpus(rows, named), "Which pier?")
    assert slot.kept_lines == [0, 1, 2, 5, 6]


def test_a_condensed_session_marks_no_gap_that_is_shorter_than_its_mark() -> None:
    corpus = corpus_of([["Hi.", "Yes.\n\nNo.\n" + "Much more of it here.\n" * 4 + "Bye.", "Ok.", "Ok."]])
    slot, text = extraction(corpus, "Where?", "condensed")
    assert slot.kept_lines == [0, 1, 10, 11]
    corpus = corpus_of([["Hi.", "Yes.\n\nNo.", "Ok.", "Ok."]])
    slot, _ = extraction(corpus, "Where?", "condensed")
    assert (slot.form, slot.kept_lines) == ("whole", None)
    slot, text = extraction(corpus, "Where?")
    assert (slot.kept_lines, "[... 3 lines elided ...]" in text) == ([0, 1, 5, 6], True)


@settings(max_examples=150, deadline=None)
@given(HISTORIES)
def test_laws_of_extraction(history: list[list[str]]) -> None:
    corpus = corpus_of(history)
    lines: list[tuple[str, Any]] = corpus.lines(corpus.conversation("c")[0])
    for how in ("extracted", "condensed"):
        slot, text = extraction(corpus, QUESTION.question, how)
        kept = list(range(len(lines))) if slot.kept_lines is None else slot.kept_lines
        assert (len(kept) + slot.elided_lines, slot.chars) == (len(lines), len(text))
        assert {0, min(1, len(lines) - 1), len(lines) - 1} <= set(kept)
        assert {i for i, (_, turn) in enumerate(lines) if turn and turn.role == "user"} <= set(kept)
        assert {i for i, (line, _) in enumerate(lines) if {"party", "hold"} & set(line.split())} <= set(kept)
        if how == "condensed":
            assert slot.chars <= slot.original_chars
