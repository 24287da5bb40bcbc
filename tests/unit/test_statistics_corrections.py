"""Exact McNemar and Holm against statsmodels on random tables, and by hand."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as reference_mcnemar
from statsmodels.stats.multitest import multipletests

from memtrial.statistics.corrections import holm, mcnemar, rounded

P_VALUES = st.lists(st.floats(0, 1), max_size=30)


def test_mcnemar_by_hand() -> None:
    # Eight discordant pairs: 2 * (1 + 8 + 28) / 256.
    assert mcnemar(6, 2) == mcnemar(2, 6) == 0.2890625
    assert mcnemar(0, 0) == mcnemar(4, 4) == 1.0
    assert mcnemar(5, 0) == 0.0625


def test_mcnemar_equals_statsmodels_on_1000_random_tables() -> None:
    tables = np.random.default_rng(5).integers(0, [400, 60, 60, 400], size=(1000, 4))
    for both, only_a, only_b, neither in tables.tolist():
        expected = reference_mcnemar([[both, only_a], [only_b, neither]], exact=True).pvalue
        assert mcnemar(only_a, only_b) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


def test_holm_equals_statsmodels_on_1000_random_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    # The reference empties the interpreter's garbage at each call, which takes nearly all of its time.
    monkeypatch.setattr(gc, "collect", int)
    generator = np.random.default_rng(6)
    for _ in range(1000):
        p = generator.beta(0.4, 2, size=generator.integers(1, 40))
        # Ties occur: exact tests of small counts often share a p-value.
        p = np.where(generator.random(len(p)) < 0.3, np.round(p, 1), p)
        np.testing.assert_allclose(holm(p.tolist()), multipletests(p, method="holm")[1], rtol=1e-12)


@given(P_VALUES, st.randoms(use_true_random=False))
def test_holm_keeps_the_order_of_p_values_and_knows_none_of_the_rows(p: list[float], random: object) -> None:
    order = list(range(len(p)))
    random.shuffle(order)  # type: ignore[attr-defined]
    corrected = holm(p)
    assert holm([p[i] for i in order]) == [corrected[i] for i in order]
    assert all(a <= b <= 1.0 for a, b in zip(p, corrected, strict=True))
    ranked = [c for _, c in sorted(zip(p, corrected, strict=True))]
    assert ranked == sorted(ranked)


def test_small_p_values_keep_their_size() -> None:
    assert (rounded(0.2890625), rounded(1.23456789e-12), rounded(1.0)) == (0.2890625, 1.234568e-12, 1.0)
