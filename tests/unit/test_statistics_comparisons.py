"""Paired comparisons: figures by hand, blocks, sets, unjudged rows, order, and what is refused."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from statsmodels.regression.linear_model import OLS

from memtrial.errors import InputError
from memtrial.records import Verdict
from memtrial.statistics import columns, tables
from memtrial.statistics.cells import Cell
from memtrial.statistics.comparisons import comparison_rows
from memtrial.statistics.corrections import holm
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.intervals import Resampling
from memtrial.statistics.resampling import mean_intervals

Row = dict[str, Any]
KNOWN = {"+": True, "-": False, "?": None}


def verdicts(marks: str, answer: str = "h") -> list[Verdict]:
    """A verdict a question q00, q01, ...: + right, - wrong, ? unparseable."""
    return [
        Verdict(f"q{n:02}", "unparseable" if m == "?" else "judged", KNOWN[m], None, None, "", "m", "m", "p", "t",
                answer, None, 1, None)
        for n, m in enumerate(marks)
    ]  # fmt: skip


def cell(marks: str, system: str = "chain", reader: str = "x", reader_pass: str = "1", judge: str = "j") -> Cell:
    return Cell(system, reader, reader_pass, judge, verdicts(marks))


def design(n: int, disputed: tuple[str, ...] | None = None, clusters: int | None = None) -> Design:
    ids = tuple(f"q{i:02}" for i in range(n))
    sets = {"published": frozenset(ids)}
    if disputed is not None:
        sets["undisputed"] = frozenset(ids) - set(disputed)
    homes = {i: str(place % clusters) if clusters else i for place, i in enumerate(ids)}
    return Design(ids, (Slice("all", "all", ids),), sets, homes, dict.fromkeys(ids, "single"), frozenset())


def rows(cells: list[Any], of: Design | None = None, **statistics: Any) -> list[Row]:
    given = {"resamples": 500, "seed": 7, "confidence": 0.95, **statistics}
    return comparison_rows(of or design(len(cells[0].verdicts)), cells, {"statistics": given})


# Both right 5, only the first right 6, only the second right 2, both wrong 3.
FIRST, SECOND = "+++++++++++-----", "+++++------++---"


def test_a_pair_by_hand() -> None:
    [row] = rows([cell(FIRST), cell(SECOND, system="rag")])
    assert (row["block"], row["gold"], row["compare"]) == ("systems", "published", "systems")
    assert (row["system"], row["reader"], row["reader_pass"], row["judge"]) == ("", "x", "1", "j")
    assert (row["a"], row["b"], row["n"], row["n_unjudged"]) == ("chain", "rag", 16, 0)
    assert (row["rate_a"], row["rate_b"], row["only_a"], row["only_b"]) == (0.6875, 0.4375, 6, 2)
    assert (row["difference"], row["mcnemar_p"], row["p_holm"], row["tests"]) == (0.25, 0.2890625, 0.2890625, 1)


def test_the_interval_is_the_bootstrap_of_the_paired_differences() -> None:
    [row] = rows([cell(FIRST), cell(SECOND, system="rag")], design(16, clusters=8))
    differences = np.array([[float(a == "+") - float(b == "+")] for a, b in zip(FIRST, SECOND, strict=True)])
    clusters = [str(n % 8) for n in range(16)]
    ends = mean_intervals(differences, np.ones((16, 1), dtype=bool), clusters, Resampling(500, 7, 0.95))
    assert [row["low"], row["high"]] == [round(end[0, 0], 6) for end in ends]
    assert row["low"] < 0.25 < row["high"]


def test_equal_sides_differ_by_exactly_nothing() -> None:
    [row] = rows([cell(FIRST), cell(FIRST, system="rag")])
    assert [str(row[name]) for name in ("difference", "low", "high", "mcnemar_p")] == ["0.0", "0.0", "0.0", "1.0"]


def test_without_blocks_each_axis_with_two_names_is_one_and_only_one_axis_differs() -> None:
    cells = [
        cell(FIRST, system, reader_pass=reader_pass) for system in ("rag", "chain") for reader_pass in ("10", "2", "1")
    ]
    found = [(r["block"], r["system"], r["reader_pass"], r["a"], r["b"]) for r in rows(cells)]
    assert found == [
        ("passes", "chain", "", "1", "2"),
        ("passes", "rag", "", "1", "2"),
        ("passes", "chain", "", "1", "10"),
        ("passes", "rag", "", "1", "10"),
        ("passes", "chain", "", "2", "10"),
        ("passes", "rag", "", "2", "10"),
        ("systems", "", "1", "chain", "rag"),
        ("systems", "", "2", "chain", "rag"),
        ("systems", "", "10", "chain", "rag"),
    ]
    assert rows([cell(FIRST)]) == []
    assert rows([], design(16)) == []


def test_named_blocks_take_their_pairs_as_written_and_contrasts_are_no_comparisons() -> None:
    cells = [cell(FIRST, s, r) for s in ("a", "b", "c") for r in ("x", "y")]
    blocks = {
        "readers-both": {"compare": "readers"},
        "baseline": {"compare": "systems", "pairs": [["c", "a"]]},
        "types": {"contrast": "slices", "axis": "question_type"},
    }
    found = [(r["block"], r["reader"], r["system"], r["a"], r["b"]) for r in rows(cells, blocks=blocks)]
    assert found == [
        ("baseline", "x", "", "c", "a"),
        ("baseline", "y", "", "c", "a"),
        ("readers-both", "", "a", "x", "y"),
        ("readers-both", "", "b", "x", "y"),
        ("readers-both", "", "c", "x", "y"),
    ]
    assert {r["block"] for r in rows(cells, blocks={"types": blocks["types"]})} == {"systems", "readers"}


def test_passes_are_named_by_number() -> None:
    cells = [cell(FIRST, reader_pass=p) for p in ("1", "2")]
    assert [(r["a"], r["b"]) for r in rows(cells, blocks={"p": {"compare": "passes", "pairs": [[2, 1]]}})] == [
        ("2", "1")
    ]


def test_holm_is_within_block_and_set() -> None:
    cells = [cell("++++++++++------", "a"), cell("+++-------------", "b"), cell("---------------+", "c")]
    cells += [cell("++++++++++++++++", "a", judge="k")]
    found = rows(cells, design(16, disputed=("q15",)))
    for gold in ("published", "undisputed"):
        systems = [r for r in found if r["gold"] == gold and r["block"] == "systems"]
        assert len(systems) == 3
        assert [r["p_holm"] for r in systems] == pytest.approx(holm([r["mcnemar_p"] for r in systems]))
        assert {r["tests"] for r in systems} == {3}
        [judges] = [r for r in found if r["gold"] == gold and r["block"] == "judges"]
        assert (judges["p_holm"], judges["tests"]) == (judges["mcnemar_p"], 1)
    b_to_c = [(r["n"], r["only_b"]) for r in found if (r["block"], r["a"], r["b"]) == ("systems", "b", "c")]
    assert b_to_c == [(16, 1), (15, 0)]


def test_a_pair_with_unjudged_rows_is_no_test() -> None:
    cells = [cell("++++++++", "a"), cell("+------+", "b"), cell("?+------", "c")]
    found = {(r["gold"], r["a"], r["b"]): r for r in rows(cells, design(8, disputed=("q00",)))}
    row = found["published", "a", "c"]
    assert (row["n"], row["n_unjudged"], row["rate_a"], row["rate_b"]) == (8, 1, 1.0, None)
    assert (row["only_a"], row["only_b"], row["tests"]) == (6, 0, 1)
    assert all(row[name] is None for name in ("difference", "low", "high", "mcnemar_p", "p_holm"))
    assert found["published", "a", "b"]["p_holm"] == found["published", "a", "b"]["mcnemar_p"] == 0.03125
    # Without the disputed question every row is judged.
    assert (found["undisputed", "a", "c"]["n_unjudged"], found["undisputed", "a", "c"]["tests"]) == (0, 3)


def test_any_order_of_cells_and_rows_gives_the_same_table() -> None:
    cells = [cell(FIRST, s, reader_pass=p) for s in ("a", "b") for p in ("1", "2")]
    cells[0] = cell(SECOND, "a")
    shuffled = [c._replace(verdicts=random.Random(n).sample(c.verdicts, len(c.verdicts))) for n, c in enumerate(cells)]
    assert rows(shuffled[::-1], design(16, clusters=5)) == rows(cells, design(16, clusters=5))


def test_different_questions_are_refused_with_the_difference() -> None:
    shorter = Cell("rag", "x", "1", "j", verdicts("+++++")[2:])
    with pytest.raises(InputError, match=r"\(2 only in chain, x, 1, j: q00, q01; 1 only in rag, x, 1, j: q04\)"):
        rows([cell("++++"), shorter], design(4))
    with pytest.raises(InputError, match="no row for q04"):
        rows([cell("++++"), cell("++++", "rag")], design(5))


@pytest.mark.parametrize(
    "pairs, told",
    [
        ([["chain", "mem9"]], "no two cells differ in chain and mem9 alone; systems of the run: chain, rag"),
        ([["chain", "chain"]], "no two cells differ in chain and chain alone"),
        ([["chain", "rag"], ["rag", "chain"]], "a pair is named twice"),
    ],
)
def test_pairs_that_cannot_be_compared_are_refused(pairs: list[list[str]], told: str) -> None:
    cells = [cell(FIRST), cell(FIRST, "rag")]
    with pytest.raises(InputError, match=told) as error:
        rows(cells, blocks={"mine": {"compare": "systems", "pairs": pairs}})
    assert "statistics.blocks.mine.pairs" in str(error.value)


def test_judges_are_compared_on_the_same_answers_only() -> None:
    other = Cell("chain", "x", "1", "k", verdicts(SECOND, answer="other"))
    with pytest.raises(InputError, match="j and k judged different answers"):
        rows([cell(FIRST), other])
    unknown = Cell("chain", "x", "1", "k", verdicts(SECOND, answer=""))
    assert [(r["compare"], r["a"], r["b"]) for r in rows([cell(FIRST), unknown])] == [("judges", "j", "k")]


def test_the_table_keeps_its_rows(tmp_path: Path) -> None:
    found = rows([cell(FIRST), cell(SECOND, "rag"), cell(FIRST.replace("-", "?"), "none")])
    tables.write_table(tmp_path / "comparisons.parquet", found, columns.COMPARISONS)
    assert tables.read_table(tmp_path / "comparisons.parquet") == found
    assert all(r.keys() == set(columns.COMPARISONS.names) for r in found)


def test_where_conversations_are_drawn_there_is_t_over_them_too() -> None:
    a = "".join("+" if n % 3 else "-" for n in range(48))
    b = "".join("+" if n % 4 and (5 * n) % 7 > 1 else "-" for n in range(48))
    difference = np.array([(x == "+") - (y == "+") for x, y in zip(a, b, strict=True)], dtype=float)
    judged = [cell(a, "a"), cell(b, "b")]
    (row,) = rows(judged, design(48, clusters=6))
    fit = OLS(difference, np.ones(48)).fit(cov_type="cluster", cov_kwds={"groups": np.arange(48) % 6}, use_t=True)
    assert row["se"] == pytest.approx(fit.bse[0], abs=1e-6)
    assert [row["t_low"], row["t_high"]] == pytest.approx(list(fit.conf_int()[0]), abs=1e-5)
    (alone,) = rows(judged, design(48))
    assert alone["t_low"] is alone["t_high"] is None
    assert alone["se"] == pytest.approx(difference.std() / np.sqrt(48), abs=1e-6)
