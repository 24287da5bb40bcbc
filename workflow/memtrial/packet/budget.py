"""The packet budget: how much fits, where a session is cut, and the accounting that every packet must pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memtrial.packet.rendering import Renderer, packed_chars
from memtrial.records import Dropped, Packet, Question, Slot
from memtrial.text import proxy_tokens, sha256


class BudgetError(AssertionError):
    """A packet whose record and text disagree, or that is over budget: a fault of the compiler, never of the input."""


class Budget(NamedTuple):
    """Limits of a packet: slots, and proxy tokens of its whole text; null = no limit."""

    max_sessions: int | None
    max_tokens: int | None

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Budget:
        """The budget of a system's `packet` settings; an absent limit is none."""
        return cls(settings.get("max_sessions"), settings.get("max_tokens"))

    def excess(self, slots: Sequence[Slot]) -> int:
        """By how many characters the rendered slots are over budget; ≤ 0 if they fit."""
        # ⌈chars / 4⌉ ≤ max_tokens exactly if chars ≤ 4 · max_tokens.
        return -1 if self.max_tokens is None else packed_chars(slots) - 4 * self.max_tokens

    def full(self, slots: Sequence[Slot]) -> bool:
        """No slot is left."""
        return self.max_sessions is not None and len(slots) >= self.max_sessions


def cut(slot: Slot, excess: int, renderer: Renderer, question: Question) -> Slot | None:
    """Shorten a whole session by at least `excess` characters; null if nothing but its date line would stay.

    It is cut at the last line break before the limit, unless that would give up more than half of what may stay
    (a long turn is one line): then at the limit itself.
    """
    text = renderer.text(renderer.corpus.conversation(question.conversation_id)[slot.position])
    date_line = text.index("\n")
    limit = len(text) - excess
    if limit < date_line + 2:
        return None
    line_break = text.rfind("\n", 0, limit + 1)
    kept = line_break if line_break > date_line and 2 * line_break >= limit else limit
    return slot._replace(form="cut", chars=kept, kept_lines=list(range(text.count("\n", 0, kept) + 1)))


def dropped(slot: Slot, rank: int, reason: str) -> Dropped:
    """A slot that did not make it, as it is recorded."""
    return Dropped(slot.position, rank, slot.chars, reason)


def numbered(slots: Sequence[Slot]) -> list[Slot]:
    """Slots numbered 1.. in the order given."""
    return [slot._replace(slot=n) for n, slot in enumerate(slots, 1)]


def seal(
    question: Question, slots: Sequence[Slot], left_out: Sequence[Dropped], renderer: Renderer, budget: Budget
) -> Packet:
    """Number the slots, render them and check the accounting. Raises `BudgetError` if anything does not add up."""
    final = numbered(slots)
    text = renderer.render(final, question.conversation_id)
    packet = Packet(
        question.question_id, final, sorted(left_out, key=lambda d: (d.rank, d.position)), text,
        len(text), proxy_tokens(len(text)), sha256(text),
    )  # fmt: skip
    _check(packet, budget)
    return packet


def _check(packet: Packet, budget: Budget) -> None:
    faults = {
        "sizes of the slots do not sum up to the text": packed_chars(packet.slots) != packet.chars,
        "it is over its token budget": budget.max_tokens is not None and packet.proxy_tokens > budget.max_tokens,
        "it has too many slots": budget.max_sessions is not None and len(packet.slots) > budget.max_sessions,
        "a slot is larger than its session": any(s.chars > s.original_chars for s in packet.slots),
        "a whole slot is not whole": any(s.form == "whole" and s.chars != s.original_chars for s in packet.slots),
    }
    for fault, found in faults.items():
        if found:
            raise BudgetError(f"packet of question {packet.question_id}: {fault}")
