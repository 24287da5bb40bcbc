"""RUMBA's simple RAG: the user–assistant pairs nearest to the question, in ranked order, each with its timestamp.

A `rag` system's candidates carry the dense rank of pairs: the turns of one pair share a rank (1-based over all pairs of
the conversation). A slot is a pair (origin `passage`, form `turns`), so one session may fill several slots.
Pairs that do not fit the budget are passed over and listed, with their dense rank, under `dropped`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from memtrial.errors import InputError
from memtrial.packet.budget import dropped
from memtrial.packet.rendering import Renderer
from memtrial.packet.room import Meter, Plan, Room, fitted
from memtrial.records import Candidate, Dropped, Packet, Question, Slot


def compile_rag(
    question: Question, meter: Meter, candidates: Iterable[Candidate], settings: Mapping[str, Any]
) -> Packet:
    """A question's packet of its `top_k` best pairs, from candidates in any order of rows.

    `settings`: top_k; the limit is the meter's. Raises `InputError` if two sessions claim one pair rank.
    """
    pairs = _pairs(question, candidates, settings["top_k"])
    passages = [(rank, _passage(question, meter.renderer, position, turns)) for rank, position, turns in pairs]

    def plan(room: Room) -> Plan:
        slots: list[Slot] = []
        sizes: list[int] = []
        left_out: list[Dropped] = []
        for rank, slot in passages:
            if slot.kept_lines == [0]:
                left_out.append(dropped(slot, rank, "blank"))
            elif room.excess([*sizes, size := room.size(slot)]) > 0:
                left_out.append(dropped(slot, rank, "budget"))
            else:
                slots.append(slot)
                sizes.append(size)
        return slots, left_out

    return fitted(question, meter, plan)


def _pairs(question: Question, candidates: Iterable[Candidate], top_k: int) -> list[tuple[int, int, frozenset[int]]]:
    """(rank, position, turn indices) of the best pairs, best first."""
    turns: dict[tuple[int, int], set[int]] = defaultdict(set)
    for candidate in candidates:
        for hit in candidate.turns:
            if hit.dense_rank is not None and hit.dense_rank <= top_k:
                turns[hit.dense_rank, candidate.position].add(hit.turn_index)
    if len({rank for rank, _ in turns}) != len(turns):
        raise InputError(f"question {question.question_id}: one pair rank is given to turns of two sessions")
    return [(rank, position, frozenset(turns[rank, position])) for rank, position in sorted(turns)]


def _passage(question: Question, renderer: Renderer, position: int, turns: frozenset[int]) -> Slot:
    session = renderer.corpus.conversation(question.conversation_id)[position]
    lines = renderer.lines(session)
    kept = [i for i, (_, turn) in enumerate(lines) if turn is None or turn.turn_index in turns]
    size = len(renderer.body(session, "turns", kept, 0))
    original = len(renderer.text(session))
    return Slot(0, position, "passage", "turns", kept, len(lines) - len(kept), size, original)
