"""RUMBA (arXiv 2607.21447), in both published forms: one row a question (hub), one row a dialogue (GitHub)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from memtrial.ingest.conversation import (
    Layout,
    Shape,
    SourceSession,
    SourceTurn,
    Unit,
    in_clock_order,
    later_sessions,
    readable,
    session,
    session_findings,
)
from memtrial.ingest.numbered import numbered_sessions, speaker_of, speakers
from memtrial.ingest.row import Row, shown
from memtrial.records import Evidence, Gold, Question
from memtrial.text import language_of

_ABSTENTIONS = ("no such information.", "нет такой информации.")
_ROLES = ("user", "assistant")
_CATEGORY_PARTS = ("semantic_type", "scope", "temporality")
_OPTIONAL_LABELS = ("subcategory", "subsubcategory", "text_temporal_expression")
_HUB_FIELDS = (
    "id",
    "conversation_idx",
    "user_id",
    "question",
    "answer",
    "category",
    *_OPTIONAL_LABELS,
    "evidence",
    "question_date",
    "conversation",
)


def parse_hub(row: Row) -> Unit:
    """A question with the conversation it is asked about; the conversation's id is `<conversation_idx>-<user_id>`."""
    row = row.named(row.text("id"))
    row.unread(_HUB_FIELDS, "")
    question_id = str(row.label)
    conversation_id = f"{row.integer('conversation_idx')}-{row.text('user_id')}"
    sessions = _hub_sessions(row)
    placed = in_clock_order(sessions)
    text = row.text("question")
    question = Question(question_id, conversation_id, text, row.time("question_date"), language_of(text), [])
    named = _hub_evidence(row, question_id, {s.number: p for p, s in enumerate(placed)})
    evidence, unreadable = readable(question_id, named, placed)
    gold = _gold(row, question_id)
    findings = [
        *row.findings,
        *session_findings(conversation_id, sessions),
        *later_sessions(question, placed),
        *unreadable,
    ]
    return Unit(conversation_id, placed, [question], [gold], evidence, findings)


def _hub_sessions(row: Row) -> list[SourceSession]:
    """Sessions in order of `session_idx`."""
    sessions: dict[int, SourceSession] = {}
    for i, source in enumerate(row.items("conversation")):
        part = row.inside(f"conversation[{i}]", source)
        part.unread(("session_idx", "session_datetime", "conversation"), "conversation[]")
        number = part.integer("session_idx")
        if number in sessions:
            raise part.fault("session_idx", f"expected a number of its own, found {number} again")
        started_at = part.optional_time("session_datetime", part.data.get("session_datetime"))
        turns = [_hub_turn(part.inside(f".conversation[{t}]", v)) for t, v in enumerate(part.items("conversation"))]
        sessions[number] = session(str(number), started_at, turns, number=number)
    return [sessions[number] for number in sorted(sessions)]


def _hub_turn(turn: Row) -> SourceTurn:
    turn.unread(("role", "message"), "conversation[].conversation[]")
    role = turn.any_text("role")
    if role not in _ROLES:
        raise turn.fault("role", f"expected one of {', '.join(_ROLES)}, found {role!r}")
    return role, "", turn.any_text("message"), None


def _hub_evidence(row: Row, question_id: str, position: dict[int, int]) -> list[Evidence]:
    """Whole sessions, by their (1-based) `session_idx`."""
    named = row.items("evidence")
    evidence = []
    for i, number in enumerate(named):
        if not isinstance(number, int) or isinstance(number, bool):
            raise row.fault(f"evidence[{i}]", f"expected a session_idx, found {shown(number)}")
        if number in named[:i]:
            row.note("evidence-repaired", question_id, f"session {number} is named twice; counted once")
        else:
            evidence.append(Evidence(question_id, position.get(number), None, str(number), number in position))
    return evidence


