"""Packets for all questions of a benchmark, by the kind of memory system."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from memtrial.corpus import Corpus
from memtrial.packet.chain import compile_chain
from memtrial.packet.full_context import compile_full_context
from memtrial.packet.rag import compile_rag
from memtrial.packet.rendering import Renderer
from memtrial.records import Candidate, Packet, Question, Reranked

KINDS = ("chain", "rag", "full-context")
Row = TypeVar("Row", Candidate, Reranked)


def compile_packets(
    questions: Iterable[Question],
    corpus: Corpus,
    candidates: Iterable[Candidate],
    reranked: Iterable[Reranked],
    spec: Mapping[str, Any],
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Packet]:
    """Packets in order of question id, whatever the order of the rows given.

    `spec` is a system's: `kind` (one of `KINDS`) and `packet` (see the module of that kind); `full-context` needs no
    candidates, `rag` no reranked rows. `progress(done, total)` is called after each question.
    Raises `ValueError` for another kind.
    """
    kind, settings = spec["kind"], spec["packet"]
    if kind not in KINDS:
        raise ValueError(f"no packet compiler for a system of kind {kind!r}; known: {', '.join(KINDS)}")
    renderer = Renderer(corpus)
    pools, orders = _by_question(candidates), _by_question(reranked)
    ordered = sorted(questions, key=lambda q: q.question_id)
    for done, question in enumerate(ordered, 1):
        pool = pools.get(question.question_id, [])
        if kind == "chain":
            yield compile_chain(question, renderer, pool, orders.get(question.question_id, []), settings)
        elif kind == "rag":
            yield compile_rag(question, renderer, pool, settings)
        else:
            yield compile_full_context(question, renderer, settings)
        if progress:
            progress(done, len(ordered))


def _by_question(rows: Iterable[Row]) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row.question_id].append(row)
    return grouped
