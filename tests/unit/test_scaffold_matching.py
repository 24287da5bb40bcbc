"""Matching of statements and the events that a question names, in English and Russian."""

from __future__ import annotations

import pytest
from scaffold_cases import at, corpus_of, matched, packet_of, shown

from memtrial.corpus import Corpus
from memtrial.packet.rendering import Renderer
from memtrial.records import Packet, Question, Session, Slot, Turn
from memtrial.scaffold.events import named
from memtrial.scaffold.evidence import Evidence
from memtrial.scaffold.matching import Matcher, match, question_stems


def test_matching_prefers_rare_shared_words_and_user_statements_only() -> None:
    found, _ = matched(
        "Which dermatologist saw the dog?",
        (at(1, 1), ["I walk my dog. The dog likes rain.", "Dermatologists like dogs."]),
        (at(1, 2), ["A dermatologist came. Dogs again."]),
    )
    assert [m.sentence.text for m in found] == [
        "A dermatologist came.",
        "I walk my dog.",
        "The dog likes rain.",
        "Dogs again.",
    ]
    assert found[0].score > found[1].score == found[2].score


def test_a_speakers_name_alone_is_no_match_but_ranks_the_speaker_first() -> None:
    turns = [
        Turn("t", 0, "user", "Ann", "I paint.", None),
        Turn("t", 1, "assistant", "Bo", "I paint too. Hi Ann!", None),
    ]
    corpus = Corpus([Session("c", 0, "s", "t", at(1, 1))], turns)
    packet = Packet("q", "coverage", [Slot(1, 0, "prefix", "whole", None, 0, 9, 9)], [], "", 0, 0, None, "")
    asked = Question("q", "c", "When did Ann paint?", None, "en", [])
    assert [m.sentence.text for m in match(asked.question, Evidence(corpus).shown(packet, asked))] == [
        "I paint.",
        "I paint too.",
    ]


@pytest.mark.parametrize("chars", range(1, 110))
def test_a_cut_session_is_read_as_far_as_it_is_shown(chars: int) -> None:
    corpus = corpus_of((at(1, 2), ["I paint on May 3.", "Ok.", "Fine.", "Well.", "I paint on May 9."]))
    session = corpus.conversation("c")[0]
    kept = [0, 1, 5]
    body = Renderer(corpus).body(session, "cut", kept, chars)
    slot = Slot(1, 0, "prefix", "cut", kept, 3, len(body), 200)
    asked = Question("q", "c", "When did I paint?", None, "en", [])
    (found,) = Evidence(corpus).shown(packet_of(corpus, [slot], [body]), asked)
    told = [line.removeprefix("user: ") for line in body.split("\n") if line.startswith("user: ")]
    assert [s.text for s in found.indexed.sentences] == [line.strip() for line in told if line]


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("When did I buy the boat?", "I bought it."),
        ("When did I win?", "I have won!"),
        ("Where was the roadtrip?", "The road trip was fine."),
        ("Where was the road trip?", "A roadtrip at last."),
        ("Когда купили лодку?", "Лодка уже здесь."),
    ],
)
def test_forms_of_a_word_match(question: str, statement: str) -> None:
    found, _ = matched(question, (at(1, 1), [f"{statement} It rained."]))
    assert [m.sentence.text for m in found] == [statement]


def test_a_word_that_has_its_own_spelling_is_not_taken_apart() -> None:
    found, _ = matched("Where was the roadtrip?", (at(1, 1), ["A roadtrip at last. The road was a trip."]))
    assert [m.sentence.text for m in found] == ["A roadtrip at last."]


def test_needed_terms_must_be_held() -> None:
    matcher = Matcher(shown((at(1, 1), ["I painted the red boat. The red car is new."])))
    assert len(matcher.best(["red", "car"])) == 2
    assert [m.sentence.text for m in matcher.best(["red", "car"], frozenset({"car"}))] == ["The red car is new."]


def test_words_of_the_question_form_are_no_terms_unless_alone() -> None:
    assert question_stems("What is the order of the six museums, from earliest to latest?") == ["museum"]
    assert question_stems("What happened?") == ["happen"]


@pytest.mark.parametrize(
    ("question", "events"),
    [
        ("How many days passed between my visit to the museum and the concert?", ["museum", "concert"]),
        ("Which came first, the cello lesson or the kayak trip?", ["cello lesson", "kayak trip"]),
        ("How many days had passed since I planted beans when I ate them?", ["plant bean", "eat"]),
        ("What did Ann do after the race?", ["ann", "race"]),
        ("How many days before the wedding did I buy the suit?", ["wed", "buy suit"]),
        ("How many lamps did I buy or sell?", []),
        ("How many months passed between Bo adopting Rex and Tara?", ["bo adopt rex", "bo adopt tara"]),
        ("What is the order of these: the race, the wedding and the move?", ["race", "wed", "move"]),
        ("Who graduated first among Emma, Rachel and Alex?", ["emma", "rachel", "alex"]),
        ("Was the lamp more expensive than the chair?", ["expens", "chair"]),
        ("When did I move?", []),
        ("Сколько дней прошло между отъездом и возвращением?", ["отъезд", "возвращен"]),
        ("Что было раньше: покупка лодки или ремонт крыши?", ["покупк лодк", "ремонт крыш"]),
        ("Сколько недель я бегал, прежде чем купил кроссовки?", ["бега", "куп кроссовк"]),
        ("Когда я купил лодку?", []),
    ],
)
def test_events_of_a_question(question: str, events: list[str]) -> None:
    found = named(question)
    assert [e.number for e in found] == list(range(1, len(events) + 1))
    for event, expected in zip(found, events, strict=True):
        assert set(expected.split()) <= set(event.terms), (event, expected)
