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
    """A question's packet of all sessions that it may see. `settings`: max_tokens, max_sessions (null = no limit)."""
    budget = Budget.of(settings)
    visible = sorted(renderer.corpus.visible(question), key=lambda s: s.position)
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
    while slots and budget.max_sessions is not None and len(slots) > budget.max_sessions:
        left_out.append(dropped(slots[0], ranks[slots[0].position], "sessions"))
        slots = slots[1:]
    while (excess := budget.excess(numbered(slots))) > 0 and slots:
        shortened = cut(slots[0], excess, renderer, question) if len(slots) == 1 else None
        if shortened is None:
            left_out.append(dropped(slots[0], ranks[slots[0].position], "budget"))
        slots = [shortened] if shortened else slots[1:]
    return seal(question, slots, left_out, renderer, budget)
