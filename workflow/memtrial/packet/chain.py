"""The chain's packet: a prefix kept whole, then further sessions in reranked order while they fit.

1. Prefix: the best `prefix_sessions` of the reranked order (`prefix: reranked`) or of the dense lane (`prefix: dense`,
   as the paper "Auditable Long-Term Memory" does), whole. If the prefix alone breaks the budget, its longest session
   is cut until it fits; if even the date line of that one is too much, the prefix loses its last session first.
2. Extension: the other candidates in reranked order, whole, each if a slot is left and it fits. One that does not fit
   is passed over and later, smaller ones are tried, so an overrun costs the lowest-ranked sessions that it must.

Slots stand in ranked order (prefix, then extension), as in the paper: neutral names then say how well a session
matched, and a reader that tires loses the least. `order: chronological` puts them in clock order instead.
Every candidate is a slot or in `dropped`, with its reranked rank and `budget`, `sessions` or `blank`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memtrial.errors import InputError
from memtrial.packet.budget import Budget, cut, dropped, numbered, seal
from memtrial.packet.rendering import Renderer
from memtrial.records import Candidate, Dropped, Packet, Question, Reranked, Slot

REASON_BUDGET, REASON_SESSIONS, REASON_BLANK = "budget", "sessions", "blank"


def compile_chain(
    question: Question,
    renderer: Renderer,
    candidates: Iterable[Candidate],
    reranked: Iterable[Reranked],
    settings: Mapping[str, Any],
) -> Packet:
    """A question's packet from its own candidates and their reranked order, both in any order of rows.

    `settings`: max_sessions, max_tokens, prefix (`reranked`, `dense`), prefix_sessions,
    order (`ranked`, `chronological`).
    Raises `InputError` if candidates and reranked rows differ or name a session that the question may not see.
    """
    pool = {c.position: c for c in candidates}
    ranks = {r.position: r.rank for r in reranked}
    _check_pool(question, renderer, pool, ranks)
    budget = Budget.of(settings)
    ranked = [_whole(question, renderer, position) for position in sorted(ranks, key=lambda p: (ranks[p], p))]
    blank = {s.position for s in ranked if _blank(question, renderer, s.position)}
    left_out = [dropped(s, ranks[s.position], REASON_BLANK) for s in ranked if s.position in blank]
    usable = [s for s in ranked if s.position not in blank]
    prefix = _prefix(usable, pool, budget, settings)
    chosen = {s.position for s in prefix}
    slots = _fit_prefix(prefix, question, renderer, budget, ranks, left_out)
    _extend(slots, [s for s in usable if s.position not in chosen], budget, ranks, left_out)
    if settings.get("order", "ranked") == "chronological":
        slots.sort(key=lambda s: s.position)
    return seal(question, slots, left_out, renderer, budget)


def _check_pool(
    question: Question, renderer: Renderer, pool: Mapping[int, Candidate], ranks: Mapping[int, int]
) -> None:
    where = f"question {question.question_id}"
    if pool.keys() != ranks.keys():
        odd = sorted(pool.keys() ^ ranks.keys())
        raise InputError(f"{where}: each candidate needs one reranked row, positions {odd} have only one of the two")
    unseen = sorted(pool.keys() - {s.position for s in renderer.corpus.visible(question)})
    if unseen:
        raise InputError(f"{where}: candidates at positions {unseen} are not among the sessions visible to it")


def _whole(question: Question, renderer: Renderer, position: int) -> Slot:
    size = len(renderer.text(renderer.corpus.conversation(question.conversation_id)[position]))
    return Slot(0, position, "extension", "whole", None, size, size)


def _blank(question: Question, renderer: Renderer, position: int) -> bool:
    return renderer.blank(renderer.corpus.conversation(question.conversation_id)[position])


def _prefix(
    usable: list[Slot], pool: Mapping[int, Candidate], budget: Budget, settings: Mapping[str, Any]
) -> list[Slot]:
    order = usable
    if settings["prefix"] == "dense":
        dense = [(rank, s) for s in usable if (rank := pool[s.position].dense_rank) is not None]
        order = [s for _, s in sorted(dense, key=lambda pair: (pair[0], pair[1].position))]
    size = settings["prefix_sessions"]
    if budget.max_sessions is not None:
        size = min(size, budget.max_sessions)
    return [s._replace(origin="prefix") for s in order[:size]]


def _fit_prefix(
    prefix: list[Slot],
    question: Question,
    renderer: Renderer,
    budget: Budget,
    ranks: Mapping[int, int],
    left_out: list[Dropped],
) -> list[Slot]:
    """One session is cut at most, and each round without a cut loses one, so it ends whatever `cut` returns."""
    slots = numbered(prefix)
    while slots and (excess := budget.excess(slots)) > 0:
        # Of equally long sessions the lowest in rank is cut.
        longest = max(range(len(slots)), key=lambda i: (slots[i].chars, i))
        if shortened := cut(slots[longest], excess, renderer, question):
            slots[longest] = shortened
            break
        lost = slots.pop()
        left_out.append(dropped(lost, ranks[lost.position], REASON_BUDGET))
    return slots


def _extend(
    slots: list[Slot], others: list[Slot], budget: Budget, ranks: Mapping[int, int], left_out: list[Dropped]
) -> None:
    for slot in others:
        fits = budget.excess([*slots, slot._replace(slot=len(slots) + 1)]) <= 0
        if fits and not budget.full(slots):
            slots.append(slot._replace(slot=len(slots) + 1))
        else:
            left_out.append(
                dropped(slot, ranks[slot.position], REASON_SESSIONS if budget.full(slots) else REASON_BUDGET)
            )
