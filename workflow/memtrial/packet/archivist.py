"""The layout `archivist`: the packet rule of "Auditable Long-Term Memory", as far as its released rows show it.

Blocks have no headings. The prefix is the first `prefix_sessions` of the dense lane (`prefix: dense`) or of the
reranked order, whole; if it alone breaks the budget, its longest session is cut to the character that fits (and if that
leaves nothing of it, the prefix first loses its last session). Then, by `form`:

- `whole`: the other sessions in `pool_rank` order, whole, until no slot is left or the first that does not fit;
- `extracted`: as many others as there are slots left, in reranked order, all extracted even where they would fit
  whole; over budget the lowest are dropped.

The released rows take `extracted` for the question types of `EXTRACTED_TYPES` and `whole` for the others. A type is a
label of the benchmark that no deployed memory has, so only `form: oracle-question-type` looks at it, and by that name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memtrial.errors import InputError
from memtrial.packet.extraction import Extractor, content_terms
from memtrial.packet.pool import Pool, pool_of
from memtrial.packet.room import Meter, Plan, Room, cut, fitted
from memtrial.records import Candidate, Dropped, Packet, Question, Reranked, Slot

ORACLE = "oracle-question-type"
EXTRACTED_TYPES = ("multi-session", "temporal-reasoning")


def compile_archivist(
    question: Question,
    meter: Meter,
    extractor: Extractor,
    candidates: Iterable[Candidate],
    reranked: Iterable[Reranked],
    settings: Mapping[str, Any],
    question_types: Mapping[str, str] | None,
) -> Packet:
    """A question's packet from its own candidates and their reranked order, both in any order of rows.

    `settings`: form (`whole`, `extracted`, `oracle-question-type`), prefix (`dense`, `reranked`), prefix_sessions; the
    limits are the meter's. Raises `InputError` as `pool_of` does, and where the oracle has no type of the question.
    """
    pool = pool_of(question, meter.renderer, candidates, reranked)
    form = _form(question, settings["form"], question_types or {})
    terms = content_terms(question.question)

    def plan(room: Room) -> Plan:
        prefix = pool.prefix(settings)[: meter.budget.max_sessions]
        chosen = {s.position for s in prefix}
        others = [s for s in pool.usable if s.position not in chosen]
        slots, lost = _fit_prefix(prefix, pool, room)
        if form == "whole":
            left_out = _extend_whole(slots, others, pool, room)
        else:
            count = None if (n := meter.budget.max_sessions) is None else n - len(prefix)
            extracted = [extractor.extracted(s, room.session(s), terms) for s in others[:count]]
            left_out = [pool.dropped(s, "sessions") for s in others[len(extracted) :]]
            left_out += _extend_extracted(slots, extracted, pool, room)
        return slots, [*pool.blank, *lost, *left_out]

    return fitted(question, meter, plan)


def _form(question: Question, form: str, question_types: Mapping[str, str]) -> str:
    if form != ORACLE:
        return form
    if question.question_id not in question_types:
        raise InputError(f"question {question.question_id}: the form {ORACLE} needs its question type, there is none")
    return "extracted" if question_types[question.question_id] in EXTRACTED_TYPES else "whole"


def _fit_prefix(prefix: list[Slot], pool: Pool, room: Room) -> tuple[list[Slot], list[Dropped]]:
    slots, lost = list(prefix), []
    while room.over(slots):
        sizes = [room.size(s) for s in slots]
        # Of equally long sessions the lowest in rank is cut.
        longest = max(range(len(slots)), key=lambda i: (sizes[i], i))
        if shortened := cut(slots[longest], sizes[longest] - room.excess(sizes), room, at_line=False):
            slots[longest] = shortened
            break
        lost.append(pool.dropped(slots.pop(), "budget"))
    return slots, lost


def _extend_whole(slots: list[Slot], others: list[Slot], pool: Pool, room: Room) -> list[Dropped]:
    left_out, ended = [], False
    for slot in sorted(others, key=lambda s: (pool.candidates[s.position].pool_rank, s.position)):
        full = room.full(len(slots))
        ended = ended or full or room.over([*slots, slot])
        if ended:
            left_out.append(pool.dropped(slot, "sessions" if full else "budget"))
        else:
            slots.append(slot)
    return left_out


def _extend_extracted(slots: list[Slot], extracted: list[Slot], pool: Pool, room: Room) -> list[Dropped]:
    kept = list(extracted)
    while kept and room.over([*slots, *kept]):
        kept.pop()
    slots += kept
    return [pool.dropped(s, "budget") for s in extracted[len(kept) :]]
