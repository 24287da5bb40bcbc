"""Exact p-values of paired yes/no outcomes, and their correction for the number of tests in a block."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from scipy.stats import binomtest

# Significant digits of a p-value in a table: small ones keep their size, last bits do not reach a hash.
P_DIGITS = 7


@cache
def mcnemar(only_a: int, only_b: int) -> float:
    """Exact two-sided p of McNemar's test (Q. McNemar, Psychometrika 12, 1947): binomial, over the discordant pairs.

    `only_a` and `only_b` count the pairs in which just one side is right; without any the sides do not differ (p = 1).

    >>> mcnemar(6, 2)
    0.2890625
    """
    discordant = only_a + only_b
    return float(binomtest(only_a, discordant).pvalue) if discordant else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction (S. Holm, Scand. J. Stat. 6, 1979) of the tests of one block, in the order given.

    The i-th smallest of m (i from 0) is multiplied by m - i; none falls below a smaller one's result or exceeds 1.
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return [float(c) for c in corrected]


def rounded(p: float) -> float:
    """A p-value with `P_DIGITS` significant digits."""
    return float(f"{p:.{P_DIGITS}g}")
