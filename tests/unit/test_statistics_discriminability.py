"""How well slices tell systems apart: by hand, against the analysis of variance, and over simulated systems."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import sem
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from memtrial.errors import InputError
from memtrial.records import Verdict
from memtrial.statistics import columns, tables
from memtrial.statistics.cells import Cell
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.discriminability import PAIRED, PLAIN, discriminability_rows


def design(n: int, per_cluster: int = 1, undisputed: int | None = None) -> Design:
    ids = tuple(f"q{i:04}" for i in range(n))
    sets = {"published": frozenset(ids)} | ({"undisputed": frozenset(ids[:undisputed])} if undisputed else {})
    slices = (Slice("all", "all", ids), Slice("half", "first", ids[: n // 2]))
    clusters = {i: f"c{number // per_cluster}" for number, i in enumerate(ids)}
    return Design(ids, slices, sets, clusters, dict.fromkeys(ids, "t"), frozenset())


def cells(values: Any, reader: str = "r") -> list[Cell]:
    """A cell a column of `values` [questions x systems], NaN for unjudged."""
    return [Cell(f"s{n}", reader, "1", "j", [verdict(i, v) for i, v in enumerate(c)]) for n, c in enumerate(values.T)]


def verdict(number: int, value: float) -> Verdict:
    status, correct = ("error", None) if np.isnan(value) else ("judged", bool(value))
    return Verdict(f"q{number:04}", status, correct, None, None, "", "m", None, "p", "t", "a", None, 1, None)


def measured(values: Any, **shape: int) -> dict[str, dict[str, Any]]:
    rows = discriminability_rows(design(len(values), **shape), cells(values))
    return {r["formula"]: r for r in rows if r["axis"] == "all"}


def drawn(seed: int, n: int, abilities: list[float], hardness: float) -> Any:
    generator = np.random.default_rng(seed)
    shared = generator.normal(0, hardness, (n, 1))
    return (generator.normal(0, 1, (n, len(abilities))) + shared < np.array(abilities)).astype(float)


def test_two_systems_by_hand() -> None:
    found = measured(np.array([[1, 1], [1, 0], [1, 0], [0, 0]]))
    # Means 0.75 and 0.25: variance 0.125. Each column has variance 0.25, so squared errors of 0.0625.
    assert found[PLAIN]["spread"] == pytest.approx(0.125**0.5, abs=1e-6)
    assert (found[PLAIN]["error"], found[PLAIN]["value"]) == (0.25, 0.5)
    # Off each question's mean: 0, 0.5, 0.5, 0 and its negative, variance 1/12, squared error 1/48, twice that is 1/24.
    assert found[PAIRED]["error"] == pytest.approx((1 / 24) ** 0.5, abs=1e-6)
    assert found[PAIRED]["value"] == pytest.approx(2 / 3, abs=1e-6)
    assert (found[PAIRED]["n"], found[PAIRED]["systems"]) == (4, 2)


@pytest.mark.parametrize("seed", range(5))
def test_both_equal_the_reference_libraries(seed: int) -> None:
    values = drawn(seed, 60, [-0.5, 0.0, 0.2, 0.9], 1.0)
    found = measured(values)
    variance = values.mean(axis=0).var(ddof=1)
    assert found[PLAIN]["value"] == pytest.approx(1 - (sem(values, axis=0) ** 2).mean() / variance, abs=1e-6)
    long = pd.DataFrame([(i, s, v) for (i, s), v in np.ndenumerate(values)], columns=["question", "system", "y"])
    squares = anova_lm(ols("y ~ C(question) + C(system)", long).fit())["mean_sq"]
    alpha = 1 - squares["Residual"] / squares["C(system)"]
    assert found[PAIRED]["value"] == pytest.approx(alpha, abs=1e-6)


def test_equal_systems_have_a_spread_of_chance_on_average() -> None:
    """The squared spread equals on average the squared error of the pairs; that of the means is too large for it."""
    found = [measured(drawn(seed, 40, [0.0] * 5, 1.5)) for seed in range(300)]
    squares = {f: np.mean([m[f]["spread"] ** 2 - m[f]["error"] ** 2 for m in found]) for f in (PAIRED, PLAIN)}
    scale = np.mean([m[PAIRED]["spread"] ** 2 for m in found])
    assert abs(squares[PAIRED]) < 0.1 * scale
    assert squares[PLAIN] < -0.5 * scale
    assert min(m[PAIRED]["value"] for m in found) < 0


def test_whole_clusters_make_the_error_larger() -> None:
    values = np.repeat(drawn(3, 30, [-0.5, 0.0, 0.5], 0.5), 10, axis=0)
    one, whole = measured(values), measured(values, per_cluster=10)
    assert whole[PLAIN]["error"] / one[PLAIN]["error"] == pytest.approx(10**0.5, rel=0.02)
    assert whole[PAIRED]["value"] < one[PAIRED]["value"]


def test_what_cannot_be_known_is_null() -> None:
    values = drawn(1, 20, [0.0, 0.5], 0.5)
    values[15, 0] = np.nan
    rows = discriminability_rows(design(20, undisputed=12), cells(values))
    known = {(r["gold"], r["axis"]): r["value"] is not None for r in rows}
    assert known == {
        ("published", "all"): False,
        ("published", "half"): True,
        ("undisputed", "all"): True,
        ("undisputed", "half"): True,
    }
    assert [r["spread"] for r in rows if (r["gold"], r["axis"]) == ("published", "all")] == [None, None]
    same = measured(np.array([[1, 1], [0, 0], [1, 1]]))
    assert (same[PAIRED]["spread"], same[PAIRED]["error"], same[PAIRED]["value"]) == (0.0, 0.0, None)
    assert measured(np.array([[1, 0]]))[PLAIN]["error"] is None


def test_a_single_system_and_an_empty_set_have_no_rows() -> None:
    values = drawn(1, 10, [0.0, 0.5], 0.5)
    assert discriminability_rows(design(10), [*cells(values[:, :1]), *cells(values[:, :1], "other")]) == []
    shape = design(10)
    emptied = shape._replace(sets={"undisputed": frozenset(shape.ids[5:])})
    assert {r["axis"] for r in discriminability_rows(emptied, cells(values))} == {"all"}


def test_the_order_of_cells_and_rows_does_not_matter_and_the_columns_fit(tmp_path: Any) -> None:
    given = cells(drawn(7, 25, [0.0, 0.3, 0.6], 0.5))
    rows = discriminability_rows(design(25, per_cluster=5), given)
    turned = [c._replace(verdicts=c.verdicts[::-1]) for c in given[::-1]]
    assert discriminability_rows(design(25, per_cluster=5), turned) == rows
    tables.write_table(tmp_path / "discriminability.parquet", rows, columns.DISCRIMINABILITY)
    assert tables.read_table(tmp_path / "discriminability.parquet") == rows


def test_a_cell_given_twice_and_other_questions_are_refused() -> None:
    given = cells(drawn(1, 10, [0.0, 0.5], 0.5))
    with pytest.raises(InputError, match="judge j of s0, r, 1 is given twice"):
        discriminability_rows(design(10), [*given, given[0]])
    with pytest.raises(InputError, match="no row for q0010"):
        discriminability_rows(design(11), given)
