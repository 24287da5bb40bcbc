"""The whole visible history in clock order: the ceiling of what any retrieval could show, and its price.

With a budget the oldest sessions go first; if the newest alone is too long, it is cut. In `dropped` the rank
counts back from the newest session (1).
"""

from __future__ import annotations

from memtrial.packet.budget import dropped
from memtrial.packet.room import Meter, Plan, Room, cut, fitted
from memtrial.records import Packet, Question


def compile_full_context(question: Question, meter: Meter) -> Packet:
    """A question's packet of all sessions that it may see, newest last, within the meter's limit."""
    renderer = meter.renderer
    newest_first = list(reversed(renderer.corpus.visible(question)))
    ranked = [(rank, renderer.whole(s, "history")) for rank, s in enumerate(newest_first, 1)]
    blank = {s.position for s in newest_first if renderer.blank(s)}

    def plan(room: Room) -> Plan:
        said = [(rank, slot) for rank, slot in ranked if slot.position not in blank]
        count, used = 0, 0
        for count, (_, slot) in enumerate(said, 1):
            used += room.size(slot)
            if room.limit is not None and used + meter.overhead(count) > room.limit:
                count -= 1
                break
        slots = [slot for _, slot in said[:count]]
        if said and not slots and room.limit is not None:
            shortened = cut(said[0][1], room.limit - meter.overhead(1), room)
            slots = [shortened] if shortened else []
        left_out = [dropped(slot, rank, "blank") for rank, slot in ranked if slot.position in blank]
        left_out += [dropped(slot, rank, "budget") for rank, slot in said[len(slots) :]]
        return slots[::-1], left_out

    return fitted(question, meter, plan)
