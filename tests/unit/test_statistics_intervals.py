"""Closed forms and the bootstrap of one table against reference libraries, and how often the intervals hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench.intervals_coverage import clustered, coverage, exact_rows
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import proportion_confint

from memtrial.statistics import intervals
from memtrial.statistics.intervals import MIN_CLUSTERS, Resampling, bootstrap, standard_errors, t_interval, wilson

RESAMPLING = Resampling(resamples=4000, seed=20260830, confidence=0.95)


@given(
    st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.8, 0.95, 0.99])
)
def test_wilson_equals_statsmodels(counts: tuple[int, int], confidence: float) -> None:
    correct, n = counts
    expected = proportion_confint(correct, n, alpha=1 - confidence, method="wilson")
    assert wilson(correct, n, confidence) == pytest.approx(expected, abs=1e-12)


def test_wilson_of_a_published_run() -> None:
    assert [round(100 * end, 2) for end in wilson(479, 500, 0.95)] == [93.66, 97.24]
    assert [round(100 * end, 2) for end in wilson(475, 500, 0.95)] == [92.72, 96.59]


def test_wilson_touches_the_ends_exactly_and_refuses_nonsense() -> None:
    assert wilson(0, 10, 0.95)[0] == 0 and wilson(10, 10, 0.95)[1] == 1
    for correct, n in ((0, 0), (3, 2), (-1, 5)):
        with pytest.raises(ValueError, match="correct"):
            wilson(correct, n, 0.95)


def test_bootstrap_of_a_proportion_follows_the_binomial() -> None:
    values = np.repeat([[1.0], [0.0]], [160, 40], axis=0)
    ids = [f"q{n:03}" for n in range(200)]
    low, high = bootstrap(ids, values, ids, Resampling(20000, 1, 0.95))
    expected = stats.binom(200, 0.8).ppf([0.025, 0.975]) / 200
    assert [low[0], high[0]] == pytest.approx(expected, abs=0.006)


def test_bootstrap_of_a_mean_agrees_with_scipy() -> None:
    sample = np.random.default_rng(3).gamma(2.0, size=120)
    ids = [f"q{n:03}" for n in range(120)]
    low, high = bootstrap(ids, sample[:, None], ids, Resampling(20000, 1, 0.9))
    theirs = stats.bootstrap(
        (sample,), np.mean, n_resamples=20000, confidence_level=0.9, method="percentile", rng=np.random.default_rng(5)
    ).confidence_interval
    assert [low[0], high[0]] == pytest.approx([theirs.low, theirs.high], abs=0.02)


def test_bootstrap_does_not_depend_on_the_order_of_rows() -> None:
    generator = np.random.default_rng(0)
    values = generator.random((90, 3))
    ids = [f"q{n}" for n in range(90)]
    clusters = [f"c{n % 7}" for n in range(90)]
    order = generator.permutation(90)
    there = bootstrap(ids, values, clusters, RESAMPLING)
    back = bootstrap([ids[i] for i in order], values[order], [clusters[i] for i in order], RESAMPLING)
    assert np.array_equal(there, back)


def test_bootstrap_repeats_by_seed_and_shares_draws_between_columns() -> None:
    ids = [f"q{n:02}" for n in range(40)]
    values = np.random.default_rng(1).random((40, 1))
    low, _ = bootstrap(ids, np.hstack([values, values]), ids, RESAMPLING)
    assert low[0] == low[1] == bootstrap(ids, values, ids, RESAMPLING)[0][0]
    assert low[0] != bootstrap(ids, values, ids, RESAMPLING._replace(seed=1))[0][0]


def test_clusters_are_drawn_whole() -> None:
    """Eight conversations, all right or all wrong: only 0, 1/8 .. 1 can occur, and the interval is far wider."""
    ids = [f"q{n:02}" for n in range(80)]
    clusters = [f"c{n // 10}" for n in range(80)]
    values = np.array([[float(n < 40)] for n in range(80)])
    low, high = bootstrap(ids, values, clusters, RESAMPLING)
    # Draws from Binomial(8, 1/2): at most 1 has probability 0.035, at most 0 has 0.004.
    assert (low[0], high[0]) == (1 / 8, 7 / 8)
    alone = bootstrap(ids, values, ids, RESAMPLING)
    assert 0.35 < alone[0][0] < alone[1][0] < 0.65


def test_unequal_clusters_weigh_by_their_questions() -> None:
    """Four clusters of 1 right and one of 6 wrong: drawn k times that one gives a mean of (5 - k) / (5 + 5 k)."""
    ids = [f"q{n}" for n in range(10)]
    values = np.array([[1.0]] * 4 + [[0.0]] * 6)
    low, high = bootstrap(ids, values, [*"abcd", *"eeeeee"], Resampling(4000, 1, 0.5))
    # k is Binomial(5, 1/5): P(k = 0) = 0.33, P(k <= 1) = 0.74, P(k <= 2) = 0.94, so the quartiles are at k = 2 and 0.
    assert (low[0], high[0]) == pytest.approx((3 / 15, 1.0))


@pytest.mark.parametrize("number", [1, MIN_CLUSTERS - 1])
def test_too_few_clusters_give_the_interval_over_rows_and_not_one_of_no_width(number: int) -> None:
    """Equal conversations: drawn whole, every resample is the same, which would claim certainty."""
    ids = [f"q{n:02}" for n in range(40)]
    values = np.array([[float(n < 20)] for n in range(40)])
    there = bootstrap(ids, values, [f"c{n % number}" for n in range(40)], RESAMPLING)
    assert np.array_equal(there, bootstrap(ids, values, ids, RESAMPLING))
    assert there[0][0] < 0.4 < 0.6 < there[1][0]


def test_bootstrap_refuses_lengths_that_differ() -> None:
    with pytest.raises(ValueError, match="not equal"):
        bootstrap(["a"], np.zeros((2, 1)), ["a"], RESAMPLING)
    with pytest.raises(ValueError, match="none"):
        bootstrap([], np.zeros((0, 1)), [], RESAMPLING)


def plain(values: np.ndarray) -> np.ndarray:
    return (values - values.mean(axis=0)) / len(values)


def test_standard_errors_as_rumba_prints_them() -> None:
    """34.93 ± 1.21, 68.89 ± 1.18 and 83.60 ± 0.94 percent of 1,543 questions."""
    right = (539, 1063, 1290)
    values = np.array([[float(n < r) for r in right] for n in range(1543)])
    errors = standard_errors(plain(values), [f"q{n:04}" for n in range(1543)])
    assert [f"{100 * m:.2f} ± {100 * e:.2f}" for m, e in zip(values.mean(axis=0), errors, strict=True)] == [
        "34.93 ± 1.21",
        "68.89 ± 1.18",
        "83.60 ± 0.94",
    ]


@pytest.mark.parametrize("seed", range(20))
def test_clustered_errors_equal_statsmodels(seed: int) -> None:
    """The mean is a regression on a constant, whose cluster-robust error has the same correction G / (G - 1)."""
    generator = np.random.default_rng(seed)
    groups = generator.integers(MIN_CLUSTERS + seed, size=120)
    values = generator.random((120, 1)) + 0.2 * groups[:, None]
    theirs = OLS(values[:, 0], np.ones(120)).fit(cov_type="cluster", cov_kwds={"groups": groups}).bse
    assert standard_errors(plain(values), [f"c{g}" for g in groups]) == pytest.approx(theirs, rel=1e-10)


def test_errors_of_too_few_clusters_are_over_questions_and_lengths_must_agree() -> None:
    values = np.array([[float(n < 20)] for n in range(40)])
    few = standard_errors(plain(values), [f"c{n // 10}" for n in range(40)])
    assert few == pytest.approx(np.sqrt(0.25 / 40))
    for influence, clusters in ((values, ["a"]), (values[:0], [])):
        with pytest.raises(ValueError, match="not equal, or none"):
            standard_errors(influence, clusters)


@pytest.mark.parametrize(("n", "rate"), [(50, 0.5), (50, 0.8), (50, 0.96), (500, 0.8)])
def test_exact_coverage_of_wilson(n: int, rate: float) -> None:
    """By inversion: a count's interval holds the rate just where its score test does not reject."""
    counts = np.arange(n + 1)
    held = np.abs(counts / n - rate) <= stats.norm.ppf(0.975) * np.sqrt(rate * (1 - rate) / n)
    assert coverage(n, rate)["wilson"] == pytest.approx(stats.binom(n, rate).pmf(counts)[held].sum(), abs=1e-12)


