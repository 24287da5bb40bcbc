"""A benchmark's conversations in memory, and the one way in which sessions, turns, days and slots become text.

All stages render through here, so that what is embedded, packed, indexed and read is the same text.
A session renders as a first line `date: 2023/05/20 (Sat) 02:21`, then one entry a non-blank turn,
`<speaker>: <text> [caption]`. A turn's own line breaks make further lines of the rendered session.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime

from memtrial.records import Question, Session, Slot, Turn

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def day_text(day: date) -> str:
    """A day as shown: `2023/05/20 (Sat)`."""
    return f"{day.year:04}/{day:%m/%d} ({_WEEKDAYS[day.weekday()]})"


def date_text(time: datetime | None) -> str:
    """A timestamp as shown to embedder and reader: `2023/05/20 (Sat) 02:21`; a missing one is `unknown`."""
    return f"{day_text(time)} {time:%H:%M}" if time else "unknown"


def slot_name(slot: Slot) -> str:
    """Neutral name of a packet slot: says what it is and where it stands, and nothing about its source."""
    return f"{'Passage' if slot.origin == 'passage' else 'Session'} {slot.slot}"


def turn_body(turn: Turn) -> str:
    """A turn's text and image caption, stripped; empty for a blank turn."""
    caption = (turn.caption or "").strip()
    return f"{turn.text.strip()} [{caption}]".strip() if caption else turn.text.strip()


def turn_text(turn: Turn) -> str:
    """A turn as shown: `<speaker or role>: <text> [caption]`."""
    return f"{turn.speaker or turn.role}: {turn_body(turn)}"


def is_person(turn: Turn) -> bool:
    """A turn of a user, or of either of two named speakers; not of an assistant."""
    return turn.role != "assistant" or turn.speaker.casefold() not in ("", "assistant")


class Corpus:
    """Sessions and turns of a benchmark, by conversation and content.

    Sessions of a conversation are in `position` order (clock order); turns in `turn_index` order, blank ones included.
    """

    def __init__(self, sessions: Iterable[Session], turns: Iterable[Turn], future_sessions: str = "keep") -> None:
        """`future_sessions`: `keep`, or `drop` those dated after a question's own time (see `visible`)."""
        if future_sessions not in ("keep", "drop"):
            raise ValueError(f"future_sessions is keep or drop, not {future_sessions!r}")
        self.future_sessions = future_sessions
        self._conversations: dict[str, list[Session]] = defaultdict(list)
        for session in sorted(sessions, key=lambda s: (s.conversation_id, s.position)):
            self._conversations[session.conversation_id].append(session)
        self._turns: dict[str, list[Turn]] = defaultdict(list)
        for turn in sorted(turns, key=lambda t: (t.content_id, t.turn_index)):
            self._turns[turn.content_id].append(turn)

    def conversation(self, conversation_id: str) -> list[Session]:
        """All sessions of a conversation, none for an empty history; `sessions[i].position == i`."""
        return self._conversations.get(conversation_id, [])

    def turns(self, session: Session) -> list[Turn]:
        """A session's turns, blank ones included; empty for a blank session."""
        return self._turns.get(session.content_id, [])

    def visible(self, question: Question) -> list[Session]:
        """The sessions that existed when the question was asked (all, if the benchmark keeps later ones)."""
        sessions = self.conversation(question.conversation_id)
        if self.future_sessions == "keep" or question.asked_at is None:
            return sessions
        return [s for s in sessions if s.started_at is None or s.started_at <= question.asked_at]

    def lines(self, session: Session) -> list[tuple[str, Turn | None]]:
        """The rendered session line by line, each with its turn (None for the date line)."""
        rendered: list[tuple[str, Turn | None]] = [(f"date: {date_text(session.started_at)}", None)]
        for turn in self.turns(session):
            if turn_body(turn):
                rendered += [(line, turn) for line in turn_text(turn).split("\n")]
        return rendered

    def text(self, session: Session) -> str:
        """The rendered session, whole."""
        return "\n".join(line for line, _ in self.lines(session))
