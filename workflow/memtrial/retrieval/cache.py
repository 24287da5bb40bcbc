"""Content-addressed caches of what is dear to compute: vectors of texts, reranker scores of (question, passage).

A cache is a folder of parts, each written once by one job and renamed into place, so jobs never write to one file.
A key is a digest of content; the folder's name carries the model's identity. Both are safe to delete.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from memtrial.text import canonical, sha256

KEY = np.dtype("V16")


def identity_digest(identity: Mapping[str, Any]) -> str:
    """16 hex digits naming a model, its weights and its backend."""
    return sha256(canonical(dict(identity)))[:16]


def digest(text: str) -> bytes:
    """16-byte key of a text."""
    return hashlib.sha256(text.encode()).digest()[:16]


class RaggedCache:
    """Arrays [rows, width] of one dtype under 16-byte keys; row counts may differ from key to key.

    A part is a folder with `keys.npy` (V16 [n]), `offsets.npy` (int64 [n + 1]) and `data.npy` (dtype [rows, width]),
    memory-mapped when read. Parts may hold one key each: `all` gives every one, `[]` the first by part name.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._parts: list[tuple[np.ndarray, np.ndarray]] = []
        self._where: dict[bytes, list[tuple[int, int]]] = defaultdict(list)
        for part in sorted(folder.glob("*.part")) if folder.exists() else []:
            self._open(part)

    def _open(self, part: Path) -> None:
        number = len(self._parts)
        self._parts.append((np.load(part / "offsets.npy"), np.load(part / "data.npy", mmap_mode="r")))
        for row, key in enumerate(np.load(part / "keys.npy").tolist()):
            self._where[key].append((number, row))

    def __contains__(self, key: bytes) -> bool:
        return key in self._where

    def __getitem__(self, key: bytes) -> np.ndarray:
        return next(self.all(key))

    def all(self, key: bytes) -> Iterator[np.ndarray]:
        """Every array held under a key."""
        for number, row in self._where.get(key, ()):
            offsets, data = self._parts[number]
            yield np.asarray(data[offsets[row] : offsets[row + 1]])

    def put(self, keys: Sequence[bytes], arrays: Iterable[np.ndarray]) -> None:
        """Write one part with these keys."""
        if not keys:
            return
        rows = list(arrays)
        draft = self.folder / f".{os.getpid()}-{uuid.uuid4().hex}"
        draft.mkdir(parents=True)
        try:
            np.save(draft / "keys.npy", np.array(keys, dtype=KEY))
            np.save(draft / "offsets.npy", np.cumsum([0, *(len(r) for r in rows)]))
            np.save(draft / "data.npy", np.concatenate(rows))
            part = draft.rename(self.folder / f"{sha256(b''.join(keys))[:32]}-{uuid.uuid4().hex[:8]}.part")
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        self._open(part)


class ScoreCache:
    """Reranker scores by (question, passage): for a question, a row of `width` floats a passage.

    The width is 1 for a cross-encoder and the number of question word pieces for late interaction.
    """

    def __init__(self, folder: Path) -> None:
        self._rows = RaggedCache(folder)
        self._fresh: list[tuple[bytes, np.ndarray]] = []

    @staticmethod
    def passage_keys(passages: Sequence[str]) -> np.ndarray:
        """Passage digests as uint64 (unique within a question with all but certainty)."""
        return np.array([int.from_bytes(digest(p)[:8], "little") for p in passages], dtype=np.uint64)

    def get(self, question: str, passages: np.ndarray, width: int) -> np.ndarray:
        """float32 [passages, width]; rows that are not held are NaN. `passages` from `passage_keys`."""
        out = np.full((len(passages), width), np.nan, np.float32)
        for keys, scores in self._held(question, width):
            at = np.minimum(np.searchsorted(keys, passages), len(keys) - 1)
            hit = keys[at] == passages
            out[hit] = scores[at[hit]]
        return out

    def _held(self, question: str, width: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for block in self._rows.all(digest(question)):
            flat = block.reshape(-1)
            count = len(flat) // (width + 2)
            yield flat[: 2 * count].view(np.uint64), flat[2 * count :].reshape(count, width)

    def put(self, question: str, passages: np.ndarray, scores: np.ndarray) -> None:
        """Keep scores (float32 [passages, width]) of a question's passages, at least one; `flush` writes them."""
        keys, first = np.unique(passages, return_index=True)
        block = np.concatenate([keys.view(np.float32), scores[first].astype(np.float32).reshape(-1)])
        self._fresh.append((digest(question), block[:, None]))

    def flush(self) -> None:
        """Write what was put since the last flush as one part."""
        self._rows.put([k for k, _ in self._fresh], [b for _, b in self._fresh])
        self._fresh.clear()
