"""The bootstrap engine: against a plain loop and scipy, its laws, and slices that a resample misses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from memtrial.statistics import resampling as engine
from memtrial.statistics.intervals import MIN_CLUSTERS, Floats, Resampling, counts
from memtrial.statistics.resampling import mean_intervals, percentiles, resampled_means

RESAMPLING = Resampling(resamples=1200, seed=20260830, confidence=0.9)


def table(seed: int, rows: int = 60, slices: int = 4, measures: int = 3) -> tuple[Floats, engine.Flags, list[str]]:
    """Right and wrong, random slices of which the first is everything, and twelve conversations of unequal size."""
    generator = np.random.default_rng(seed)
    values = (generator.random((rows, measures)) < 0.7).astype(np.float64)
    members = generator.random((rows, slices)) < 0.5
    members[:, 0] = True
    return values, members, [f"c{c:02}" for c in generator.integers(12, size=rows)]


def test_it_is_the_mean_of_the_drawn_questions() -> None:
    values, members, clusters = table(1)
    values += np.random.default_rng(2).random(values.shape)
    drawn = np.concatenate(list(counts(len(set(clusters)), RESAMPLING)))
    place = {c: n for n, c in enumerate(sorted(set(clusters)))}
    found = resampled_means(values, members, clusters, RESAMPLING)
    for r in range(0, RESAMPLING.resamples, 100):
        times = [int(drawn[r, place[c]]) for c in clusters]
        for s in range(members.shape[1]):
            rows = [i for i, often in enumerate(times) for _ in range(often) if members[i, s]]
            assert found[r, s] == pytest.approx(values[rows].mean(axis=0), abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_intervals_agree_with_scipy(seed: int) -> None:
    values, members, _ = table(seed, rows=150, slices=1, measures=2)
    ids = [f"q{n:03}" for n in range(150)]
    often = Resampling(10000, seed, 0.95)
    low, high = mean_intervals(values, members, ids, often)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=10000, method="percentile", axis=0, rng=np.random.default_rng(seed + 99)
    ).confidence_interval
    assert low[0] == pytest.approx(theirs.low, abs=1 / 150 + 1e-9)  # one question: the lattice of the ends
    assert high[0] == pytest.approx(theirs.high, abs=1 / 150 + 1e-9)


def test_equal_slices_have_equal_means_whatever_other_slices_there_are() -> None:
    values, members, clusters = table(3)
    members[:, 2] = True
    means = resampled_means(values, members, clusters, RESAMPLING)
    assert np.array_equal(means[:, 0], means[:, 2])
    assert np.array_equal(means[:, :1], resampled_means(values, members[:, :1], clusters, RESAMPLING))


def everything(values: Floats, clusters: list[str], resampling: Resampling = RESAMPLING) -> tuple[float, float]:
    """The interval of the first measure over all questions."""
    low, high = mean_intervals(values, np.ones((len(values), 1), dtype=bool), clusters, resampling)
    return low[0, 0], high[0, 0]


def test_the_interval_of_a_proportion_follows_the_binomial() -> None:
    values = np.repeat([[1.0], [0.0]], [160, 40], axis=0)
    ends = everything(values, [f"q{n:03}" for n in range(200)], Resampling(20000, 1, 0.95))
    assert ends == pytest.approx(stats.binom(200, 0.8).ppf([0.025, 0.975]) / 200, abs=0.006)


def test_clusters_are_drawn_whole() -> None:
    """Eight conversations, all right or all wrong: only 0, 1/8 .. 1 can occur, and the interval is far wider."""
    values = np.array([[float(n < 40)] for n in range(80)])
    # Draws from Binomial(8, 1/2): at most 1 has probability 0.035, at most 0 has 0.004.
    assert everything(values, [f"c{n // 10}" for n in range(80)], Resampling(4000, 1, 0.95)) == (1 / 8, 7 / 8)
    low, high = everything(values, [f"q{n:02}" for n in range(80)])
    assert 0.35 < low < high < 0.65


def test_unequal_clusters_weigh_by_their_questions() -> None:
    """Four clusters of 1 right and one of 6 wrong: drawn k times that one gives a mean of (5 - k) / (5 + 5 k)."""
    values = np.array([[1.0]] * 4 + [[0.0]] * 6)
    # k is Binomial(5, 1/5): P(k = 0) = 0.33, P(k <= 1) = 0.74, P(k <= 2) = 0.94, so the quartiles are at k = 2 and 0.
    ends = everything(values, [*"abcd", *"eeeeee"], Resampling(4000, 1, 0.5))
    assert ends == pytest.approx((3 / 15, 1.0))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1 << 20), st.permutations(range(3)), st.permutations(range(4)))
def test_order_of_systems_and_slices_does_not_matter(seed: int, systems: list[int], slices: list[int]) -> None:
    values, members, clusters = table(seed)
    few = RESAMPLING._replace(resamples=50)
    there = resampled_means(values, members, clusters, few)
    back = resampled_means(values[:, systems], members[:, slices], clusters, few)
    assert np.array_equal(there[:, slices][:, :, systems], back, equal_nan=True)


def test_it_repeats_by_seed_and_draws_are_shared() -> None:
    values, members, clusters = table(4)
    values[:, 1] = values[:, 0]
    means = resampled_means(values, members, clusters, RESAMPLING)
    assert np.array_equal(means, resampled_means(values, members, clusters, RESAMPLING))
    assert not np.array_equal(means, resampled_means(values, members, clusters, RESAMPLING._replace(seed=1)))
    assert np.array_equal(means[:, :, 0], means[:, :, 1])


def test_slices_taken_a_few_at_a_time_have_the_same_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    values, members, clusters = table(5)
    whole = mean_intervals(values, members, clusters, RESAMPLING)
    monkeypatch.setattr(engine, "_BYTES", 1)
    assert np.array_equal(whole, mean_intervals(values, members, clusters, RESAMPLING))


def test_an_unjudged_row_makes_only_the_slices_that_hold_it_unknown() -> None:
    values, members, clusters = table(6)
    members[0] = [True, False, True, False]
    values[0, 1] = np.nan
    low, high = mean_intervals(values, members, clusters, RESAMPLING)
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [[False, s in (0, 2), False] for s in range(4)]
    filled = mean_intervals(np.nan_to_num(values), members, clusters, RESAMPLING)
    assert np.array_equal(filled[0][1], low[1])


def test_a_resample_that_misses_a_slice_does_not_count() -> None:
    """Two questions of forty, one right: both drawn, or one alone, or none, which is in (38/40)^40 of resamples."""
    ids = [f"q{n:02}" for n in range(40)]
    values = np.zeros((40, 1))
    values[0] = 1
    members = np.zeros((40, 1), dtype=bool)
    members[:2] = True
    often = Resampling(20000, 1, 0.5)
    means = resampled_means(values, members, ids, often)
    missed = np.concatenate(list(counts(40, often)))[:, :2].sum(axis=1) == 0
    assert np.array_equal(np.isnan(means[:, 0, 0]), missed)
    assert missed.mean() == pytest.approx((38 / 40) ** 40, abs=0.01)
    low, high = percentiles(means, 0.5)
    assert np.isnan(resampled_means(values, np.zeros_like(members), ids, RESAMPLING)).all()
    known = means[~np.isnan(means)]
    assert (low[0, 0], high[0, 0]) == tuple(np.quantile(known, [0.25, 0.75]))
    assert known.mean() == pytest.approx(0.5, abs=0.01)


def test_a_slice_in_too_few_conversations_is_drawn_by_questions() -> None:
    """Equal conversations: drawn whole, the slice of two of them would claim certainty."""
    clusters = [f"c{n // 10}" for n in range(80)]
    values = np.array([[float(n % 2)] for n in range(80)])
    members = np.zeros((80, 2), dtype=bool)
    members[:, 0], members[: 10 * (MIN_CLUSTERS - 1), 1] = True, True
    low, high = mean_intervals(values, members, clusters, RESAMPLING)
    assert low[0] == high[0] == 0.5
    assert low[1] < 0.42 < 0.58 < high[1]
    members[: 10 * MIN_CLUSTERS, 1] = True
    low, high = mean_intervals(values, members, clusters, RESAMPLING)
    assert low[1] == high[1] == 0.5


def test_percentiles_are_numpys() -> None:
    samples = np.random.default_rng(7).random((999, 2, 3))
    samples[:400, 1, 2] = np.nan
    samples[:, 0, 1] = np.nan
    low, high = percentiles(samples, 0.8)
    assert np.isnan([low[0, 1], high[0, 1]]).all()
    samples[:, 0, 1] = low[0, 1] = high[0, 1] = 0
    assert np.array([low, high]) == pytest.approx(np.nanquantile(samples, [0.1, 0.9], axis=0), abs=1e-12)


def test_lengths_that_differ_are_refused() -> None:
    values, members, clusters = table(8)
    for wrong in ((values[1:], members, clusters), (values, members[1:], clusters), (values, members, clusters[1:])):
        with pytest.raises(ValueError, match="not equal"):
            resampled_means(*wrong, RESAMPLING)
    with pytest.raises(ValueError, match="none"):
        resampled_means(values[:0], members[:0], [], RESAMPLING)
