"""How often the intervals hold the true rate, at a nominal 95%; prints the tables of the statistics' README.

    python tests/bench/intervals_coverage.py        (ten seconds)

Independent questions: exact. The number of right answers is binomial, so coverage is the summed probability of the
counts whose interval holds the rate. So is the percentile bootstrap's, in the limit of many resamples: the resampled
number right of k in n is binomial with rate k / n. Conversations: simulated, with the engine and standard errors that
the tables use.
"""

from __future__ import annotations

import math
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binom, t
from statsmodels.stats.proportion import proportion_confint

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "workflow"))
from memtrial.statistics.intervals import Resampling, standard_errors, wilson
from memtrial.statistics.resampling import percentiles, resampled_means

CONFIDENCE = 0.95
SIZES, RATES = (50, 500, 1543), (0.5, 0.8, 0.96)
BAND = 0.02  # the same averaged over rates this near: what is left of a miss is not an accident of the lattice k / n
METHODS = ("wilson", "bootstrap", "1.96 se", "clopper-pearson")
CLUSTERED_METHODS = ("wilson", "clustered bootstrap", "t x clustered se")
# Conversations and questions in each (LoCoMo without its adversarial questions, RUMBA), and the correlation within one.
CONVERSATIONS = ((10, 154), (85, 18))
CORRELATIONS = (0.0, 0.05)
SIMULATIONS, BATCH, RESAMPLES = 10000, 500, 4000
Ends = dict[str, tuple[Any, Any]]


def ends(n: int) -> Ends:
    """Low and high ends [0..n right answers] of each method."""
    k, tail = np.arange(n + 1), (1 - CONFIDENCE) / 2
    low, high = np.array([wilson(int(right), n, CONFIDENCE) for right in k]).T
    half = 1.96 * np.sqrt(k / n * (1 - k / n) / n)
    exact = np.nan_to_num(np.array(proportion_confint(k, n, 1 - CONFIDENCE, "beta")), nan=1.0)
    exact[0, 0] = 0.0
    return {
        "wilson": (low, high),
        "bootstrap": (binom.ppf(tail, n, k / n) / n, binom.ppf(1 - tail, n, k / n) / n),
        "1.96 se": (k / n - half, k / n + half),
        "clopper-pearson": (exact[0], exact[1]),
    }


def coverage(n: int, rate: float, known: Ends | None = None) -> dict[str, float]:
    """Exact coverage of each method for n independent questions."""
    chances = binom.pmf(np.arange(n + 1), n, rate)
    nearly = 1e-12  # an end that is the rate holds it
    found = (known or ends(n)).items()
    return {m: float(chances[(low <= rate + nearly) & (high >= rate - nearly)].sum()) for m, (low, high) in found}


def clustered(conversations: int, each: int, rate: float, correlation: float, simulations: int) -> dict[str, float]:
    """Simulated coverage where questions of one conversation are alike: its own rate is drawn from a beta distribution
    with that mean, so that two of its verdicts correlate by `correlation`.
    """
    generator = np.random.default_rng(20260830)
    clusters = [f"{c:03}" for c in range(conversations) for _ in range(each)]
    everything = np.ones((len(clusters), 1), dtype=bool)
    held = dict.fromkeys(CLUSTERED_METHODS, 0)
    for batch in range(simulations // BATCH):
        own = np.full((conversations, BATCH), rate)
        if correlation:
            scale = 1 / correlation - 1
            own = generator.beta(rate * scale, (1 - rate) * scale, size=own.shape)
        values = (generator.random((len(clusters), BATCH)) < np.repeat(own, each, axis=0)).astype(np.float64)
        means = values.mean(axis=0)
        drawn = resampled_means(values, everything, clusters, Resampling(RESAMPLES, batch, CONFIDENCE))[:, 0]
        errors = standard_errors((values - means) / len(values), clusters)
        half = t(conversations - 1).ppf((1 + CONFIDENCE) / 2) * errors
        found = {
            "wilson": np.array([wilson(round(m * len(values)), len(values), CONFIDENCE) for m in means]).T,
            "clustered bootstrap": percentiles(drawn, CONFIDENCE),
            "t x clustered se": (means - half, means + half),
        }
        for method, (low, high) in found.items():
            held[method] += int(((low <= rate) & (rate <= high)).sum())
    return {method: count / (simulations // BATCH * BATCH) for method, count in held.items()}


def exact_rows() -> list[list[str]]:
    rows = [["n", "rate", *METHODS]]
    for n in SIZES:
        known = ends(n)
        for rate in RATES:
            at = coverage(n, rate, known)
            near = [coverage(n, r, known) for r in np.linspace(rate - BAND, rate + BAND, 41)]
            shown = [f"{at[m]:.1%} ({np.mean([c[m] for c in near]):.1%})" for m in METHODS]
            rows.append([str(n), str(rate), *shown])
    return rows


def clustered_rows() -> list[list[str]]:
    rows = [["conversations", "questions", "rate", "correlation", *CLUSTERED_METHODS]]
    for (conversations, each), rate, correlation in product(CONVERSATIONS, RATES[1:], CORRELATIONS):
        found = clustered(conversations, each, rate, correlation, SIMULATIONS)
        shown = [f"{found[m]:.1%}" for m in CLUSTERED_METHODS]
        rows.append([str(conversations), str(conversations * each), str(rate), str(correlation), *shown])
    return rows


def show(rows: list[list[str]]) -> None:
    """A Markdown table; the first row is its head."""
    for line in (rows[0], ["---"] * len(rows[0]), *rows[1:]):
        print("|", " | ".join(line), "|")


if __name__ == "__main__":
    print(f"Independent questions, exact (in brackets: averaged over rates within {BAND})\n")
    show(exact_rows())
    error = math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / SIMULATIONS)
    print(f"\nConversations, {SIMULATIONS} simulations (standard error of a figure near 95%: {error:.1%})\n")
    show(clustered_rows())