@pytest.mark.parametrize(("n", "rate", "stated"), [(50, 0.5, 0.967), (50, 0.8, 0.938), (50, 0.96, 0.867)])
def test_exact_coverage_of_the_bootstrap_is_that_of_ours(n: int, rate: float, stated: float) -> None:
    """The interval of every count by resampling, its chance by the binomial; the README states these figures."""
    ids = [f"q{i:02}" for i in range(n)]
    every = np.array([[float(i < right) for right in range(n + 1)] for i in range(n)])
    low, high = bootstrap(ids, every, ids, Resampling(20000, 1, 0.95))
    held = (low <= rate + 1e-9) & (high >= rate - 1e-9)
    chance = stats.binom(n, rate).pmf(np.arange(n + 1))[held].sum()
    assert coverage(n, rate)["bootstrap"] == pytest.approx(chance, abs=0.002)
    assert round(chance, 3) == stated


def test_the_readme_states_the_exact_table() -> None:
    stated = Path(intervals.__file__).with_name("README.md").read_text(encoding="utf-8").replace("**", "")
    for row in exact_rows()[1:]:
        assert f"| {' | '.join(row)} |" in stated


def test_conversations_that_differ_need_the_clustered_interval() -> None:
    found = clustered(85, 18, 0.8, 0.05, simulations=500)
    assert found["wilson"] < 0.9 < 0.925 < found["clustered bootstrap"] < 0.97


def test_t_interval_over_ten_conversations() -> None:
    low, high = t_interval(np.array([0.8, 0.99]), np.array([0.02, 0.02]), 10, 0.95)
    assert low == pytest.approx([0.8 - 2.262157 * 0.02, 0.99 - 2.262157 * 0.02], abs=1e-6)
    assert high == pytest.approx([0.8 + 2.262157 * 0.02, 1.0], abs=1e-6)
