"""Intervals of a proportion or a mean over questions in closed form, and what the bootstrap shares with them.

Wilson's interval treats questions as independent. Standard errors do so too when every question is its own cluster;
with conversations as clusters, questions on one history are not counted as independent evidence. Fewer than
`MIN_CLUSTERS` cannot show how conversations differ (one gives an interval of no width): then questions stand alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

Floats = NDArray[np.float64]
DECIMALS = 6  # of every rate in a table: last bits differ between BLAS builds, and must not reach a hash
MIN_CLUSTERS = 5
_NO_SPREAD = 1e-12
_CHUNK = 500  # resamples drawn at a time: bounds the memory of the count matrix


class Resampling(NamedTuple):
    """How intervals are drawn: number of resamples, seed, and two-sided confidence in (0, 1)."""

    resamples: int
    seed: int
    confidence: float


def resampling_of(spec: Mapping[str, Any]) -> Resampling:
    """The number of resamples, seed and confidence of a spec."""
    statistics = spec["statistics"]
    return Resampling(statistics["resamples"], statistics["seed"], statistics["confidence"])


def rate(value: float | None) -> float | None:
    """A rate as a table shows it: rounded, never -0.0, and null for NaN."""
    return None if value is None or math.isnan(value) else round(float(value), DECIMALS) + 0.0


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
    Cochran, Sampling Techniques, 1977, 6.4; Davison and Hinkley 1997, 2.7). With fewer than `MIN_CLUSTERS`
    questions stand alone. Raises `ValueError` for no rows or for lengths that differ.
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


def t_interval(
    means: Floats, errors: Floats, clusters: int, confidence: float, least: float = 0.0
) -> tuple[Floats, Floats]:
    """Means ± t standard errors with t of clusters - 1 degrees of freedom, within [least, 1].

    For few clusters: there the percentile bootstrap is too narrow (README). NaN where the error is 0, as where all are
    right: conversations that do not differ cannot show how they might.
    """
    half = float(stdtrit(clusters - 1, (1 + confidence) / 2)) * np.where(errors > _NO_SPREAD, errors, np.nan)
    return np.clip(means - half, least, 1), np.clip(means + half, least, 1)


def counts(n: int, resampling: Resampling) -> Iterator[Floats]:
    """How often each of n clusters is drawn in each resample: matrices [resamples x clusters], in chunks."""
    generator = np.random.default_rng(resampling.seed)
    for start in range(0, resampling.resamples, _CHUNK):
        rows = min(_CHUNK, resampling.resamples - start)
        cells = generator.integers(n, size=(rows, n)) + n * np.arange(rows)[:, None]
        yield np.bincount(cells.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)
