"""LongMemEval (Wu et al., ICLR 2025, arXiv 2410.10813): one row a question, each with its own haystack of sessions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import median
from typing import Any

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
from memtrial.ingest.row import Row, shown
from memtrial.records import Evidence, Gold, Question
from memtrial.text import language_of

_ROLES = ("user", "assistant")
_TURN_FIELDS = frozenset(("role", "content", "has_answer"))
_FIELDS = (
    "question_id",
    "question_type",
    "question",
    "question_date",
    "answer",
    "answer_session_ids",
    "haystack_dates",
    "haystack_session_ids",
    "haystack_sessions",
)
_S_SESSIONS, _M_SESSIONS = (30, 100), (300, 700)  # S has 38 to 62 sessions a haystack, M about 500


def parse(row: Row) -> Unit:
    """A question with its haystack, which is the conversation of the same id.

    Raises `InputError` for a missing or mistyped field and for parallel lists of unequal length.
    """
    row = row.named(row.text("question_id"))
    row.unread(_FIELDS, "")
    question_id = str(row.label)
    sessions = _sessions(row)
    placed = in_clock_order(sessions)
    question = Question(
        question_id, question_id, row.text("question"), row.time("question_date"), language_of(row.text("question")), []
    )
    gold = Gold(question_id, row.answers("answer"), row.text("question_type"), {}, question_id.endswith("_abs"))
    evidence, unreadable = readable(question_id, _evidence(row, question_id, placed), placed)
    findings = [
        *row.findings,
        *session_findings(question_id, sessions),
        *later_sessions(question, placed),
        *unreadable,
    ]
    return Unit(question_id, placed, [question], [gold], evidence, findings)


def _sessions(row: Row) -> list[SourceSession]:
    dates, haystack = row.items("haystack_dates"), row.items("haystack_sessions")
    ids = row.texts("haystack_session_ids")
    if not len(dates) == len(ids) == len(haystack):
        lengths = f"{len(dates)} dates, {len(ids)} session ids, {len(haystack)} sessions"
        raise row.fault("haystack_sessions", f"expected parallel lists of equal length, found {lengths}")
    sessions = []
    for i, (date, sid, source) in enumerate(zip(dates, ids, haystack, strict=True)):
        turns, flagged = _turns(row, i, source)
        sessions.append(session(sid, row.optional_time(f"haystack_dates[{i}]", date), turns, flagged=flagged))
    return sessions


def _turns(row: Row, index: int, source: Any) -> tuple[list[SourceTurn], list[int]]:
    """Turns of a session and the indices of those flagged as evidence; the quick path, since M has millions."""
    if not isinstance(source, list):
        raise row.fault(f"haystack_sessions[{index}]", f"expected a list of turns, found {shown(source)}")
    turns: list[SourceTurn] = []
    flagged = []
    for i, turn in enumerate(source):
        inner = None if isinstance(turn, dict) and turn.keys() <= _TURN_FIELDS else _inner(row, index, i, turn)
        role, text, flag = turn.get("role"), turn.get("content"), turn.get("has_answer")
        if role not in _ROLES or type(text) is not str or flag not in (None, True, False):
            raise _turn_fault(inner or _inner(row, index, i, turn))
        if flag:
            flagged.append(i)
        turns.append((role, "", text, None))
    return turns, flagged


def _inner(row: Row, index: int, turn_index: int, turn: Any) -> Row:
    inner = row.inside(f"haystack_sessions[{index}][{turn_index}]", turn)
    inner.unread(_TURN_FIELDS, "haystack_sessions[][]")
    return inner


def _turn_fault(turn: Row) -> Exception:
    """Which field of a turn is at fault."""
    role = turn.any_text("role")
    if role not in _ROLES:
        return turn.fault("role", f"expected one of {', '.join(_ROLES)}, found {role!r}")
    turn.any_text("content")
    return turn.fault("has_answer", f"expected true or false, found {shown(turn.data['has_answer'])}")


def _evidence(row: Row, question_id: str, placed: Sequence[SourceSession]) -> list[Evidence]:
    """One row a flagged turn of the answer sessions; a session without flags counts whole.

    Flagged turns of other sessions are noted and do not count.
    """
    places = defaultdict(list)
    for position, s in enumerate(placed):
        places[s.source_session_id].append(position)
    evidence: list[Evidence] = []
    named = row.texts("answer_session_ids")
    for s in placed:
        if s.flagged and s.source_session_id not in named:
            detail = f"'{s.source_session_id}' has turns flagged as evidence and is no answer session; not counted"
            row.note("evidence-unnamed", question_id, detail)
    for sid in dict.fromkeys(named):
        if named.count(sid) > 1:
            row.note("evidence-repaired", question_id, f"'{sid}' is named {named.count(sid)} times; counted once")
        flagged = [p for p in places[sid] if placed[p].flagged]
        chosen = flagged or places[sid]
        if len(places[sid]) > 1:
            detail = f"'{sid}' stands {len(places[sid])} times; taken at positions {chosen}"
            row.note("evidence-repaired", question_id, detail)
        if not chosen:
            evidence.append(Evidence(question_id, None, None, sid, False))
        for p in chosen:
            turns = placed[p].flagged
            evidence += [Evidence(question_id, p, t, f"{sid}#{t}", True) for t in turns]
            evidence += [] if turns else [Evidence(question_id, p, None, sid, True)]
    return evidence


def variant(shape: Shape) -> str:
    """Which published variant a file of unregistered content looks like, and why: never more than a guess by shape."""
    middle = median(shape.sizes) if shape.sizes else 0
    size = f"median {middle:g} sessions a haystack"
    if middle and shape.only_evidence:
        return f"oracle: by shape, every session of every haystack is evidence, {size}"
    named = {"S": _S_SESSIONS, "M": _M_SESSIONS}
    name = next((n for n, (least, most) in named.items() if least <= middle < most), "unknown")
    return f"{name}: by shape, {size}"


LAYOUTS = {"question-haystack": Layout(("question_id", "haystack_sessions"), parse)}
