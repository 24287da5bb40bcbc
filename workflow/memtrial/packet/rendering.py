"""From packet slots to text: what a reader sees is a pure function of the record and the corpus.

A block is a heading of neutral name (`Session 7`, `Passage 2`; the number is the slot, 1-based), a line break and
a body; blocks are joined by one blank line. The layout `archivist` has no headings. A body by form:

- `whole`: the session as `Corpus.text` renders it;
- `extracted`: its lines `kept_lines`, with a line `[... N lines elided ...]` for each gap between them;
- `cut`: the first `chars` characters of what `extracted` would give;
- `turns`: its lines `kept_lines`, joined (the date line is line 0 and always among them).

Sizes: `Slot.chars` is the length of the body, `original_chars` that of the whole session, both without heading;
`Packet.chars` is the length of the whole text: bodies, headings and separators.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from memtrial.corpus import Corpus, slot_name
from memtrial.records import Packet, Session, Slot, Turn

SEPARATOR = "\n\n"
HEADLESS = ("archivist",)
CACHED_SESSIONS = 4096
Lines = Sequence[tuple[str, Turn | None]]


def heading(slot: Slot, layout: str) -> str:
    """What stands before a slot's body, with its line break; empty in a layout without headings."""
    return "" if layout in HEADLESS else f"{slot_name(slot)}\n"


def elision(count: int) -> str:
    """The line that stands for `count` lines left out."""
    return f"[... {count} lines elided ...]"


def excerpt(lines: Lines, kept: Sequence[int]) -> list[tuple[int | None, str]]:
    """The kept lines with their indices, and between them the elision lines (index null); `kept` ascends."""
    pieces: list[tuple[int | None, str]] = []
    for before, index in zip([-1, *kept], kept, strict=False):
        if index > before + 1:
            pieces.append((None, elision(index - before - 1)))
        pieces.append((index, lines[index][0]))
    return pieces


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

    def whole(self, session: Session, origin: str) -> Slot:
        """A session as an unnumbered slot that shows all of it."""
        size = len(self.text(session))
        return Slot(0, session.position, origin, "whole", None, 0, size, size)

    def pieces(self, session: Session, kept_lines: Sequence[int] | None) -> list[tuple[int | None, str]]:
        """A session's lines as an excerpt; null kept lines are all."""
        lines = self.lines(session)
        return excerpt(lines, range(len(lines)) if kept_lines is None else kept_lines)

    def body(self, session: Session, form: str, kept_lines: Sequence[int] | None, chars: int) -> str:
        """A slot's text without its heading. Raises `ValueError` for a form that does not exist."""
        if form == "whole":
            return self.text(session)
        if kept_lines is not None and form in ("extracted", "cut"):
            text = "\n".join(piece for _, piece in self.pieces(session, kept_lines))
            return text[:chars] if form == "cut" else text
        if kept_lines is not None and form == "turns":
            lines = self.lines(session)
            return "\n".join(lines[i][0] for i in kept_lines)
        raise ValueError(f"no slot form is called {form!r} with kept lines {kept_lines!r}")

    def render(self, slots: Iterable[Slot], conversation_id: str, layout: str) -> str:
        """The text of numbered slots from the sessions of their conversation."""
        sessions = self.corpus.conversation(conversation_id)
        return SEPARATOR.join(
            heading(s, layout) + self.body(sessions[s.position], s.form, s.kept_lines, s.chars) for s in slots
        )

    def rebuilt(self, packet: Packet, conversation_id: str) -> str:
        """A packet's text, byte for byte, from its record alone (its `text` is not looked at) and the corpus."""
        return self.render(packet.slots, conversation_id, packet.layout)
