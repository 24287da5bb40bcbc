"""Scores of systems and families by slice, on questions small enough to work out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from memtrial.errors import InputError
from memtrial.records import Verdict
from memtrial.statistics import columns
from memtrial.statistics.cells import Cell
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.slices import slice_rows

IDS = ("a1", "a2", "b1", "b2")
ALL, LEFT = Slice("all", "all", IDS), Slice("half", "left", ("a1", "a2"))


def design(slices: tuple[Slice, ...] = (ALL, LEFT), undisputed: set[str] | None = None) -> Design:
    sets = {"published": frozenset(IDS)} | ({"undisputed": frozenset(undisputed)} if undisputed is not None else {})
    return Design(IDS, slices, sets, {i: i for i in IDS}, dict.fromkeys(IDS, "t"), frozenset())


def verdict(question_id: str, correct: bool | None) -> Verdict:
    status = "judged" if correct is not None else "unparseable"
    return Verdict(question_id, status, correct, None, None, "", "m", None, "binary", "", "", None, 1, None)


def cell(system: str, right: str, reader_pass: str = "1", judge: str = "j") -> Cell:
    """A cell from a word of 1 (right), 0 (wrong) and ? (unparseable), in the order of `IDS`."""
    known = {"1": True, "0": False, "?": None}
    return Cell(system, "r", reader_pass, judge, [verdict(i, known[c]) for i, c in zip(IDS, right, strict=True)])


def spec(**families: list[str]) -> dict[str, Any]:
    return {"statistics": {"resamples": 500, "seed": 1, "confidence": 0.95, "families": families}}


def found(rows: list[dict[str, Any]], name: str, part: str = "all", gold: str = "published") -> dict[str, Any]:
    (row,) = (r for r in rows if (r["name"], r["slice"], r["gold"]) == (name, part, gold))
    return row


def test_a_family_weighs_its_systems_alike_and_a_system_its_passes() -> None:
    cells = [cell("x", "1100"), cell("x", "1000", "2"), cell("y", "0011")]
    rows = slice_rows(design(), cells, spec(both=["x", "y"]))
    assert found(rows, "x")["mean"] == (1 + 0.5 + 0 + 0) / 4
    family = found(rows, "both")
    assert family["mean"] == (0.5 + 0.25 + 0.5 + 0.5) / 4
    assert (family["members"], family["passes"], family["n"]) == (2, 1, 4)
    assert found(rows, "x", "left")["mean"] == 0.75
    assert [r["name"] for r in rows if r["slice"] == "all"] == ["x", "y", "both"]
    assert pa.Table.from_pylist(rows, schema=columns.SLICES).num_rows == 6
    assert set(rows[0]) == set(columns.SLICES.names)


def test_the_standard_error_is_that_of_the_question_scores() -> None:
    row = found(slice_rows(design(), [cell("x", "1100")], spec()), "x")
    assert row["se"] == pytest.approx(np.sqrt(0.5 * 0.5 / 4), abs=1e-6)
    assert row["low"] <= row["mean"] <= row["high"]


def test_an_unjudged_verdict_of_a_member_leaves_no_figure_where_it_counts() -> None:
    rows = slice_rows(design(), [cell("x", "11?0"), cell("y", "0011")], spec(both=["x", "y"]))
    for name in ("x", "both"):
        assert [found(rows, name)[k] for k in ("mean", "se", "low", "high", "n_unjudged")] == [None] * 4 + [1]
        assert found(rows, name, "left")["mean"] is not None
        assert found(rows, name, "left")["n_unjudged"] == 0
    assert found(rows, "y")["mean"] == 0.5


def test_the_undisputed_questions_have_rows_of_their_own_and_an_empty_slice_none() -> None:
    rows = slice_rows(design(undisputed={"b1", "b2"}), [cell("x", "1100")], spec())
    assert [(r["gold"], r["slice"], r["n"]) for r in rows] == [
        ("published", "all", 4), ("published", "left", 2), ("undisputed", "all", 2),
    ]  # fmt: skip
    assert found(rows, "x", gold="undisputed")["mean"] == 0


def test_the_order_of_rows_and_cells_changes_nothing() -> None:
    cells = [cell("x", "1100"), cell("y", "0111")]
    turned = [c._replace(verdicts=list(reversed(c.verdicts))) for c in reversed(cells)]
    assert slice_rows(design(), turned, spec(f=["y", "x"])) == slice_rows(design(), cells, spec(f=["x", "y"]))


def test_a_family_stands_only_where_all_its_systems_were_judged() -> None:
    cells = [cell("x", "1100"), cell("y", "0111"), cell("x", "1111", judge="k")]
    with pytest.raises(InputError, match=r"family f lacks y.*judge k|judge k.*family f lacks y"):
        slice_rows(design(), cells, spec(f=["x", "y"]))
    rows = slice_rows(design(), cells, spec(f=["y"]))
    assert {(r["judge"], r["name"]) for r in rows} == {("j", "x"), ("j", "y"), ("j", "f"), ("k", "x")}


def test_a_family_of_an_unknown_system_is_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"families\.f.*nobody"):
        slice_rows(design(), [cell("x", "1100")], spec(f=["x", "nobody"]))


def test_verdicts_that_miss_a_question_are_refused() -> None:
    short = cell("x", "1100")
    with pytest.raises(InputError, match="b2"):
        slice_rows(design(), [short._replace(verdicts=short.verdicts[:-1])], spec())


def test_no_cells_make_no_rows() -> None:
    assert slice_rows(design(), [], spec()) == []
