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
from memtrial.packet.budget import Budget, dropped, seal
from memtrial.packet.rendering import Renderer
from memtrial.records import Candidate, Dropped, Packet, Question, Slot


def compile_rag(
    question: Question, renderer: Renderer, candidates: Iterable[Candidate], settings: Mapping[str, Any]
) -> Packet:
    """A question's packet of its `top_k` best pairs, from candidates in any order of rows.

    `settings`: top_k, max_tokens (null = no limit). Raises `InputError` if two sessions claim one pair rank.
    """
    budget = Budget.of(settings)
    slots: list[Slot] = []
    left_out: list[Dropped] = []
    for rank, position, turns in _pairs(question, candidates, settings["top_k"]):
        slot = _passage(question, renderer, position, turns, len(slots) + 1)
        if slot.kept_lines == [0]:
            left_out.append(dropped(slot, rank, "blank"))
        elif budget.excess([*slots, slot]) > 0:
            left_out.append(dropped(slot, rank, "budget"))
        else:
            slots.append(slot)
    return seal(question, slots, left_out, renderer, budget)


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


def _passage(question: Question, renderer: Renderer, position: int, turns: frozenset[int], number: int) -> Slot:
    session = renderer.corpus.conversation(question.conversation_id)[position]
    lines = renderer.lines(session)
    kept = [i for i, (_, turn) in enumerate(lines) if turn is None or turn.turn_index in turns]
    size = len(renderer.body(session, "turns", kept, 0))
    return Slot(number, position, "passage", "turns", kept, size, len(renderer.text(session)))
