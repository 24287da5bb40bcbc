"""The pool of a chain's question: its usable sessions in reranked order, and the prefix that a layout starts from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from memtrial.errors import InputError
from memtrial.packet.budget import dropped
from memtrial.packet.rendering import Renderer
from memtrial.records import Candidate, Dropped, Question, Reranked, Slot


class Pool(NamedTuple):
    """`usable`: whole slots in reranked order, blank sessions apart; `ranks` (1-based) and `candidates` by position."""

    usable: list[Slot]
    blank: list[Dropped]
    ranks: dict[int, int]
    candidates: dict[int, Candidate]

    def prefix(self, settings: Mapping[str, Any]) -> list[Slot]:
        """The best `prefix_sessions` of the lane `prefix`: `reranked`, or `dense` (sessions that it ranked)."""
        order = self.usable
        if settings["prefix"] == "dense":
            dense = [(rank, s) for s in order if (rank := self.candidates[s.position].dense_rank) is not None]
            order = [s for _, s in sorted(dense, key=lambda pair: (pair[0], pair[1].position))]
        return [s._replace(origin="prefix") for s in order[: settings["prefix_sessions"]]]

    def dropped(self, slot: Slot, reason: str) -> Dropped:
        """A session of the pool that did not make it."""
        return dropped(slot, self.ranks[slot.position], reason)


def pool_of(
    question: Question, renderer: Renderer, candidates: Iterable[Candidate], reranked: Iterable[Reranked]
) -> Pool:
    """A question's pool from its own rows, in any order; ties of rank go by position.

    Raises `InputError` if candidates and reranked rows differ or name a session that the question may not see.
    """
    known = {c.position: c for c in candidates}
    ranks = {r.position: r.rank for r in reranked}
    where = f"question {question.question_id}"
    if known.keys() != ranks.keys():
        odd = sorted(known.keys() ^ ranks.keys())
        raise InputError(f"{where}: each candidate needs one reranked row, positions {odd} have only one of the two")
    unseen = sorted(known.keys() - {s.position for s in renderer.corpus.visible(question)})
    if unseen:
        raise InputError(f"{where}: candidates at positions {unseen} are not among the sessions visible to it")
    sessions = renderer.corpus.conversation(question.conversation_id)
    ordered = [renderer.whole(sessions[p], "extension") for p in sorted(ranks, key=lambda p: (ranks[p], p))]
    blank = [dropped(s, ranks[s.position], "blank") for s in ordered if renderer.blank(sessions[s.position])]
    empty = {b.position for b in blank}
    return Pool([s for s in ordered if s.position not in empty], blank, ranks, known)
