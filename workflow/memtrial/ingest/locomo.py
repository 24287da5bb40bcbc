"""LoCoMo (Maharana et al., ACL 2024, arXiv 2402.17753): one row a conversation of two people, with its questions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from memtrial.errors import InputError
from memtrial.ingest.conversation import (
    Layout,
    Shape,
    SourceSession,
    Unit,
    in_clock_order,
    readable,
    session,
    session_findings,
)
from memtrial.ingest.numbered import numbered_sessions, speaker_of, speakers
from memtrial.ingest.row import Row
from memtrial.records import Evidence, Gold, Question
from memtrial.text import language_of

# Number to name as the counts of the paper's table imply (282, 321, 96, 841, 446), not as the paper's text lists them.
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
OFFICIAL_COUNTS = {"multi-hop": 282, "temporal": 321, "open-domain": 96, "single-hop": 841, "adversarial": 446}
_ADVERSARIAL = 5

# `img_url`, `query` and `re-download` are the annotators' tools and must reach no reader; the summaries are derived.
_ROW_FIELDS = ("sample_id", "conversation", "qa", "event_summary", "observation", "session_summary")
_TURN_FIELDS = ("speaker", "dia_id", "text", "blip_caption", "img_url", "query", "re-download")
_QA_FIELDS = ("question", "answer", "evidence", "category", "adversarial_answer")

_DIA_ID = re.compile(r"D([0-9]+):([0-9]+)")
_REFERENCE = re.compile(r"D:?([0-9]+):([0-9]+)")
_SEPARATORS = re.compile(r"[;,\s]+")

DiaId = tuple[int, int]


def parse(row: Row) -> Unit:
    """A conversation and its questions `<sample_id>-q<index>`; adversarial ones are abstentions, maybe without gold.

    Raises `InputError` for a missing or mistyped field, a repeated dialogue id and an unknown category.
    """
    row = row.named(row.text("sample_id"))
    row.unread(_ROW_FIELDS, "")
    conversation_id = str(row.label)
    talk = row.inside("conversation", row.require("conversation", dict, "an object"))
    sessions, names = _sessions(talk)
    placed = in_clock_order(sessions)
    position = {s.number: p for p, s in enumerate(placed)}
    places = {dia: (position[number], index) for dia, (number, index) in names.items()}
    unit = Unit(conversation_id, placed, [], [], [], row.findings)
    row.findings += session_findings(conversation_id, sessions)
    for i, item in enumerate(row.items("qa")):
        _question(row.inside(f"qa[{i}]", item, f"{conversation_id}-q{i:03d}"), unit, places)
    return unit


def _sessions(talk: Row) -> tuple[list[SourceSession], dict[DiaId, tuple[int, int]]]:
    """Sessions in number order, and session number and turn index of each dialogue id."""
    both = speakers(talk)
    sessions, names = [], {}
    for number, key, started_at, turns in numbered_sessions(talk):
        texts = []
        for i, turn in enumerate(turns):
            turn.unread(_TURN_FIELDS, "conversation.session_[]")
            dia = _dia_id(turn)
            if dia in names:
                raise turn.fault("dia_id", f"expected a dialogue id of its own, found {turn.data['dia_id']!r} again")
            names[dia] = (number, i)
            texts.append(("user", speaker_of(turn, both), turn.any_text("text"), turn.optional_text("blip_caption")))
        sessions.append(session(key, started_at, texts, number=number))
    return sessions, names


def _dia_id(turn: Row) -> DiaId:
    found = _DIA_ID.fullmatch(turn.text("dia_id"))
    if not found:
        raise turn.fault("dia_id", f"expected an id like D3:5, found {turn.data['dia_id']!r}")
    return int(found[1]), int(found[2])


def _question(row: Row, unit: Unit, places: dict[DiaId, tuple[int, int]]) -> None:
    """Add a question, its gold and its evidence to the unit."""
    row.unread(_QA_FIELDS, "qa[]")
    question_id = str(row.label)
    category = row.integer("category")
    if category not in CATEGORIES:
        raise row.fault("category", f"expected one of {', '.join(map(str, CATEGORIES))}, found {category}")
    adversarial = category == _ADVERSARIAL
    absent = adversarial and row.data.get("answer") is None
    labels = {"category": str(category)}
    if row.data.get("adversarial_answer") is not None:
        labels["adversarial_answer"] = "; ".join(row.answers("adversarial_answer"))
    text = row.text("question")
    evidence, unreadable = readable(question_id, _evidence(row, question_id, places), unit.sessions)
    unit.questions.append(Question(question_id, unit.conversation_id, text, None, language_of(text), []))
    answers = [] if absent else row.answers("answer")
    unit.gold.append(Gold(question_id, answers, CATEGORIES[category], labels, adversarial))
    unit.evidence.extend(evidence)
    unit.findings.extend(unreadable)


def _evidence(row: Row, question_id: str, places: dict[DiaId, tuple[int, int]]) -> list[Evidence]:
    """Evidence by dialogue id: several ids in a string, zero padding and a stray colon are repaired and noted."""
    evidence: dict[str, Evidence] = {}
    for written in row.texts("evidence"):
        pieces = [p for p in _SEPARATORS.split(written) if p] or [written]
        references = [_reference(piece) for piece in pieces]
        if references != [written] and all(_DIA_ID.fullmatch(r) for r in references):
            row.note("evidence-repaired", question_id, f"'{written}' read as {', '.join(references)}")
        for reference in references:
            found = _DIA_ID.fullmatch(reference)
            place = places.get((int(found[1]), int(found[2]))) if found else None
            if reference in evidence:
                row.note("evidence-repaired", question_id, f"'{reference}' is named twice; counted once")
            position, turn_index = place or (None, None)
            evidence[reference] = Evidence(question_id, position, turn_index, reference, place is not None)
    return list(evidence.values())


def _reference(piece: str) -> str:
    """A dialogue id in its normal spelling; what is not one stays as written."""
    found = _REFERENCE.fullmatch(piece)
    return f"D{int(found[1])}:{int(found[2])}" if found else piece


def variant(shape: Shape) -> str:
    """A file of unregistered content in the official layout."""
    return f"unknown: content not registered, {len(shape.sizes)} conversations in LoCoMo's layout"


def check_official(gold: Sequence[Gold], file: str) -> None:
    """Raises `InputError` if the registered official file does not give the known number of questions a category."""
    counts = Counter(g.question_type for g in gold)
    if counts != OFFICIAL_COUNTS:
        problem = f"expected {_in_words(OFFICIAL_COUNTS)}, found {_in_words(counts)}"
        raise InputError(problem, file=file, field="category")


def _in_words(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {counts.get(name, 0)}" for name in OFFICIAL_COUNTS)


LAYOUTS = {"conversation-qa": Layout(("sample_id", "conversation", "qa"), parse)}
