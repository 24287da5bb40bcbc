"""The accounting control: right accounts pass, each kind of wrong one is told."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from memtrial.controls.accounts import accounting, scaffold_faults
from memtrial.controls.findings import Finding
from memtrial.corpus import Corpus
from memtrial.records import Packet, Part, Question, Scaffold, Session, Slot, Turn
from memtrial.text import proxy_tokens, sha256

SAID = [
    ("user", "I keep bees."),
    ("assistant", "How many hives?\nAnd where?"),
    ("user", "Two."),
    ("assistant", "Good."),
]
SESSIONS = [Session("c", n, f"s{n}", f"text{n}", datetime(2024, 5, n + 1, 9, 30)) for n in range(2)]
CORPUS = Corpus(
    SESSIONS, [Turn(s.content_id, n, role, "", t, None) for s in SESSIONS for n, (role, t) in enumerate(SAID)]
)
LINES = [line for line, _ in CORPUS.lines(SESSIONS[0])]
WHOLE = len("\n".join(LINES))
QUESTION = Question("q", "c", "How many hives?", None, "en", [])
SPEC = {"packet": {"max_sessions": 2, "max_tokens": 90, "tokenizer": None}, "scaffold": {"max_tokens": 30}}

EXTRACTED = "\n".join([LINES[0], "[... 1 lines elided ...]", LINES[2], "[... 1 lines elided ...]", LINES[4]])
SLOTS = {
    "whole": (Slot(1, 0, "prefix", "whole", None, 0, WHOLE, WHOLE), "\n".join(LINES)),
    "extracted": (Slot(1, 0, "extension", "extracted", [0, 2, 4], 3, len(EXTRACTED), WHOLE), EXTRACTED),
    "cut": (Slot(1, 0, "prefix", "cut", [0, 2], 4, 58, WHOLE), EXTRACTED[:58]),
    "turns": (Slot(1, 0, "passage", "turns", [0, 1], 4, 47, WHOLE), "\n".join(LINES[:2])),
}


def packet(slots: list[Slot], text: str, layout: str = "coverage", tokens: int | None = None) -> Packet:
    return Packet("q", layout, slots, [], text, len(text), proxy_tokens(len(text)), tokens, sha256(text))


def faults(made: Packet, **settings: Any) -> list[str]:
    spec = {**SPEC, "packet": {**SPEC["packet"], **settings}}
    return [f.what for f in accounting([QUESTION], [made], [], CORPUS, spec)]


def good() -> Packet:
    slot, body = SLOTS["whole"]
    return packet([slot, slot._replace(slot=2, position=1)], "Session 1\n{}\n\nSession 2\n{}".format(
        body, body.replace("2024/05/01 (Wed)", "2024/05/02 (Thu)")))  # fmt: skip


@pytest.mark.parametrize("form", SLOTS)
def test_a_text_that_follows_from_record_and_corpus_passes_in_every_form(form: str) -> None:
    slot, body = SLOTS[form]
    heading = "Passage 1" if form == "turns" else "Session 1"
    assert faults(packet([slot], f"{heading}\n{body}")) == []
    assert faults(packet([slot], body, "archivist")) == [], "their layout has no headings"
    assert faults(packet([slot], body)) != [], "ours has"
    assert faults(packet([slot], f"{heading}\n{body}!"))[0].startswith("text rebuilt from record and corpus ")


def test_several_slots_are_parted_by_a_blank_line() -> None:
    assert faults(good()) == []
    run_on = good().text.replace("\n\n", "\n")
    (told,) = faults(packet(good().slots, run_on))
    assert "rebuilt from record and corpus differs" in told


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"chars": 5}, "the record says 5 characters, the text has {chars}"),
        ({"proxy_tokens": 5}, "the record says 5 proxy tokens, the text has {proxy_tokens}"),
        ({"sha256": "0"}, "sha256 is not that of the text"),
    ],
)
def test_wrong_accounts_are_told(wrong: dict[str, Any], told: str) -> None:
    made = good()
    assert faults(made._replace(**wrong)) == [told.format(**made._asdict())]


@pytest.mark.parametrize(
    ("slot", "told"),
    [
        ({"slot": 7}, "the slots are not numbered 1, 2, 3, …"),
        ({"position": 9}, "slot 1: there is no session at position 9"),
        ({"original_chars": 1}, f"slot 1: the record says 1 characters, the session has {WHOLE}"),
        ({"elided_lines": 1}, "slot 1: the record says 1 lines elided, there are 0"),
        ({"chars": 1}, f"slot 1: the record says 1 characters shown, whole gives {WHOLE}"),
        ({"kept_lines": [1, 0]}, "slot 1: kept_lines are no ascending line indices of a session of 6 lines"),
        ({"kept_lines": [0, 6]}, "slot 1: kept_lines are no ascending line indices of a session of 6 lines"),
    ],
)
def test_a_wrong_slot_is_told(slot: dict[str, Any], told: str) -> None:
    made = good()
    assert told in faults(made._replace(slots=[made.slots[0]._replace(**slot), made.slots[1]]))


def test_a_packet_over_its_budget_is_told_in_the_unit_of_the_budget() -> None:
    made = good()
    size = made.proxy_tokens
    assert faults(made, max_tokens=size) == []
    assert faults(made, max_tokens=size - 1) == [f"{size} tokens are over the budget of {size - 1}"]
    assert faults(made, max_tokens=None) == []
    assert faults(made, max_sessions=1) == ["2 slots are over the budget of 1"]
    assert faults(made._replace(tokens=31), tokenizer="t", max_tokens=31) == []
    assert faults(made._replace(tokens=32), tokenizer="t", max_tokens=31) == ["32 tokens are over the budget of 31"]
    assert faults(made, tokenizer="t") == ["the budget is in tokens of t, the record has none"]
    plain_rag = {"packet": {"top_k": 1, "max_tokens": None}, "scaffold": {}}
    assert [f.what for f in accounting([QUESTION], [made], [], CORPUS, plain_rag)] == [
        "2 slots are over the budget of 1"
    ]


def test_questions_and_packets_belong_together() -> None:
    other = Question("other", "c", "?", None, "en", [])
    found = list(accounting([other], [good()], [], CORPUS, SPEC))
    assert found == [
        Finding("packets.parquet", "q", "a packet without a question"),
        Finding("packets.parquet", "other", "a question without a packet"),
    ]


TEXT = "Header\n\nDates: 1\n- a line"
FULL = Scaffold("q", ["dates"], {}, "dates-1", [Part("dates", "dates", 8, len(TEXT), 1, 0)], TEXT, sha256(TEXT), "")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"sha256": "0"}, "sha256 is not that of the text"),
        ({"absence": "no-cue"}, "the absence is 'no-cue' and the text has 25 characters"),
        ({"operators": []}, "a part is of an operator that the record does not name"),
        ({"parts": [Part("dates", "dates", 8, 99, 1, 0)]}, "its parts overlap or stand outside of the text"),
        ({"parts": [FULL.parts[0]] * 2}, "its parts overlap or stand outside of the text"),
        ({"parts": [Part("dates", "dates", 8, len(TEXT), 3, 0)]}, "part dates shows fewer than 3 lines"),
    ],
)
def test_a_wrong_scaffold_is_told(wrong: dict[str, Any], told: str) -> None:
    assert scaffold_faults(FULL, SPEC["scaffold"]) == []
    assert scaffold_faults(FULL._replace(**wrong), SPEC["scaffold"]) == [told]


def test_a_scaffold_over_budget_is_told_and_an_absent_one_has_a_reason() -> None:
    assert scaffold_faults(FULL, {"max_tokens": 7}) == []
    assert scaffold_faults(FULL, {"max_tokens": 6}) == ["7 proxy tokens are over the budget of 6"]
    absent = FULL._replace(text="", sha256=sha256(""), parts=[], operators=[], absence="no-cue")
    assert scaffold_faults(absent, {"max_tokens": 6}) == []
    assert scaffold_faults(absent._replace(absence=""), {"max_tokens": 6}) != []
    found = accounting([QUESTION], [good()], [FULL._replace(sha256="0")], CORPUS, SPEC)
    assert [(f.artifact, f.question_id) for f in found] == [("scaffolds.parquet", "q")]
