"""Contrasts of families and slices: worked examples, references of other libraries, and planted effects."""

from __future__ import annotations

from typing import Any

import numpy as np
import planted
import pyarrow as pa
import pytest
from rumba import conversations
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.multitest import multipletests

from memtrial.errors import InputError
from memtrial.records import Verdict
from memtrial.statistics import columns
from memtrial.statistics.cells import Cell
from memtrial.statistics.contrasts import contrast_rows, freedom
from memtrial.statistics.corrections import t_test
from memtrial.statistics.design import Design, Slice

N = 60
IDS = tuple(f"q{i:02d}" for i in range(N))
EVEN, ODD = (Slice("parity", name, IDS[start::2]) for start, name in enumerate(("even", "odd")))
ALL = Slice("all", "all", IDS)
RNG = np.random.default_rng(3)
RIGHT = {system: RNG.random(N) < chance for system, chance in (("a", 0.9), ("b", 0.7), ("c", 0.5), ("d", 0.5))}


def design(clusters: int = N, undisputed: tuple[str, ...] | None = None) -> Design:
    sets = {"published": frozenset(IDS)} | ({"undisputed": frozenset(undisputed)} if undisputed else {})
    homes = {question_id: f"c{i % clusters:02d}" for i, question_id in enumerate(IDS)}
    return Design(IDS, (ALL, EVEN, ODD), sets, homes, dict.fromkeys(IDS, "t"), frozenset())


def cells(right: dict[str, Any] = RIGHT, judge: str = "j") -> list[Cell]:
    return [Cell(s, "r", "1", judge, [verdict(i, v) for i, v in zip(IDS, of, strict=True)]) for s, of in right.items()]


def verdict(question_id: str, correct: Any) -> Verdict:
    status, known = ("error", None) if correct is None else ("judged", bool(correct))
    return Verdict(question_id, status, known, None, None, "", "m", None, "binary", "", "", None, 1, None)


def spec(**blocks: Any) -> dict[str, Any]:
    families = {"up": ["a", "b"], "down": ["c", "d"]}
    of = {"resamples": 400, "seed": 1, "confidence": 0.95, "families": families, "blocks": blocks}
    return {"statistics": of}


def rows(blocks: dict[str, Any], of: Design | None = None, judged: list[Cell] | None = None) -> list[dict[str, Any]]:
    return contrast_rows(of or design(), judged or cells(), spec(**blocks))


UP, DOWN = (np.mean([RIGHT[s] for s in of], axis=0) for of in (("a", "b"), ("c", "d")))
PAIR = {"contrast": "families", "axis": "all", "families": ["up", "down"]}


def test_the_four_estimates_by_hand() -> None:
    families = ["up", "down"]
    made = {
        kind: rows({"b": {"contrast": kind, "axis": "parity", "families": families}})
        for kind in ("families", "slices", "differences")
    }
    even, odd = UP[::2] - DOWN[::2], UP[1::2] - DOWN[1::2]
    expected = {
        "families": [even.mean(), odd.mean()],
        "slices": [UP[::2].mean() - UP[1::2].mean(), DOWN[::2].mean() - DOWN[1::2].mean()],
        "differences": [even.mean() - odd.mean()],
    }
    for kind, found in made.items():
        assert [r["estimate"] for r in found] == pytest.approx(expected[kind], abs=1e-6)
        assert {r["tests"] for r in found} == {len(found)}
        assert all(r["low"] <= r["estimate"] <= r["high"] for r in found)
    told = made["slices"][1]
    assert [told[k] for k in ("left", "right", "slice", "other_slice", "n", "n_other")] == [
        "down", "down", "even", "odd", 30, 30,
    ]  # fmt: skip
    assert pa.Table.from_pylist(made["families"], schema=columns.CONTRASTS)["other_slice"].to_pylist() == [None, None]
    assert set(told) == set(columns.CONTRASTS.names)


def test_of_independent_questions_p_is_that_of_the_paired_t_test() -> None:
    (row,) = rows({"b": PAIR})
    difference = UP - DOWN
    reference = stats.ttest_1samp(difference, 0)
    assert row["p"] == pytest.approx(reference.pvalue, rel=1e-5)
    assert row["df"] == N - 1


def test_of_clustered_questions_the_error_is_the_sandwich_of_statsmodels() -> None:
    (row,) = rows({"b": PAIR}, design(clusters=12))
    groups = np.arange(N) % 12
    fit = OLS(UP - DOWN, np.ones(N)).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "df_correction": True}, use_t=True
    )
    # statsmodels also scales by (n - 1) / (n - k), which is 1 for a mean.
    assert row["se"] == pytest.approx(fit.bse[0], abs=1e-6)
    assert row["p"] == pytest.approx(fit.pvalues[0], rel=1e-4)
    assert row["df"] == 11


