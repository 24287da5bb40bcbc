"""From lane scores to the pool: nominations, their union and its order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from memtrial.retrieval.lanes import ranking

RRF_K = 60


class Pool(NamedTuple):
    """Pooled session indices in pool order, and the 1-based ranks of each lane by session index."""

    order: list[int]
    dense: dict[int, int]
    keyword: dict[int, int]
    expansion: dict[int, int]


def _ranks(order: np.ndarray, limit: int) -> dict[int, int]:
    return {int(i): rank for rank, i in enumerate(order[:limit], 1)}


def build_pool(
    dense: np.ndarray, keyword: np.ndarray, expansion: np.ndarray, *, nominations: int, expansion_limit: int
) -> Pool:
    """Union of the lanes' nominations over session scores [sessions].

    Dense and keyword nominate `nominations` each and are fused by reciprocal rank (Cormack et al. 2009, k = 60; ties:
    older session first). A keyword score of 0 is no nomination. The expansion lane may only add: at most
    `expansion_limit` sessions that neither lane named, after all others, in its own order.
    """
    by_dense = _ranks(ranking(dense), nominations)
    by_keyword = _ranks(np.array([i for i in ranking(keyword) if keyword[i] > 0], dtype=int), nominations)
    lanes = (by_dense, by_keyword)
    fused = {i: sum(1 / (RRF_K + lane[i]) for lane in lanes if i in lane) for i in by_dense.keys() | by_keyword.keys()}
    order = sorted(fused, key=lambda i: (-round(fused[i], 12), i))
    added = [int(i) for i in ranking(expansion) if int(i) not in fused][:expansion_limit]
    return Pool(order + added, by_dense, by_keyword, {i: r for r, i in enumerate(added, 1)})
