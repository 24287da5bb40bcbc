"""From packet slots to text: what a reader sees is a pure function of the record and the corpus.

A block is a heading of neutral name (`Session 7`, `Passage 2`; the number is the slot, 1-based), a line break and
a body; blocks are joined by one blank line. A body by form:

- `whole`: the session as `Corpus.text` renders it;
- `cut`: the first `chars` characters of that;
- `turns`: its lines `kept_lines`, joined (the date line is line 0 and always among them).

Sizes: `Slot.chars` is the length of the body, `original_chars` that of the whole session, both without heading;
`Packet.chars` is the length of the whole text: bodies, headings and separators.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from memtrial.corpus import Corpus, slot_name
from memtrial.records import Session, Slot, Turn

SEPARATOR = "\n\n"
CACHED_SESSIONS = 4096


def packed_chars(slots: Iterable[Slot]) -> int:
    """Length of the rendered text of slots, without rendering it."""
    sizes = [len(slot_name(s)) + 1 + s.chars for s in slots]
    return sum(sizes) + len(SEPARATOR) * max(0, len(sizes) - 1)


class Renderer:
    """Renders a corpus, each session once as long as it stays among the last `CACHED_SESSIONS` seen."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._lines = lru_cache(maxsize=CACHED_SESSIONS)(corpus.lines)
        self._text = lru_cache(maxsize=CACHED_SESSIONS)(corpus.text)

    def lines(self, session: Session) -> list[tuple[str, Turn | None]]:
        """`Corpus.lines`, cached."""
        return self._lines(session)

    def text(self, session: Session) -> str:
        """`Corpus.text`, cached."""
        return self._text(session)

    def blank(self, session: Session) -> bool:
        """A session that says nothing: its date line is all there is."""
        return "\n" not in self.text(session)

    def body(self, session: Session, form: str, kept_lines: Sequence[int] | None, chars: int) -> str:
        """A slot's text without its heading. Raises `ValueError` for a form that does not exist."""
        if form == "whole":
            return self.text(session)
        if form == "cut":
            return self.text(session)[:chars]
        if form == "turns" and kept_lines is not None:
            lines = self.lines(session)
            return "\n".join(lines[i][0] for i in kept_lines)
        raise ValueError(f"no slot form is called {form!r} with kept lines {kept_lines!r}")

    def render(self, slots: Iterable[Slot], conversation_id: str) -> str:
        """The text of a packet, byte for byte, from its slots and the sessions of their conversation."""
        sessions = self.corpus.conversation(conversation_id)
        return SEPARATOR.join(
            f"{slot_name(s)}\n{self.body(sessions[s.position], s.form, s.kept_lines, s.chars)}" for s in slots
        )
