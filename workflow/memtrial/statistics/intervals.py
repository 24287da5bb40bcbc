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
from scipy.stats import t as student_t

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


def standard_errors(influence: Floats, clusters: Sequence[str]) -> Floats:
    """Standard errors [measures] of means, from how far each question moves them: `influence` [questions x measures].

    For a plain mean that is (y - mean) / n. Where every question is its own cluster the error is the root of the
    summed squares, which for right and wrong is sqrt(p (1 - p) / n). Otherwise influences are summed within clusters
    first, and the squares are scaled by G / (G - 1) for G clusters: the linearised variance of a ratio of sums (W. G.
    Cochran, Sampling Techniques, 1977, 6.4; Davison and Hinkley 1997, 2.7). With fewer than `MIN_CLUSTERS`, as in
    `bootstrap`, questions stand alone. Raises `ValueError` for no rows or for lengths that differ.
    """
    if not len(clusters) == len(influence) > 0:
        raise ValueError(f"{len(clusters)} clusters and {len(influence)} rows: not equal, or none")
    labels, member = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    number = len(labels)
    if MIN_CLUSTERS <= number < len(clusters):
        sums = np.zeros((number, influence.shape[1]))
        np.add.at(sums, member, influence)
        influence = sums * math.sqrt(number / (number - 1))
    errors: Floats = np.sqrt(np.square(influence).sum(axis=0))
    return errors


def t_interval(means: Floats, errors: Floats, clusters: int, confidence: float) -> tuple[Floats, Floats]:
    """Means ± t standard errors with t of clusters - 1 degrees of freedom, within [0, 1].

    For few clusters: there the percentile bootstrap is too narrow (README).
    """
    half = float(student_t.ppf((1 + confidence) / 2, clusters - 1)) * errors
    return np.clip(means - half, 0, 1), np.clip(means + half, 0, 1)


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
    means = np.concatenate([(c @ sums) / (c @ sizes)[:, None] for c in counts(len(labels), resampling)])
    tail = (1 - resampling.confidence) / 2
    low, high = np.quantile(np.ascontiguousarray(means.T), [tail, 1 - tail], axis=1)
    return low, high


def counts(n: int, resampling: Resampling) -> Iterator[Floats]:
    """How often each of n clusters is drawn in each resample: matrices [resamples x clusters], in chunks."""
    generator = np.random.default_rng(resampling.seed)
    for start in range(0, resampling.resamples, _CHUNK):
        rows = min(_CHUNK, resampling.resamples - start)
        cells = generator.integers(n, size=(rows, n)) + n * np.arange(rows)[:, None]
        yield np.bincount(cells.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)
