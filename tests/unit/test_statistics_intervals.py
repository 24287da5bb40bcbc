"""Closed forms against reference libraries, and how often the intervals hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from intervals_coverage import clustered, coverage, exact_rows
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import proportion_confint

from memtrial.statistics import intervals
from memtrial.statistics.intervals import MIN_CLUSTERS, Resampling, standard_errors, t_interval, wilson
from memtrial.statistics.resampling import mean_intervals

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
    [low], [high] = mean_intervals(every, np.ones((n, 1), dtype=bool), ids, Resampling(20000, 1, 0.95))
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


def test_a_rate_is_rounded_and_never_minus_nothing() -> None:
    assert [intervals.rate(v) for v in (1 / 3, None, float("nan"))] == [0.333333, None, None]
    assert str(intervals.rate(-1e-9)) == "0.0"
