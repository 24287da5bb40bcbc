"""Spearman's correlation between the parts of a benchmark, over systems."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import rankdata

from memtrial.records import Verdict
from memtrial.statistics import columns, tables
from memtrial.statistics.cells import Cell
from memtrial.statistics.correlations import correlation_rows
from memtrial.statistics.design import Design, Slice

SIZE = 10
# Right answers of ten, by slice and system; b orders the systems as a does, c the other way round with a tie.
RIGHT = {"a": [1, 4, 6, 9], "b": [2, 3, 5, 10], "c": [9, 5, 5, 0], "d": [7, 7, 7, 7]}


def shape(right: dict[str, list[int]], axis: str = "question_type") -> Design:
    slices = tuple(Slice(axis, name, tuple(f"{name}{i}" for i in range(SIZE))) for name in right)
    ids = tuple(sorted(i for s in slices for i in s.ids))
    types = {i: s.name for s in slices for i in s.ids}
    return Design(ids, slices, {"published": frozenset(ids)}, {i: i for i in ids}, types, frozenset())


def cells(right: dict[str, list[int]], systems: int = 4) -> list[Cell]:
    return [
        Cell(
            f"s{n}",
            "r",
            "1",
            "j",
            [verdict(f"{name}{i}", i < right[name][n]) for name, i in product(right, range(SIZE))],
        )
        for n in range(systems)
    ]


def verdict(question_id: str, correct: bool | None) -> Verdict:
    status = "error" if correct is None else "judged"
    return Verdict(question_id, status, correct, None, None, "", "m", None, "p", "t", "a", None, 1, None)


def rows(design: Design, given: list[Cell], axes: list[str] | None = None) -> list[dict[str, Any]]:
    return correlation_rows(design, given, {"statistics": {"axes": axes}})


def by_pair(found: list[dict[str, Any]]) -> dict[tuple[str, str], float | None]:
    return {(r["slice_a"], r["slice_b"]): r["spearman"] for r in found}


def test_pairs_of_slices_by_hand() -> None:
    found = rows(shape(RIGHT), cells(RIGHT))
    # Ranks of a 1 2 3 4, of c 4 2.5 2.5 1: Pearson's -4.5 / sqrt(5 * 4.5).
    expected = {("a", "b"): 1.0, ("a", "c"): round(-4.5 / (5 * 4.5) ** 0.5, 6), ("b", "c"): round(-(0.9**0.5), 6)}
    assert by_pair(found) == {**expected, ("a", "d"): None, ("b", "d"): None, ("c", "d"): None}
    assert {(r["gold"], r["axis"], r["systems"]) for r in found} == {("published", "question_type", 4)}


@pytest.mark.parametrize("seed", range(5))
def test_it_is_pearsons_correlation_of_mean_ranks(seed: int) -> None:
    drawn = np.random.default_rng(seed).integers(0, SIZE + 1, (2, 9)).tolist()
    right = {"a": drawn[0], "b": drawn[1]}
    expected = np.corrcoef(rankdata(drawn[0]), rankdata(drawn[1]))[0, 1]
    assert by_pair(rows(shape(right), cells(right, 9)))["a", "b"] == pytest.approx(expected, abs=1e-6)


def test_two_systems_order_nothing() -> None:
    assert rows(shape(RIGHT), cells(RIGHT, 2)) == []
    assert len(rows(shape(RIGHT), cells(RIGHT, 3))) == 6


def test_only_configured_axes_with_few_slices_are_compared() -> None:
    topics = shape(RIGHT, "topic")
    assert rows(topics, cells(RIGHT)) == []
    assert {r["axis"] for r in rows(topics, cells(RIGHT), ["topic"])} == {"topic"}
    many = {f"t{n:02}": [1, 2, 3] for n in range(13)}
    assert rows(shape(many), cells(many, 3)) == []
    most = {name: many[name] for name in sorted(many)[:12]}
    assert len(rows(shape(most), cells(most, 3))) == 66


def test_an_unjudged_row_leaves_the_pairs_of_its_slice_open() -> None:
    given = cells(RIGHT)
    broken = [v._replace(status="error", correct=None) if v.question_id == "b3" else v for v in given[1].verdicts]
    found = by_pair(rows(shape(RIGHT), [given[0], given[1]._replace(verdicts=broken), *given[2:]]))
    assert (found["a", "b"], found["b", "c"]) == (None, None)
    assert found["a", "c"] is not None


def test_undisputed_questions_are_compared_apart() -> None:
    design = shape(RIGHT)
    kept = frozenset(i for i in design.ids if i not in ("a0", "a1") and not i.startswith("d"))
    found = rows(design._replace(sets={**design.sets, "undisputed": kept}), cells(RIGHT))
    assert {(r["slice_a"], r["slice_b"]) for r in found if r["gold"] == "undisputed"} == {
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    }


def test_the_order_of_cells_does_not_matter_and_the_columns_fit(tmp_path: Any) -> None:
    found = rows(shape(RIGHT), cells(RIGHT))
    assert rows(shape(RIGHT), cells(RIGHT)[::-1]) == found
    tables.write_table(tmp_path / "correlations.parquet", found, columns.CORRELATIONS)
    assert tables.read_table(tmp_path / "correlations.parquet") == found
