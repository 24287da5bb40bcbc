"""The bootstrap of many means at once: every slice and every measure over the same draws.

Clusters are drawn with replacement from all questions; a slice's mean in a resample is the ratio of its summed values
to its number of questions there (Davison and Hinkley, Bootstrap Methods and their Application, 1997, 2.4 and 3.8). How
often each cluster is drawn is a matrix of counts, so a slice's means are one matrix product, over the clusters that it
has questions in. Since draws are shared, means may be subtracted from one another, resample by resample: what two
slices or two systems have in common cancels as it should.

A resample may miss a slice wholly (with m clusters out of many, in a share of about exp(-m) of the resamples): its mean
is then NaN, and intervals are over the resamples that hold the slice. A slice whose questions lie in fewer than
`MIN_CLUSTERS` clusters cannot show how clusters differ: for it questions are drawn, by draws of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memtrial.statistics.intervals import MIN_CLUSTERS, Floats, Resampling, counts

Flags = NDArray[np.bool_]
Ids = NDArray[np.int64]
_BYTES = 1 << 27  # of resampled means held at a time by `mean_intervals`


def resampled_means(values: Floats, members: Flags, clusters: Sequence[str], resampling: Resampling) -> Floats:
    """Means in each resample [resamples x slices x measures] of `values` [questions x measures].

    `members` [questions x slices] says which questions a slice holds, `clusters` [questions] what is drawn whole. Rows
    are in ascending order of ids. A NaN among a slice's values (an unjudged row) makes that measure's mean NaN in all
    resamples, as missing the slice does in one. Raises `ValueError` for no rows or for lengths that differ.
    """
    if not len(clusters) == len(members) == len(values) > 0:
        lengths = f"{len(values)} rows, {len(members)} memberships, {len(clusters)} clusters"
        raise ValueError(f"{lengths}: not equal, or none")
    labels = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)[1]
    own = np.arange(len(values))
    few = np.array([len(np.unique(labels[held])) < MIN_CLUSTERS for held in members.T], dtype=bool)
    if labels.max() + 1 == len(values):
        labels, few = own, np.zeros_like(few)
    means = np.empty((resampling.resamples, members.shape[1], values.shape[1]))
    for chosen, groups, seed in ((~few, labels, resampling.seed), (few, own, resampling.seed + 1)):
        if chosen.any():
            _fill(means, chosen, (values, members, groups), resampling._replace(seed=seed))
    return means


def _fill(means: Floats, chosen: Flags, data: tuple[Floats, Flags, Ids], resampling: Resampling) -> None:
    """Fill the chosen slices of `means`; `data` is values, memberships, and each row's group, which is drawn whole."""
    values, members, groups = data
    order = np.argsort(groups, kind="stable")
    summed = {s: _sums(values[order], members[order, s], groups[order]) for s in np.flatnonzero(chosen)}
    start = 0
    for drawn in counts(int(groups.max()) + 1, resampling):
        for s, (held, sums) in summed.items():
            totals = (drawn if len(held) == drawn.shape[1] else drawn[:, held]) @ sums
            with np.errstate(invalid="ignore"):
                means[start : start + len(drawn), s] = totals[:, :-1] / totals[:, -1:]
        start += len(drawn)


def _sums(values: Floats, member: Flags, groups: Ids) -> tuple[Ids, Floats]:
    """The groups that a slice has questions in, and for each its summed values and, last, its number of questions."""
    held, starts = np.unique(groups[member], return_index=True)
    rows = np.column_stack([values[member], np.ones(member.sum())])
    return held, np.add.reduceat(rows, starts, axis=0) if len(held) else np.zeros((0, rows.shape[1]))


def percentiles(samples: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Percentile interval over the first axis of `samples` [resamples x ...]: low and high ends [...].

    A NaN is a resample that has no such value: it is left out. All NaN gives NaN.
    """
    tail = (1 - confidence) / 2
    drawn = np.ascontiguousarray(samples.reshape(len(samples), -1).T)
    known = ~np.isnan(drawn)
    ends = np.full((2, len(drawn)), np.nan)
    whole = known.all(axis=1)
    ends[:, whole] = np.quantile(drawn[whole], [tail, 1 - tail], axis=1, overwrite_input=True)
    for row in np.flatnonzero(~whole & known.any(axis=1)):
        ends[:, row] = np.quantile(drawn[row, known[row]], [tail, 1 - tail])
    low, high = ends.reshape(2, *samples.shape[1:])
    return low, high


def mean_intervals(
    values: Floats, members: Flags, clusters: Sequence[str], resampling: Resampling
) -> tuple[Floats, Floats]:
    """Percentile intervals of the means of `resampled_means`: low and high ends [slices x measures].

    Slices are taken some at a time, by the same draws, so that memory is bounded. NaN where a value is.
    """
    step = max(1, _BYTES // (8 * resampling.resamples * max(1, values.shape[1])))
    found = [
        percentiles(resampled_means(values, members[:, s : s + step], clusters, resampling), resampling.confidence)
        for s in range(0, members.shape[1], step)
    ]
    low, high = (np.concatenate(ends) for ends in zip(*found, strict=True))
    return low, high
