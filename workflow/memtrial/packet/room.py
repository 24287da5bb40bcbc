"""Room in a packet: how large each block is, what fits, and where a session is cut.

The unit of sizes is characters (four a proxy token), or the tokens of a named tokenizer. Tokens of a text are not the
sum of those of its parts, so layouts plan with a sum over blocks, each counted once; `fitted` counts the whole text
and, where the sum was too low, has the layout plan again with as much less.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from memtrial.packet.budget import Budget, CountTokens, assembled, check
from memtrial.packet.rendering import SEPARATOR, Renderer, heading
from memtrial.records import Dropped, Packet, Question, Session, Slot

Plan = tuple[Sequence[Slot], Sequence[Dropped]]
CACHED_COUNTS = 1 << 16


class Meter:
    """Sizes of what a layout renders, in characters (four a proxy token) or in tokens of a tokenizer."""

    def __init__(
        self, renderer: Renderer, budget: Budget, layout: str, origin: str, count_tokens: CountTokens | None = None
    ) -> None:
        """`origin` of the slots decides what their headings are called."""
        self.renderer, self.budget, self.layout = renderer, budget, layout
        self.count_tokens = count_tokens
        self._sample = Slot(0, 0, origin, "whole", None, 0, 0, 0)
        self._counted = lru_cache(maxsize=CACHED_COUNTS)(self._count_body)
        # All but the last block are followed by a separator; a tokenizer may count that one in or not.
        self._overheads = [0 if count_tokens else -len(SEPARATOR)]

    @property
    def limit(self) -> int | None:
        """The budget in the unit of sizes: ⌈characters / 4⌉ ≤ t exactly if characters ≤ 4 t."""
        if self.budget.max_tokens is None:
            return None
        return self.budget.max_tokens if self.count_tokens else 4 * self.budget.max_tokens

    def size(self, session: Session, slot: Slot) -> int:
        """Size of a slot's body and the separator after it."""
        if not self.count_tokens:
            return slot.chars + len(SEPARATOR)
        kept = None if slot.kept_lines is None else tuple(slot.kept_lines)
        return self._counted(session, slot.form, kept, slot.chars)

    def overhead(self, blocks: int) -> int:
        """Size of all that is no body in a text of so many blocks."""
        while len(self._overheads) <= blocks:
            title = heading(self._sample._replace(slot=len(self._overheads)), self.layout)
            self._overheads.append(self._overheads[-1] + (self.count_tokens or len)(title))
        return self._overheads[blocks] if blocks else 0

    def longest(self, text: str, allowed: int) -> int:
        """The most characters of `text` that, as a body, have at most the size `allowed`; may be < 0."""
        if not self.count_tokens:
            return min(len(text), allowed - len(SEPARATOR))
        count = self.count_tokens
        # A tokenizer's count can fall by a token or two as a text grows; the whole text is counted in the end.
        return bisect_right(range(len(text) + 1), allowed, key=lambda n: count(text[:n] + SEPARATOR)) - 1

    def _count_body(self, session: Session, form: str, kept: tuple[int, ...] | None, chars: int) -> int:
        return (self.count_tokens or len)(self.renderer.body(session, form, kept, chars) + SEPARATOR)


class Room:
    """What a question's packet may hold; `limit` may be lower than the budget's own (null = no limit)."""

    def __init__(self, meter: Meter, question: Question, limit: int | None) -> None:
        self.meter, self.limit = meter, limit
        self._sessions = meter.renderer.corpus.conversation(question.conversation_id)

    def session(self, slot: Slot) -> Session:
        """The session that a slot shows."""
        return self._sessions[slot.position]

    def size(self, slot: Slot) -> int:
        """Size of a slot's body."""
        return self.meter.size(self.session(slot), slot)

    def excess(self, sizes: Sequence[int]) -> int:
        """By how much blocks of these sizes are over the limit; ≤ 0 if they fit."""
        return -1 if self.limit is None else sum(sizes) + self.meter.overhead(len(sizes)) - self.limit

    def over(self, slots: Iterable[Slot]) -> bool:
        """These slots together do not fit."""
        return self.limit is not None and self.excess([self.size(s) for s in slots]) > 0

    def full(self, count: int) -> bool:
        """With so many slots taken none is left."""
        return self.meter.budget.max_sessions is not None and count >= self.meter.budget.max_sessions


def cut(slot: Slot, allowed: int, room: Room, at_line: bool = True) -> Slot | None:
    """Shorten a whole or extracted session to a body of size `allowed`; null if only its date line would stay.

    With `at_line` it is cut at the last line break before the limit, unless that would give up more than half of
    what may stay (a long turn is one line); else at the limit itself.
    """
    session = room.session(slot)
    pieces = room.meter.renderer.pieces(session, slot.kept_lines)
    text = "\n".join(piece for _, piece in pieces)
    date_line, limit = len(pieces[0][1]), room.meter.longest(text, allowed)
    if limit < date_line + 2:
        return None
    line_break = text.rfind("\n", 0, limit + 1)
    if at_line and line_break > date_line and 2 * line_break >= limit:
        limit = line_break
    kept, start, end = [], 0, 0
    for index, piece in pieces:
        if start >= limit:
            break
        if index is not None:
            kept.append(index)
            end = min(limit, start + len(piece))
        start += len(piece) + 1
    elided = len(room.meter.renderer.lines(session)) - len(kept)
    return slot._replace(form="cut", kept_lines=kept, elided_lines=elided, chars=end)


def fitted(question: Question, meter: Meter, plan: Callable[[Room], Plan]) -> Packet:
    """The packet of a layout's plan; where its text has more tokens than planned, that of a plan for a lower limit.

    The limit falls in each round, and a plan for a limit < 0 is empty, so it ends.
    Raises `BudgetError` if the accounting does not add up.
    """
    limit = meter.limit
    while True:
        slots, left_out = plan(Room(meter, question, limit))
        packet = assembled(question, slots, left_out, meter.renderer, meter.layout, meter.count_tokens)
        excess = (packet.tokens or 0) - (meter.budget.max_tokens or 0)
        if limit is None or packet.tokens is None or excess <= 0 or not slots:
            check(packet, meter.budget)
            return packet
        limit -= excess
