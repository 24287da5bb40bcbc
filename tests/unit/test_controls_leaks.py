"""The leak scan: what is planted in our own words is found, what people said and what is computed is not."""

from __future__ import annotations

import pytest

from memtrial.controls.leaks import Secrets, is_telling, leaks, own_of_scaffold
from memtrial.corpus import Corpus
from memtrial.records import Evidence, Gold, Packet, Question, Scaffold, Session, Slot, Turn
from memtrial.text import sha256, tokens

SAID = [
    "My answer_ key says has_answer: Lisbon, see answer_7f.",
    "On Sunday I moved the red car to “Porto”.\nИ ещё я люблю грушевый сок.",
]
SESSIONS = [Session("conv-1", 0, "answer_7f", "t", None), Session("conv-1", 1, "12", "other", None)]
TURNS = [Turn("t", n, "user", "Mira", text, None) for n, text in enumerate(SAID)]
CORPUS = Corpus(SESSIONS, TURNS)
BODY = CORPUS.text(SESSIONS[0])
QUESTION = Question("q-17", "conv-1", "Where does the tall neighbour of Mira live?", None, "en", [])
GOLD = Gold("q-17", ["Lisbon", "in the red car"], "multi-hop", {"scope": "single, atemporal", "category": "2"}, False)
EVIDENCE = [Evidence("q-17", 0, 3, "D1:3", True)]
SAFE = "Evidence index: check each line against its session.\nQuestion date: 2023/05/20 (Sat)\n"


def found(packet_text: str = "", scaffold_text: str = SAFE, gold: Gold = GOLD) -> list[str]:
    """What the scan tells of our question beside two others with harmless scaffolds, without the context."""
    names = ("q-17", "q-18", "q-19")
    slot = Slot(1, 0, "prefix", "whole", None, 0, len(BODY), len(BODY))
    packets = [Packet(n, "coverage", [slot], [], f"Session 1\n{BODY}", 0, 0, None, "") for n in names]
    packets[0] = packets[0]._replace(text=packet_text or packets[0].text)
    scaffolds = [Scaffold(n, [], {}, "", [], SAFE, sha256(SAFE), "") for n in names]
    scaffolds[0] = scaffolds[0]._replace(text=scaffold_text)
    questions = [QUESTION._replace(question_id=n) for n in names]
    told = list(leaks(packets, scaffolds, Secrets(questions, [gold], EVIDENCE), CORPUS))
    assert {f.question_id for f in told} <= {"q-17"}
    return [f"{f.artifact.split('.')[0]}: {f.what.split(' stands')[0]}" for f in told]


def test_what_people_say_is_no_leak() -> None:
    quoted = "- “My answer_ key says has_answer: Lisbon, see answer_7f.”\n- «И ещё я люблю грушевый сок»\n"
    assert found(scaffold_text=SAFE + quoted) == []
    assert found(scaffold_text=SAFE + '- “… key says has_answer: Lisbon…” and “red car to "Porto".”') == []


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ("answer_7f", ["the prefix 'answer_'", "the session id 'answer_7f'"]),
        ("answer_99", ["the prefix 'answer_'"]),
        ("has_answer", ["the word 'has_answer'"]),
        ("q-17", ["the question id 'q-17'"]),
        ("conv-1", ["the conversation id 'conv-1'"]),
        ("D1:3", ["the evidence reference 'D1:3'"]),
        ("Multi-hop", ["the question type 'multi-hop'"]),
        ("single, atemporal", ["the label scope 'single, atemporal'"]),
        ("it is LISBON, then", ["the reference answer 'Lisbon'"]),
        ("in the red car", ["the reference answer 'in the red car'"]),
    ],
)
def test_what_is_planted_in_our_own_words_is_found(planted: str, told: list[str]) -> None:
    assert found(f"Session 1 {planted}\n{BODY}") == [f"packets: {t}" for t in told]
    assert found(f"Session 1\n{BODY}\n[... 3 lines elided ...] {planted}") == [f"packets: {t}" for t in told]
    assert found(scaffold_text=f"{SAFE}- an item: {planted}\n") == [f"scaffolds: {t}" for t in told]


@pytest.mark.parametrize(
    "harmless", ["12", "2", "q-171", "answer", "Lisbons", "multi hops", "lines elided", "answers_"]
)
def test_what_only_looks_like_a_secret_is_none(harmless: str) -> None:
    assert found(scaffold_text=f"{SAFE}- {harmless}\n") == []


def test_a_quotation_that_the_packet_does_not_hold_is_our_own_word() -> None:
    assert found(scaffold_text=f"{SAFE}- “Lisbon is the answer”\n") == ["scaffolds: the reference answer 'Lisbon'"]
    assert found(scaffold_text=f"{SAFE}- “Lisbon, unclosed\n") == ["scaffolds: the reference answer 'Lisbon'"]


def test_words_are_not_joined_across_a_quotation_or_a_line() -> None:
    assert found(scaffold_text=f"{SAFE}- in the “Sunday” red car\nin the\nred car\n") == []


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("2023/05/07", False),  # a date as it is computed
        ("Sunday", False),
        ("two weeks", False),
        ("позавчера", False),
        ("7 May 2023", True),  # a date as it is not
        ("the Sunday before 25 May 2023", True),
        ("8 мая", True),
        ("yes", False),  # too short
        ("3 hives", False),  # a count with its unit
        ("Mira", False),  # a speaker
        ("session", False),  # a heading's word: in the own words of half of the other questions
        ("tall neighbour", False),  # the question says it
        ("hives", True),
        ("3 hives with bees", True),
    ],
)
def test_dates_counts_names_and_headings_are_no_leak_of_a_reference_answer(answer: str, told: bool) -> None:
    own = f"{SAFE}- an item: {answer}\n"
    assert bool(found(scaffold_text=own, gold=GOLD._replace(reference_answers=[answer]))) == told


def test_a_cut_line_counts_as_quoted() -> None:
    cut = BODY[: BODY.index("Lisbon") + 3]
    slot = Slot(1, 0, "prefix", "cut", [0, 1], 2, len(cut), len(BODY))
    packet = Packet("q-17", "coverage", [slot], [], f"Session 1\n{cut}", 0, 0, None, "")
    secrets = Secrets([QUESTION], [GOLD], EVIDENCE)
    assert list(leaks([packet], [], secrets, CORPUS)) == []
    whole = packet._replace(slots=[slot._replace(form="whole")])
    assert "has_answer" in str(list(leaks([whole], [], secrets, CORPUS))), "a whole session shows no half lines"


def test_a_scaffold_of_no_packet_is_told() -> None:
    stray = Scaffold("q-17", [], {}, "", [], "", sha256(""), "no-cue")
    (finding,) = leaks([], [stray], Secrets([QUESTION], [GOLD], []), CORPUS)
    assert (finding.question_id, finding.what) == ("q-17", "a scaffold without a packet")


def test_telling_words_are_counted_without_numbers_times_and_exempt_ones() -> None:
    assert is_telling(tokens("red car"), frozenset())
    assert not is_telling(tokens("red car"), frozenset({"car"}))
    assert not is_telling(tokens("20:56, a day after"), frozenset())
    assert is_telling(tokens("Wednesday, 20:56"), frozenset())
    assert not is_telling([], frozenset())


def test_own_words_keep_all_but_quotations() -> None:
    scaffold = Scaffold("q", [], {}, "", [], "one “moved the red car” two «нет такого» three", "", "")
    own = own_of_scaffold(scaffold, BODY).text
    assert "red car" not in own
    assert all(word in own for word in ("one", "two", "three", "нет такого"))
