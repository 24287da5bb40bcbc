"""Intervals of a proportion or a mean over questions: Wilson's score interval and the percentile bootstrap.

Wilson treats the questions as independent. The bootstrap does so too when every question is its own cluster;
with conversations as clusters whole conversations are drawn, so that questions on one history are not counted as
independent evidence (with few clusters, such as LoCoMo's ten, a percentile interval is still somewhat too narrow).
Fewer than `MIN_CLUSTERS` cannot show how conversations differ (one gives an interval of no width): then questions are
drawn instead.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DECIMALS = 6  # of every rate in a table: last bits differ between BLAS builds, and must not reach a hash
MIN_CLUSTERS = 5
_CHUNK = 500  # resamples drawn at a time: bounds the memory of the count matrix


class Resampling(NamedTuple):
    """How intervals are drawn: number of resamples, seed, and two-sided confidence in (0, 1)."""

    resamples: int
    seed: int
    confidence: float


def wilson(correct: int, n: int, confidence: float) -> tuple[float, float]:
    """Wilson score interval of `correct` of `n` (E. B. Wilson, JASA 22, 1927), both ends in [0, 1].

    Raises `ValueError` unless 0 <= correct <= n and n > 0.
    """
    if not 0 <= correct <= n or n == 0:
        raise ValueError(f"a proportion needs 0 <= correct <= n and n > 0, not {correct} of {n}")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    p = correct / n
    scale = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / scale
    half = z / scale * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # At 0 of n and n of n the end is exactly 0 or 1; rounding must not leave it a hair inside.
    low = 0.0 if correct == 0 else max(0.0, centre - half)
    high = 1.0 if correct == n else min(1.0, centre + half)
    return low, high


def bootstrap(
    ids: Sequence[str], values: Floats, clusters: Sequence[str], resampling: Resampling
) -> tuple[Floats, Floats]:
    """Percentile bootstrap interval of the mean of each column of `values` [questions x measures].

    Clusters (with fewer than `MIN_CLUSTERS`, rows) are drawn with replacement and a resample's mean is the ratio of
    summed values to summed sizes (Davison and Hinkley, Bootstrap Methods and their Application, 1997, 2.4 and 3.8).
    Rows are put in the order of `ids` first, so their order on input does not matter; all columns share their draws.
    Returns the low and the high ends [measures]. Raises `ValueError` for no rows or for lengths that differ.
    """
    if not len(ids) == len(clusters) == len(values) > 0:
        raise ValueError(f"{len(ids)} ids, {len(clusters)} clusters and {len(values)} rows: not equal, or none")
    order = np.argsort(np.asarray(ids, dtype=str), kind="stable")
    drawn = clusters if len(set(clusters)) >= MIN_CLUSTERS else ids
    labels, member = np.unique(np.asarray(drawn, dtype=str)[order], return_inverse=True)
    sums = np.zeros((len(labels), values.shape[1]))
    np.add.at(sums, member, values[order])
    sizes = np.bincount(member).astype(np.float64)
    means = np.concatenate([(c @ sums) / (c @ sizes)[:, None] for c in _counts(len(labels), resampling)])
    tail = (1 - resampling.confidence) / 2
    low, high = np.quantile(np.ascontiguousarray(means.T), [tail, 1 - tail], axis=1)
    return low, high


def _counts(n: int, resampling: Resampling) -> Iterator[Floats]:
    """How often each of n clusters is drawn in each resample: matrices [resamples x clusters], in chunks."""
    generator = np.random.default_rng(resampling.seed)
    for start in range(0, resampling.resamples, _CHUNK):
        rows = min(_CHUNK, resampling.resamples - start)
        cells = generator.integers(n, size=(rows, n)) + n * np.arange(rows)[:, None]
        yield np.bincount(cells.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)
