"""Packets for all questions of a benchmark, by the kind of memory system and its layout."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from memtrial.corpus import Corpus
from memtrial.packet.archivist import compile_archivist
from memtrial.packet.budget import Budget, CountTokens
from memtrial.packet.coverage import compile_coverage
from memtrial.packet.extraction import Extractor
from memtrial.packet.full_context import compile_full_context
from memtrial.packet.rag import compile_rag
from memtrial.packet.rendering import Renderer
from memtrial.packet.room import Meter
from memtrial.records import Candidate, Packet, Question, Reranked

# Layout of each kind, and what its slots are; a chain's layout is a setting.
KINDS = {"chain": ("", "prefix"), "rag": ("passages", "passage"), "full-context": ("history", "history")}
LAYOUTS = ("coverage", "archivist")
Row = TypeVar("Row", Candidate, Reranked)


def compile_packets(
    questions: Iterable[Question],
    corpus: Corpus,
    candidates: Iterable[Candidate],
    reranked: Iterable[Reranked],
    spec: Mapping[str, Any],
    count_tokens: CountTokens | None = None,
    question_types: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Packet]:
    """Packets in order of question id, whatever the order of the rows given.

    `spec` is a system's: `kind` (one of `KINDS`) and `packet` (see the modules of the layouts; `max_sessions`,
    `max_tokens`, null or absent = no limit); `full-context` needs no candidates, `rag` no reranked rows.
    `count_tokens` counts in the tokenizer that the setting `tokenizer` names. `question_types` (question id -> type) is
    for the layout `archivist` with its oracle form alone. `progress(done, total)` is called after each question.
    Raises `ValueError` for another kind or layout, or if one of `tokenizer` and `count_tokens` is given alone.
    """
    meter = _meter(Renderer(corpus), spec, count_tokens)
    extractor, settings = Extractor(meter.renderer), spec["packet"]
    pools, orders = _by_question(candidates), _by_question(reranked)
    ordered = sorted(questions, key=lambda q: q.question_id)
    for done, question in enumerate(ordered, 1):
        pool, order = pools.get(question.question_id, []), orders.get(question.question_id, [])
        if meter.layout == "coverage":
            yield compile_coverage(question, meter, extractor, pool, order, settings)
        elif meter.layout == "archivist":
            yield compile_archivist(question, meter, extractor, pool, order, settings, question_types)
        elif meter.layout == "passages":
            yield compile_rag(question, meter, pool, settings)
        else:
            yield compile_full_context(question, meter)
        if progress:
            progress(done, len(ordered))


def _meter(renderer: Renderer, spec: Mapping[str, Any], count_tokens: CountTokens | None) -> Meter:
    kind, settings = spec["kind"], spec["packet"]
    if kind not in KINDS:
        raise ValueError(f"no packet compiler for a system of kind {kind!r}; known: {', '.join(KINDS)}")
    layout, origin = KINDS[kind]
    layout = layout or settings["layout"]
    if kind == "chain" and layout not in LAYOUTS:
        raise ValueError(f"no packet layout is called {layout!r}; known: {', '.join(LAYOUTS)}")
    if bool(settings.get("tokenizer")) != bool(count_tokens):
        raise ValueError(f"tokenizer {settings.get('tokenizer')!r} and a function that counts its tokens go together")
    return Meter(renderer, Budget.of(settings), layout, origin, count_tokens)


def _by_question(rows: Iterable[Row]) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row.question_id].append(row)
    return grouped
