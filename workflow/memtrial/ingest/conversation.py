"""What all formats share: a session with its content address, its place in clock order, and what is odd about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from memtrial.ingest.row import Row
from memtrial.records import Evidence, Gold, Quality, Question
from memtrial.text import canonical, sha256

SourceTurn = tuple[str, str, str, str | None]  # role, speaker, text, caption: what a content id is made from


class SourceSession(NamedTuple):
    """A session of a source file.

    `number` is the source's own session number (0 where it has none); `flagged` and `blank` are turn indices;
    `body` is the canonical JSON of the turns and `content_id` its SHA-256.
    """

    source_session_id: str
    started_at: datetime | None
    number: int
    turns: Sequence[SourceTurn]
    flagged: tuple[int, ...]
    blank: tuple[int, ...]
    body: bytes
    content_id: str


class Unit(NamedTuple):
    """What one row of a source file gives; `sessions[i]` has position i."""

    conversation_id: str
    sessions: list[SourceSession]
    questions: list[Question]
    gold: list[Gold]
    evidence: list[Evidence]
    findings: list[Quality]


class Shape(NamedTuple):
    """What a whole file looks like: its layout, sessions a conversation, and whether all of them are evidence."""

    layout: str
    sizes: list[int]
    only_evidence: bool


class Layout(NamedTuple):
    """A published form of a format: the fields by which a row is recognised, and the parser of a row."""

    fields: tuple[str, ...]
    parse: Callable[[Row], Unit]


def session(
    source_session_id: str,
    started_at: datetime | None,
    turns: Sequence[SourceTurn],
    *,
    number: int = 0,
    flagged: Sequence[int] = (),
) -> SourceSession:
    """A session with its content id: SHA-256 of the canonical JSON of its turns (date and ids left out)."""
    body = canonical(turns).encode()
    blank = tuple(i for i, (_, _, text, caption) in enumerate(turns) if not (text.strip() or (caption or "").strip()))
    return SourceSession(source_session_id, started_at, number, turns, tuple(flagged), blank, body, sha256(body))


def in_clock_order(sessions: Sequence[SourceSession]) -> list[SourceSession]:
    """Sessions by clock time, so that their order in the source cannot matter.

    Ties: (session number, content id, source id, flagged turns). If any time is missing, by session number alone,
    which for unnumbered sessions keeps the order of the source.
    """
    if any(s.started_at is None for s in sessions):
        return sorted(sessions, key=lambda s: s.number)
    return sorted(
        sessions, key=lambda s: (s.started_at or datetime.min, s.number, s.content_id, s.source_session_id, s.flagged)
    )


def session_findings(conversation_id: str, sessions: Sequence[SourceSession]) -> list[Quality]:
    """Findings on the sessions of a conversation, which are given in the order of the source."""
    times = [s.started_at for s in sessions if s.started_at]
    backwards = sum(b < a for a, b in pairwise(times))
    found = []
    if backwards:
        detail = f"{backwards} of {len(times)} sessions precede the one before"
        found.append(Quality("unsorted-haystack", conversation_id, detail))
    if missing := len(sessions) - len(times):
        detail = f"{missing} of {len(sessions)} sessions have no time; all stand in the order of the source"
        found.append(Quality("missing-time", conversation_id, detail))
    counts = Counter(s.source_session_id for s in sessions)
    for sid, count in counts.items():
        if count > 1:
            at = ", ".join(sorted(str(s.started_at) for s in sessions if s.source_session_id == sid))
            found.append(Quality("repeated-session-id", f"{conversation_id}/{sid}", f"{count} sessions, at {at}"))
    for s in sessions:
        where = f"{conversation_id}/{s.source_session_id}"
        if len(s.blank) == len(s.turns):
            found.append(Quality("blank-session", where, f"{len(s.turns)} turns, all blank; started {s.started_at}"))
        detail = f"no text and no caption; started {s.started_at}"
        found += [Quality("blank-turn", f"{where}#{i}", detail) for i in s.blank]
    return found


def later_sessions(question: Question, sessions: Sequence[SourceSession]) -> list[Quality]:
    """A finding if sessions are dated after the question's own clock time."""
    asked = question.asked_at
    later = sum(s.started_at > asked for s in sessions if s.started_at) if asked else 0
    if not later:
        return []
    detail = f"{later} of {len(sessions)} sessions are later than {asked}"
    return [Quality("session-after-question", question.question_id, detail)]


def readable(
    question_id: str, evidence: Sequence[Evidence], placed: Sequence[SourceSession]
) -> tuple[list[Evidence], list[Quality]]:
    """Evidence as it can be found, and findings on what points nowhere or at nothing; `placed[i]` has position i.

    For a blank turn its session counts whole; a blank session is unresolved.
    """
    if not evidence:
        return [], [Quality("no-evidence", question_id, "the source names no evidence")]
    kept, findings = [], []
    for e in evidence:
        found = placed[e.position] if e.position is not None else None
        if found is None:
            detail = f"'{e.source_reference}' is not in the conversation"
            findings.append(Quality("evidence-unresolved", question_id, detail))
        elif len(found.blank) == len(found.turns):
            findings.append(
                Quality("evidence-unresolved", question_id, f"'{e.source_reference}' is in a blank session")
            )
            e = e._replace(position=None, turn_index=None, resolved=False)
        elif e.turn_index in found.blank:
            detail = f"'{e.source_reference}' is a blank turn; its session counts whole"
            findings.append(Quality("evidence-repaired", question_id, detail))
            e = e._replace(turn_index=None)
        kept.append(e)
    return list(dict.fromkeys(kept)), findings
