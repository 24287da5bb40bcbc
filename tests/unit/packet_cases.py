"""What the tests of packets share: small conversations, pools of them, and tokenizers that are not additive."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from memtrial.corpus import Corpus
from memtrial.packet.compile import compile_packets
from memtrial.records import Candidate, Packet, Question, Reranked, Session, Turn, TurnHit

START = datetime(2024, 5, 1, 9, 30)
DATE_LINE = len("date: 2024/05/01 (Wed) 09:30")
QUESTION = Question("q1", "c", "Where did I hold the party?", START + timedelta(days=400), "en", [])
BUDGET = {"max_sessions": 16, "max_tokens": 40000, "tokenizer": None}
COVERAGE = {**BUDGET, "layout": "coverage", "prefix": "reranked", "prefix_sessions": 10, "order": "ranked"}
ARCHIVIST = {**BUDGET, "layout": "archivist", "form": "extracted", "prefix": "dense", "prefix_sessions": 10}


def corpus_of(sessions: list[list[str]], **options: Any) -> Corpus:
    """A conversation "c" of sessions a day apart; turns alternate between user and assistant."""
    rows = [Session("c", i, f"answer_{i}", f"t{i}", START + timedelta(days=i)) for i in range(len(sessions))]
    turns = [
        Turn(f"t{i}", j, ("user", "assistant")[j % 2], "", text, None)
        for i, texts in enumerate(sessions)
        for j, text in enumerate(texts)
    ]
    return Corpus(rows, turns, **options)


def candidate(
    position: int, dense_rank: int | None = None, hits: list[TurnHit] | None = None, pool_rank: int | None = None
) -> Candidate:
    rank = position + 1 if pool_rank is None else pool_rank
    return Candidate("q1", position, rank, dense_rank, None, None, None, None, None, None, hits or [])


def pool(order: list[int], dense: list[int] | None = None) -> tuple[list[Candidate], list[Reranked]]:
    """Candidates and reranked rows of sessions in reranked order; `dense` is the dense lane's order."""
    dense_ranks = {p: r for r, p in enumerate(dense if dense is not None else order, 1)}
    return (
        [candidate(p, dense_ranks.get(p)) for p in sorted(order)],
        [Reranked("q1", p, r, 1.0 / r, None, []) for r, p in enumerate(order, 1)],
    )


def compiled(
    corpus: Corpus, kind: str, packet: dict[str, Any], candidates: Any = (), reranked: Any = (), **more: Any
) -> Packet:
    (made,) = compile_packets([QUESTION], corpus, candidates, reranked, {"kind": kind, "packet": packet}, **more)
    return made


def floor_tokens(text: str) -> int:
    """Parts have fewer tokens than the whole: each plan that is full is over budget."""
    return len(text) // 7


def piece_tokens(text: str) -> int:
    """Runs of blanks merge across the border of two parts; letters go by threes."""
    return len(re.findall(r"\w{1,3}|\s+|[^\w\s]", text))


COUNTERS = (None, floor_tokens, piece_tokens)
_WORDS = ("party ", "hold ", "Oslo", "вечер ", "ёлка ", "x" * 30, "and ", "\n", "\n\n", ". ", " ")
TEXTS = st.lists(st.sampled_from(_WORDS), max_size=12).map("".join)
HISTORIES = st.lists(st.lists(TEXTS, max_size=6), min_size=1, max_size=12)
