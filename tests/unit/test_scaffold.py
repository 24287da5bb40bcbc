"""The scaffold as a whole: when there is one, what it reads of a packet, matching, chronology and layout."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scaffold_cases import EN, at, built, corpus_of, made, matched, packet_of, scaffold, shown, spec

from memtrial.corpus import Corpus
from memtrial.records import Question, Scaffold, Session, Slot, Turn
from memtrial.scaffold import chronology
from memtrial.scaffold.build import VERSIONS, build_scaffolds
from memtrial.scaffold.evidence import Evidence, ScaffoldError
from memtrial.scaffold.layout import Line, Section, lay_out, quote
from memtrial.scaffold.matching import match
from memtrial.text import sha256


@pytest.mark.parametrize(
    ("question", "settings", "absence", "cues"),
    [
        ("What is the name of my dog?", spec(), "no-cue", {}),
        ("When did I move?", spec(enabled=False), "disabled", {"dates": "when did"}),
        ("When did I move?", spec(operators=["counting"]), "no-cue", {"dates": "when did"}),
    ],
)
def test_where_there_is_no_scaffold_the_record_says_why(
    question: str, settings: dict[str, object], absence: str, cues: dict[str, str]
) -> None:
    asked, packet, corpus = made(question, (at(1, 2), ["My dog is Rex. I moved."]))
    assert built(asked, packet, corpus, settings) == Scaffold("q", [], cues, "", [], "", sha256(""), absence)


def test_an_empty_packet_has_no_scaffold() -> None:
    asked, packet, corpus = made("When did I move?", (at(1, 2), ["I moved."]))
    assert built(asked, packet._replace(slots=[]), corpus).absence == "empty-packet"


def test_the_record_says_what_was_used_and_where_it_stands() -> None:
    made_of = scaffold("How many lamps did I buy?", (at(1, 2), ["I bought 3 lamps."]))
    assert made_of.operators == ["chronology", "counting", "matching"]
    assert made_of.version.split() == [f"{o}-{VERSIONS[o]}" for o in made_of.operators]
    assert made_of.cues == {"counting": "how many "} and made_of.absence == ""
    for part in made_of.parts:
        title, *lines = made_of.text[part.start : part.end].split("\n")
        assert title.startswith(EN[part.section].split("{")[0]) and len(lines) == part.shown_lines
    assert [p.section for p in made_of.parts] == ["chronology", "counting", "spread", "quantities", "matching"]


def test_chronology_goes_by_clock_then_slot_and_unknown_times_come_last() -> None:
    sessions = shown((at(3, 2, 20, 56), ["a"]), (at(3, 2, 0, 55), ["b"]), (at(3, 2, 20, 56), ["c"]))
    unknown = sessions[0]._replace(slot=4, name="Session 4", time=None)
    (section,) = chronology.sections([unknown, *sessions], EN)
    assert [line.text for line in section.lines] == [
        "2024/03/02 (Sat) 00:55: Session 2",
        "2024/03/02 (Sat) 20:56: Session 1",
        "2024/03/02 (Sat) 20:56: Session 3",
        "unknown: Session 4",
    ]


def test_matching_prefers_rare_shared_words_and_user_statements_only() -> None:
    found, _ = matched(
        "Which dermatologist saw the dog?",
        (at(1, 1), ["I walk my dog. The dog likes rain.", "Dermatologists like dogs."]),
        (at(1, 2), ["A dermatologist saw me. Dogs again."]),
    )
    assert found[0].sentence.text == "A dermatologist saw me."
    assert "Dermatologists like dogs." not in {m.sentence.text for m in found}


def test_a_speakers_name_alone_is_no_match_but_ranks_the_speaker_first() -> None:
    turns = [
        Turn("t", 0, "user", "Ann", "I paint.", None),
        Turn("t", 1, "assistant", "Bo", "I paint too. Hi Ann!", None),
    ]
    corpus = Corpus([Session("c", 0, "s", "t", at(1, 1))], turns)
    body = corpus.text(corpus.conversation("c")[0])
    asked = Question("q", "c", "When did Ann paint?", at(5, 1), "en", [])
    packet = packet_of(corpus, [Slot(1, 0, "prefix", "whole", None, 0, len(body), len(body))], [body])
    assert [m.sentence.text for m in match(asked.question, Evidence(corpus).shown(packet, asked))] == [
        "I paint.",
        "I paint too.",
    ]


def test_extracted_and_cut_sessions_are_read_as_far_as_they_are_shown() -> None:
    corpus = corpus_of((at(1, 2), ["I paint on May 3.", "Ok.", "I paint on May 9."]))
    lines = corpus.text(corpus.conversation("c")[0]).split("\n")
    extracted, short = f"{lines[0]}\n{lines[3]}", f"{lines[0]}\n{lines[1]}"
    asked = Question("q", "c", "When did I paint?", datetime(2024, 5, 1), "en", [])
    for form, kept, body, day, other in (
        ("extracted", [0, 3], extracted, "May 9", "May 3"),
        ("cut", [0, 1], short, "May 3", "May 9"),
    ):
        slot = Slot(1, 0, "prefix", form, kept, 2, len(body), len("\n".join(lines)))
        text = built(asked, packet_of(corpus, [slot], [body]), corpus).text
        assert day in text and other not in text and "Session 1" in text


def test_scaffolds_come_in_packet_order_and_progress_is_told() -> None:
    asked, packet, corpus = made("When did I move?", (at(1, 2), ["I moved yesterday."]))
    questions = [asked, asked._replace(question_id="p", question="Who?")]
    told: list[tuple[int, int]] = []
    packets = [packet, packet._replace(question_id="p")]
    made_of = list(build_scaffolds(questions, packets, corpus, spec(), lambda *counts: told.append(counts)))
    assert [(s.question_id, bool(s.text)) for s in made_of] == [("q", True), ("p", False)]
    assert made_of[0] == built(asked, packet, corpus)
    assert told == [(1, 2), (2, 2)]


def test_source_ids_do_not_matter_and_are_not_shown() -> None:
    sessions = [(at(1, 2), ["I bought 3 lamps yesterday."]), (at(1, 3), ["I own five lamps now."])]
    question = "How many lamps do I own now?"
    first = built(*made(question, *sessions, prefix="answer"))
    assert first == built(*made(question, *sessions, prefix="zz")) and "answer" not in first.text


def test_faults_of_the_caller_are_named() -> None:
    asked, packet, corpus = made("When did I move?", (at(1, 1), ["a"]))
    with pytest.raises(ValueError, match="no such question"):
        list(build_scaffolds([], [packet], corpus, spec()))
    with pytest.raises(ValueError, match="at least 500"):
        built(asked, packet, corpus, spec(max_tokens=10))


def test_the_budget_cuts_the_least_matching_lines_and_says_how_many() -> None:
    sections = [
        ("a", Section("a", "A", [Line("top " * 100, 9.0), Line("low " * 200, 1.0)])),
        ("b", Section("b", "B", [Line("low " * 200, 1.0), Line("fixed")])),
    ]
    text, parts = lay_out(["head"], sections, 350, EN)
    assert text == (
        f"head\n\nA\n- {'top ' * 100}\n- {'low ' * 200}\n\nB\n- fixed\n(1 more, which match less, are not shown)"
    )
    assert [(p.shown_lines, p.cut_lines) for p in parts] == [(2, 0), (1, 1)]
    with pytest.raises(ScaffoldError, match="over its budget"):
        lay_out(["head" * 1000], [], 350, EN)


@given(st.text(alphabet='a “”«»"', max_size=300))
def test_a_quotation_ends_where_its_mark_is(text: str) -> None:
    quoted = quote(text, EN)
    assert quoted.startswith("“") and quoted.endswith("”") and quoted.count("“") == quoted.count("”") == 1