def test_holm_is_over_the_block_with_all_its_judges_and_not_beyond() -> None:
    block = {"contrast": "slices", "axis": "parity"}
    judged = cells() + cells({s: np.roll(v, 7) for s, v in RIGHT.items()}, "k")
    found = rows({"one": block, "two": PAIR}, judged=judged)
    for name, number in (("one", 4), ("two", 2)):
        own = [r for r in found if r["block"] == name]
        assert [r["tests"] for r in own] == [number] * number
        reference = multipletests([r["p"] for r in own], method="holm")[1]
        assert [r["p_holm"] for r in own] == pytest.approx(list(reference), rel=1e-5)


def test_an_excluded_system_leaves_its_family_in_that_block_alone() -> None:
    found = rows({"with": PAIR, "without": PAIR | {"exclude": ["b", "not-in-this-run"]}})
    assert found[0]["estimate"] == pytest.approx((UP - DOWN).mean(), abs=1e-6)
    assert found[1]["estimate"] == pytest.approx((RIGHT["a"] - DOWN).mean(), abs=1e-6)
    with pytest.raises(InputError, match=r"blocks\.b\.exclude.*up"):
        rows({"b": PAIR | {"exclude": ["a", "b"]}})


def test_an_unjudged_verdict_leaves_no_estimate_and_is_no_test() -> None:
    right = {s: list(v) for s, v in RIGHT.items()}
    right["c"][0] = None  # an even question
    found = rows({"b": {"contrast": "families", "axis": "parity"}}, judged=cells(right))
    even, odd = found
    assert [even[k] for k in ("estimate", "se", "low", "high", "p", "p_holm")] == [None] * 6
    assert (even["n_unjudged"], odd["n_unjudged"]) == (1, 0)
    assert odd["p_holm"] == odd["p"] and odd["tests"] == 1


def test_undisputed_questions_are_a_block_of_their_own() -> None:
    found = rows({"b": PAIR, "even": PAIR | {"axis": "parity"}}, design(undisputed=IDS[1::2]))
    assert [(r["gold"], r["block"], r["slice"], r["tests"]) for r in found] == [
        ("published", "b", "all", 1), ("published", "even", "even", 2), ("published", "even", "odd", 2),
        ("undisputed", "b", "all", 1), ("undisputed", "even", "odd", 1),
    ]  # fmt: skip


def test_the_order_of_rows_and_cells_changes_nothing() -> None:
    turned = [c._replace(verdicts=c.verdicts[::-1]) for c in reversed(cells())]
    blocks = {"b": {"contrast": "differences", "axis": "parity"}}
    assert rows(blocks, design(7), turned) == rows(blocks, design(7))


@pytest.mark.parametrize(
    ("block", "named"),
    [
        (PAIR | {"families": ["up", "other"]}, r"blocks\.b\.families.*other"),
        (PAIR | {"axis": "colour"}, r"blocks\.b\.axis.*all, parity.*colour"),
        (PAIR | {"axis": "parity", "slices": ["even", "prime"]}, r"blocks\.b\.slices.*prime"),
        (PAIR | {"families": ["up"]}, r"blocks\.b.*nothing to compare"),
        ({"contrast": "slices", "axis": "all"}, r"blocks\.b.*nothing to compare"),
    ],
)
def test_a_fault_of_a_block_is_named_with_its_key(block: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError) as error:
        rows({"b": block})
    assert error.match(named) or error.match(".*".join(reversed(named.split(".*"))))


def test_degrees_of_freedom_are_of_the_part_with_the_fewest_clusters() -> None:
    clusters = ["a", "a", "b", "c", "d", "e", "e"]
    assert freedom(clusters, [np.arange(7)]) == 4
    assert freedom(clusters, [np.arange(5), np.arange(4, 7)]) == 1
    assert freedom(clusters, [np.arange(4)]) == 3, "under five clusters, of the questions"


def test_without_spread_nothing_is_claimed() -> None:
    assert t_test(0.0, 0.0, 9) == 1.0
    assert t_test(1.0, 0.0, 9) is None
    assert t_test(1.0, 0.5, 0) is None
    assert t_test(float("nan"), float("nan"), 9) is None


def test_blocks_that_compare_cells_are_not_ours() -> None:
    assert rows({"b": {"compare": "systems"}}) == []


def test_chances_have_exactly_the_planted_effects() -> None:
    made = conversations(seed=0)
    chance = planted.chances(made)
    rows_ = planted.tables(made, planted.judged(made, chance, 0), planted.spec_of(100))
    for row, truth in zip(rows_, planted.truths(made, chance, rows_), strict=True):
        assert abs(truth) < 1e-9 or abs(truth) > 0.01, row


def test_planted_effects_are_found_and_no_others() -> None:
    told = planted.study(seeds=4, resamples=100)
    # Each seed finds the same on every machine; `planted.py` tells the power and false alarms of 200.
    large = [row for row in told if row["size"] >= 0.1 and row["tests"] <= 4]
    assert min(row["found"] for row in large) >= 0.75
    alarms = [row["any"] for row in told if not row["size"]]
    assert len(alarms) >= 15
    assert np.mean(alarms) <= 0.1


def test_a_family_that_is_named_twice_is_one() -> None:
    once = {"contrast": "families", "axis": "parity", "families": ["up", "down"]}
    twice = once | {"families": ["up", "down", "up"]}
    assert rows({"b": twice}) == rows({"b": once})
