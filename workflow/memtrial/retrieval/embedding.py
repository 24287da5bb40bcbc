"""Texts to vectors through the caches: what was embedded once, in any haystack, is not embedded again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memtrial.retrieval.cache import RaggedCache, digest, identity_digest
from memtrial.retrieval.encoder import Encoder, Progress

MEBIBYTE = 1 << 20


class CachedEncoder:
    """An encoder with its caches of text vectors and of word-piece vectors.

    Word-piece vectors are kept only while those of one call fit into `piece_cache_mib`: for a small corpus the reranker
    then needs no second pass of the model, for a large one they would fill a disk.
    """

    def __init__(self, encoder: Encoder, folder: Path, piece_cache_mib: int) -> None:
        self.encoder = encoder
        name = identity_digest(encoder.identity)
        self._vectors = RaggedCache(folder / "vectors" / name)
        self._pieces = RaggedCache(folder / "pieces" / name)
        self._piece_limit = piece_cache_mib * MEBIBYTE

    def vectors(self, texts: Sequence[str], progress: Progress | None = None) -> np.ndarray:
        """float32 [n, d], one unit row a text; distinct texts are encoded once, in one call."""
        keys = [digest(t) for t in texts]
        missing = {k: t for k, t in zip(keys, texts, strict=True) if k not in self._vectors}
        if missing:
            todo = list(missing.values())
            keep = self._piece_bytes(todo) <= self._piece_limit
            encoded = self.encoder.encode(todo, progress, pieces=keep)
            self._vectors.put(list(missing), [v[None] for v in encoded.vectors])
            if encoded.pieces is not None:
                self._pieces.put(list(missing), encoded.pieces)
        out = np.empty((len(texts), self.encoder.dimension), np.float32)
        for row, key in enumerate(keys):
            out[row] = self._vectors[key][0]
        return out

    def pieces(self, texts: Sequence[str], progress: Progress | None = None) -> list[np.ndarray]:
        """Per text float16 [word pieces, d]: from the cache, else encoded (and not kept)."""
        keys = [digest(t) for t in texts]
        missing = {k: t for k, t in zip(keys, texts, strict=True) if k not in self._pieces}
        fresh: dict[bytes, np.ndarray] = {}
        if missing:
            encoded = self.encoder.encode(list(missing.values()), progress, pieces=True)
            fresh = dict(zip(missing, encoded.pieces or [], strict=True))
        return [fresh[k] if k in fresh else self._pieces[k] for k in keys]

    def _piece_bytes(self, texts: Sequence[str]) -> int:
        return sum(len(p) for p in self.encoder.piece_ids(texts)) * self.encoder.dimension * 2

    def piece_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Word-piece ids as the encoder cuts them, special tokens left out."""
        return self.encoder.piece_ids(texts)
