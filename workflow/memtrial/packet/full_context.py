"""The whole visible history in clock order: the ceiling of what any retrieval could show, and its price.

With a budget the oldest sessions go first; if the newest alone is too long, it is cut. In `dropped` the rank
counts back from the newest session (1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtrial.packet.budget import Budget, cut, dropped, numbered, seal
from memtrial.packet.rendering import Renderer
from memtrial.records import Dropped, Packet, Question, Slot


def compile_full_context(question: Question, renderer: Renderer, settings: Mapping[str, Any]) -> Packet:
    """A question's packet of all sessions that it may see. `settings`: max_tokens (null = no limit)."""
    budget = Budget.of(settings)
    visible = renderer.corpus.visible(question)
    ranks = {s.position: len(visible) - i for i, s in enumerate(visible)}
    slots: list[Slot] = []
    left_out: list[Dropped] = []
    for session in visible:
        size = len(renderer.text(session))
        slot = Slot(0, session.position, "history", "whole", None, size, size)
        if renderer.blank(session):
            left_out.append(dropped(slot, ranks[slot.position], "blank"))
        else:
            slots.append(slot)
    while (excess := budget.excess(numbered(slots))) > 0 and slots:
        if len(slots) == 1 and (shortened := cut(slots[0], excess, renderer, question)):
            slots = [shortened]
            break
        oldest = slots.pop(0)
        left_out.append(dropped(oldest, ranks[oldest.position], "budget"))
    return seal(question, slots, left_out, renderer, budget)
