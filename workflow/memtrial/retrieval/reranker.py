"""The reranker that a spec names, with its model and its score cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from memtrial.corpus import Corpus
from memtrial.records import Candidate, Question, Reranked
from memtrial.retrieval.cache import ScoreCache, identity_digest
from memtrial.retrieval.cross_encoder import CrossEncoder
from memtrial.retrieval.embedding import CachedEncoder
from memtrial.retrieval.encoder import TransformerEncoder
from memtrial.retrieval.late_interaction import GRID
from memtrial.retrieval.rerank import rerank_cross, rerank_late, rerank_none


def rerank(
    questions: list[Question],
    corpus: Corpus,
    candidates: list[Candidate],
    spec: dict[str, Any],
    cache: Path,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Iterator[Reranked], dict[str, Any]]:
    """(reranked rows, the model's identity for the receipt). `cache` is the folder of all caches."""
    if spec["kind"] == "none":
        return rerank_none(candidates), {}
    if spec["kind"] == "cross-encoder":
        scorer = CrossEncoder(spec["model"], spec["revision"], spec["backend"], spec["max_tokens"])
        scores = ScoreCache(cache / "scores" / identity_digest(scorer.identity))
        rows = rerank_cross(questions, corpus, candidates, scorer, scores, spec, progress)
        return rows, {"reranker": scorer.identity}
    encoder = TransformerEncoder(**spec["embedder"])
    identity = {"method": "late-interaction", "grid": GRID, **encoder.identity}
    scores = ScoreCache(cache / "scores" / identity_digest(identity))
    # Nothing is kept of the word pieces encoded here: the retrieve stage kept them if the corpus is small.
    cached = CachedEncoder(encoder, cache, piece_cache_mib=0)
    return rerank_late(questions, corpus, candidates, cached, scores, spec, progress), {"reranker": identity}
