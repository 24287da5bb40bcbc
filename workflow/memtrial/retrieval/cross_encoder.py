"""A FlagEmbedding cross-encoder (BAAI/bge-reranker-v2-m3 and its kin), scores repeatable on one machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from memtrial.retrieval.encoder import choose_backend, model_folder, weights_digest

if TYPE_CHECKING:
    from FlagEmbedding import FlagReranker

PAIRS_AT_ONCE = 512


class CrossEncoder:
    """Scores (question, passage) pairs; the model is loaded with the first pair.

    fp16 where there is a GPU, else fp32. Pairs are scored in order of length and text, so a batch does not depend on
    the order of the questions.
    """

    def __init__(self, model: str, revision: str | None = None, backend: str = "auto", max_tokens: int = 512) -> None:
        self.folder = model_folder(model, revision)
        self.model_name = model
        self.device, precision = choose_backend(backend)
        self.half = precision == "fp16"
        self.max_tokens = max_tokens

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Model, weights digest, backend and limits."""
        precision = "fp16" if self.half else "fp32"
        return {
            "model": self.model_name,
            "weights": weights_digest(self.folder),
            "backend": f"flagembedding-{self.device}-{precision}",
            "max_tokens": self.max_tokens,
        }

    @cached_property
    def _model(self) -> FlagReranker:
        from FlagEmbedding import FlagReranker

        return FlagReranker(str(self.folder), use_fp16=self.half, devices=[self.device], max_length=self.max_tokens)

    def scores(
        self, pairs: Sequence[tuple[str, str]], progress: Callable[[int, int], None] | None = None
    ) -> np.ndarray:
        """Raw scores float64 [pairs], higher is nearer."""
        order = sorted(range(len(pairs)), key=lambda i: (len(pairs[i][0]) + len(pairs[i][1]), pairs[i]))
        out = np.zeros(len(pairs))
        for start in range(0, len(order), PAIRS_AT_ONCE):
            rows = order[start : start + PAIRS_AT_ONCE]
            out[rows] = np.atleast_1d(self._model.compute_score([list(pairs[i]) for i in rows]))
            if progress:
                progress(start + len(rows), len(pairs))
        return out
