"""p-values, and their correction for the number of tests in a block."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any

import numpy as np
from scipy.special import stdtr

from memtrial.statistics.columns import P_DIGITS

Row = dict[str, Any]
_NO_SPREAD = 1e-12


@cache
def mcnemar(only_a: int, only_b: int) -> float:
    """Exact two-sided p of McNemar's test (Q. McNemar, Psychometrika 12, 1947): binomial, over the discordant pairs.

    `only_a` and `only_b` count the pairs in which just one side is right; without any the sides do not differ (p = 1).

    >>> mcnemar(6, 2)
    0.2890625
    """
    discordant = only_a + only_b
    # In whole numbers, so exact to the last digit; scipy.stats takes longer to import than these tables take to make.
    tail = sum(comb(discordant, k) for k in range(min(only_a, only_b) + 1))
    return min(1.0, 2 * tail / (1 << discordant))


def t_test(estimate: float, error: float, freedom: int) -> float | None:
    """Two-sided p of Student's t; 1 without any difference, None where nothing says how large chance is."""
    if np.isnan(estimate) or freedom < 1:
        return None
    if abs(error) < _NO_SPREAD:
        return 1.0 if abs(estimate) < _NO_SPREAD else None
    return float(2 * stdtr(freedom, -abs(estimate) / error))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction (S. Holm, Scand. J. Stat. 6, 1979) of the tests of one block, in the order given.

    The i-th smallest of m (i from 0) is multiplied by m - i; none falls below a smaller one's result or exceeds 1.
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return [float(c) for c in corrected]


def corrected(rows: Sequence[Row], p: str = "p") -> list[Row]:
    """The rows of one block with `p` (a column) rounded, `p_holm` and the number of `tests`; a null p is no test."""
    tested = [row[p] for row in rows if row[p] is not None]
    adjusted = iter(holm(tested))
    return [
        row
        | {"tests": len(tested)}
        | ({"p_holm": None} if row[p] is None else {p: rounded(row[p]), "p_holm": rounded(next(adjusted))})
        for row in rows
    ]


def rounded(p: float) -> float:
    """A p-value with `P_DIGITS` significant digits: last bits must not reach a hash."""
    return float(f"{p:.{P_DIGITS}g}")
