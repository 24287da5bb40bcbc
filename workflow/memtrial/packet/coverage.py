"""The layout `coverage`: one rule for all questions that keeps as many sessions in sight as the budget holds.

The order of merit is the reranked one. Among its first `max_sessions` usable sessions three are anchors: the best, the
oldest and the newest by clock (what was said first and what is valid now often answer, and rank low).

1. Prefix: the first `prefix_sessions` of the reranked order (`prefix: reranked`) or of the dense lane
   (`prefix: dense`), whole. For each anchor outside it a slot, and room for its shortest form, is set aside; a prefix
   that leaves no slot for one gives up its lowest-ranked session.
2. If that breaks the budget, from the lowest rank up: sessions are extracted until it fits; then, except for anchors,
   dropped until it fits; last of all the longest anchors are cut to a common size. An anchor is dropped only where not
   even a line of each could be shown, the lowest-ranked first.
3. All other sessions in reranked order, and those not whole so far: whole if that fits, else extracted if that fits,
   else left as it was or dropped. A misfit never ends the round, so a later, smaller session is still tried.

Slots stand in ranked order (prefix, then extension): neutral names then say how well a session matched, and a reader
that tires loses the least. `order: chronological` puts them in clock order instead. Every candidate is a slot or in
`dropped`, with its reranked rank and `budget`, `sessions` (no slot was left) or `blank`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from memtrial.packet.extraction import Extractor, content_terms
from memtrial.packet.pool import Pool, pool_of
from memtrial.packet.room import Meter, Plan, Room, cut, fitted
from memtrial.records import Candidate, Dropped, Packet, Question, Reranked, Slot

Members = dict[int, Slot]  # by position


def compile_coverage(
    question: Question,
    meter: Meter,
    extractor: Extractor,
    candidates: Iterable[Candidate],
    reranked: Iterable[Reranked],
    settings: Mapping[str, Any],
) -> Packet:
    """A question's packet from its own candidates and their reranked order, both in any order of rows.

    `settings`: prefix (`reranked`, `dense`), prefix_sessions, order (`ranked`, `chronological`); the limits are the
    meter's. Raises `InputError` as `pool_of` does.
    """
    pool = pool_of(question, meter.renderer, candidates, reranked)
    anchors = _anchors(pool.usable[: meter.budget.max_sessions])
    terms = content_terms(question.question)

    def plan(room: Room) -> Plan:
        def shortest(slot: Slot) -> Slot:
            condensed = extractor.condensed(slot, room.session(slot), terms)
            return condensed if room.size(condensed) < room.size(slot) else slot

        members = _start(pool, anchors, settings, room, shortest)
        _shrink(members, pool, anchors, room, shortest)
        left_out = _extend(members, pool, room, shortest)
        return _ordered(members, pool, settings), [*pool.blank, *left_out]

    return fitted(question, meter, plan)


def _anchors(window: list[Slot]) -> set[int]:
    """The best, the oldest and the newest of the first usable sessions; positions are in clock order."""
    positions = [s.position for s in window]
    return {positions[0], min(positions), max(positions)} if positions else set()


def _start(
    pool: Pool, anchors: set[int], settings: Mapping[str, Any], room: Room, shortest: Callable[[Slot], Slot]
) -> Members:
    """The prefix whole and the anchors outside it in their shortest form, within the number of slots."""
    prefix = {s.position: s for s in pool.prefix(settings)}
    outside = {s.position: shortest(s) for s in pool.usable if s.position in anchors - prefix.keys()}
    spare = [p for p in sorted(prefix, key=pool.ranks.__getitem__) if p not in anchors]
    while prefix and room.full(len(prefix) + len(outside) - 1):
        del prefix[spare.pop()]
    return prefix | outside


def _shrink(members: Members, pool: Pool, anchors: set[int], room: Room, shortest: Callable[[Slot], Slot]) -> None:
    """Step 2, in place."""
    lowest_first = sorted(members, key=pool.ranks.__getitem__, reverse=True)
    for position in lowest_first:
        if room.over(members.values()) and members[position].form == "whole":
            members[position] = shortest(members[position])
    for position in lowest_first:
        if room.over(members.values()) and position not in anchors:
            del members[position]
    for position in lowest_first:
        if room.over(members.values()) and position in members:
            if shortened := _levelled(members, room):
                members.update(shortened)
                return
            del members[position]


def _levelled(members: Members, room: Room) -> Members | None:
    """The longest members cut to the largest common size that fits; null if one would show nothing."""
    sizes = {p: room.size(s) for p, s in members.items()}
    left = sum(sizes.values()) - room.excess(list(sizes.values()))
    level = 0
    for shorter, size in enumerate(sorted(sizes.values())):
        level = left // (len(sizes) - shorter)
        if size > level:
            break
        left -= size
    shortened = {p: cut(members[p], level, room) for p, size in sizes.items() if size > level}
    return {p: s for p, s in shortened.items() if s} if all(shortened.values()) else None


def _extend(members: Members, pool: Pool, room: Room, shortest: Callable[[Slot], Slot]) -> list[Dropped]:
    """Step 3, in place; gives the sessions that are left out."""
    left_out = []
    for slot in pool.usable:
        present = members.get(slot.position)
        if present and present.form != "extracted":
            continue
        if not present and room.full(len(members)):
            left_out.append(pool.dropped(slot, "sessions"))
            continue
        whole = slot._replace(origin=present.origin) if present else slot
        for form in (whole, present or shortest(slot)):
            if not room.over((members | {slot.position: form}).values()):
                members[slot.position] = form
                break
        else:
            left_out.append(pool.dropped(slot, "budget"))
    return left_out


def _ordered(members: Members, pool: Pool, settings: Mapping[str, Any]) -> list[Slot]:
    if settings["order"] == "chronological":
        return sorted(members.values(), key=lambda s: s.position)
    prefix = [s for s in members.values() if s.origin == "prefix"]
    others = [s for s in members.values() if s.origin != "prefix"]
    return prefix + sorted(others, key=lambda s: (pool.ranks[s.position], s.position))
