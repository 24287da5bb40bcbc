"""Conversations whose sessions are keys `session_<k>` beside `session_<k>_date_time` (LoCoMo, RUMBA on GitHub)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from memtrial.ingest.row import Row, shown

_KEY = re.compile(r"session_([0-9]+)(_date_time)?")
_SPEAKERS = ("speaker_a", "speaker_b")


class Numbered(NamedTuple):
    """A session of such a conversation: its number, key, time and turns, each turn with its place."""

    number: int
    key: str
    started_at: datetime | None
    turns: list[Row]


def numbered_sessions(talk: Row) -> list[Numbered]:
    """The sessions in order of their number (as text, 10 would precede 2).

    A date without a session is noted as `missing-session`, a session without a date has no time.
    """
    keys: dict[int, str] = {}
    dates: dict[int, str] = {}
    for key in talk.data:
        if found := _KEY.fullmatch(key):
            kind, number = (dates if found[2] else keys), int(found[1])
            if number in kind:
                raise talk.fault(key, f"expected one session {number}, found also '{kind[number]}'")
            kind[number] = key
    talk.unread([*keys.values(), *dates.values(), *_SPEAKERS], "conversation")
    for number in sorted(dates.keys() - keys.keys()):
        detail = f"{dates[number]} {shown(talk.data[dates[number]])} without session_{number}"
        talk.note("missing-session", f"{talk.label}/session_{number}", detail)
    return [Numbered(n, keys[n], _time(talk, dates.get(n)), _turns(talk, keys[n])) for n in sorted(keys)]


def _time(talk: Row, field: str | None) -> datetime | None:
    return talk.optional_time(field, talk.data[field]) if field else None


def _turns(talk: Row, key: str) -> list[Row]:
    return [talk.inside(f".{key}[{i}]", turn) for i, turn in enumerate(talk.items(key))]


def speakers(talk: Row) -> tuple[str, str]:
    """The names of the two speakers."""
    a, b = (talk.text(field) for field in _SPEAKERS)
    return a, b


def speaker_of(turn: Row, names: tuple[str, str]) -> str:
    """The turn's speaker, who must be one of the two."""
    name = turn.text("speaker")
    if name not in names:
        raise turn.fault("speaker", f"expected one of {', '.join(names)}, found {name!r}")
    return name