def _gold(row: Row, question_id: str) -> Gold:
    category = row.text("category")
    parts = [part.strip() for part in category.split(",")]
    labels = dict(zip(_CATEGORY_PARTS, parts, strict=True)) if len(parts) == len(_CATEGORY_PARTS) else {}
    labels |= {field: value for field in _OPTIONAL_LABELS if (value := row.optional_text(field)) is not None}
    answers = row.answers("answer")
    abstention = any(answer.strip().casefold() in _ABSTENTIONS for answer in answers)
    return Gold(question_id, answers, category, labels, abstention)


def parse_github(row: Row) -> Unit:
    """A dialogue and its questions `<dialogue_id>-q<index>`; `speaker_a` is the user. There are no question dates."""
    dialogue = row.require("dialogue_id", (str, int), "text or an integer")
    row = row.named(str(dialogue))
    row.unread(("dialogue_id", "conversation", "qa"), "")
    conversation_id = str(row.label)
    talk = row.inside("conversation", row.require("conversation", dict, "an object"))
    both = speakers(talk)
    sessions = []
    for number, key, started_at, turns in numbered_sessions(talk):
        sessions.append(session(key, started_at, [_github_turn(turn, both) for turn in turns], number=number))
    placed = in_clock_order(sessions)
    unit = Unit(conversation_id, placed, [], [], [], row.findings)
    places = _places(placed)
    row.findings += session_findings(conversation_id, sessions)
    for i, item in enumerate(row.items("qa")):
        _github_question(row.inside(f"qa[{i}]", item, f"{conversation_id}-q{i:03d}"), unit, places)
    return unit


def _github_turn(turn: Row, both: tuple[str, str]) -> SourceTurn:
    turn.unread(("speaker", "text"), "conversation.session_[]")
    return _ROLES[both.index(speaker_of(turn, both))], "", turn.any_text("text"), None


def _github_question(row: Row, unit: Unit, places: dict[str, list[tuple[int, int]]]) -> None:
    """Add a question, its gold and its evidence to the unit."""
    row.unread(("question", "answer", "evidence", "category", *_OPTIONAL_LABELS), "qa[]")
    question_id = str(row.label)
    text = row.text("question")
    evidence, unreadable = readable(question_id, _github_evidence(row, question_id, places), unit.sessions)
    unit.questions.append(Question(question_id, unit.conversation_id, text, None, language_of(text), []))
    unit.gold.append(_gold(row, question_id))
    unit.evidence.extend(evidence)
    unit.findings.extend(unreadable)


def _folded(text: str) -> str:
    return " ".join(text.split())


def _places(placed: Sequence[SourceSession]) -> dict[str, list[tuple[int, int]]]:
    """Position and turn index of each text, white space folded."""
    places = defaultdict(list)
    for position, s in enumerate(placed):
        for index, (_, _, text, _) in enumerate(s.turns):
            places[_folded(text)].append((position, index))
    return places


def _github_evidence(row: Row, question_id: str, places: dict[str, list[tuple[int, int]]]) -> list[Evidence]:
    """Turns, found by their text after white-space folding; a text that stands in several turns means them all."""
    evidence: dict[str, list[Evidence]] = {}
    for i, item in enumerate(row.items("evidence")):
        part = row.inside(f".evidence[{i}]", item)
        part.unread(("content",), "qa[].evidence[]")
        content = _folded(part.text("content"))
        found = places.get(content, [])
        if content in evidence:
            row.note("evidence-repaired", question_id, f"'{content}' is named twice; counted once")
        elif len(found) > 1:
            row.note("evidence-ambiguous", question_id, f"'{content}' stands in {len(found)} turns; all are counted")
        evidence[content] = [Evidence(question_id, p, t, content, True) for p, t in found] or [
            Evidence(question_id, None, None, content, False)
        ]
    return [e for rows in evidence.values() for e in rows]


def variant(shape: Shape) -> str:
    """Which published form a file has."""
    return f"{shape.layout}: by the fields of its rows, {len(shape.sizes)} conversations"


LAYOUTS = {
    "hub": Layout(("id", "conversation_idx", "conversation", "question"), parse_hub),
    "github": Layout(("dialogue_id", "conversation", "qa"), parse_github),
}
