"""The packet budget, the packet record, and the accounting that every packet must pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from memtrial.packet.rendering import SEPARATOR, Renderer, heading
from memtrial.records import Dropped, Packet, Question, Slot
from memtrial.text import proxy_tokens, sha256

CountTokens = Callable[[str], int]


class BudgetError(AssertionError):
    """A packet whose record and text disagree, or that is over budget: a fault of the compiler, never of the input."""


class Budget(NamedTuple):
    """Limits of a packet: slots, and tokens of its whole text; null = no limit."""

    max_sessions: int | None
    max_tokens: int | None

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Budget:
        """The budget of a system's `packet` settings; an absent limit is none."""
        return cls(settings.get("max_sessions"), settings.get("max_tokens"))


def dropped(slot: Slot, rank: int, reason: str) -> Dropped:
    """A slot that did not make it, as it is recorded: `reason` is `budget`, `sessions` or `blank`."""
    return Dropped(slot.position, rank, slot.original_chars, reason)


def assembled(
    question: Question,
    slots: Sequence[Slot],
    left_out: Sequence[Dropped],
    renderer: Renderer,
    layout: str,
    count_tokens: CountTokens | None,
) -> Packet:
    """The packet of these slots, numbered 1.. in their order, unchecked."""
    final = [slot._replace(slot=n) for n, slot in enumerate(slots, 1)]
    text = renderer.render(final, question.conversation_id, layout)
    return Packet(
        question.question_id, layout, final, sorted(left_out, key=lambda d: (d.rank, d.position)), text, len(text),
        proxy_tokens(len(text)), count_tokens(text) if count_tokens else None, sha256(text),
    )  # fmt: skip


def check(packet: Packet, budget: Budget) -> None:
    """Raises `BudgetError` if a packet's sizes do not add up or it is over budget."""
    slots = packet.slots
    sizes = [len(heading(s, packet.layout)) + s.chars for s in slots]
    size = sum(sizes) + len(SEPARATOR) * max(0, len(sizes) - 1)
    tokens = packet.proxy_tokens if packet.tokens is None else packet.tokens
    faults = {
        "sizes of the slots do not sum up to the text": size != packet.chars,
        "it is over its token budget": budget.max_tokens is not None and tokens > budget.max_tokens,
        "it has too many slots": budget.max_sessions is not None and len(slots) > budget.max_sessions,
        # An extraction of the layout `archivist` may mark gaps with more characters than they had.
        "a slot is larger than its session": any(s.chars > s.original_chars for s in slots if s.form != "extracted"),
        "a whole slot is not whole": any(s.form == "whole" and s.chars != s.original_chars for s in slots),
        "a slot's kept lines do not fit its form": any((s.form == "whole") != (s.kept_lines is None) for s in slots),
    }
    for fault, found in faults.items():
        if found:
            raise BudgetError(f"packet of question {packet.question_id}: {fault}")
