"""k passes and repeated judgings: counts by hand, bars, sets, unjudged rows, and which judges are repeats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memtrial.errors import InputError
from memtrial.records import Verdict
from memtrial.statistics import columns, tables
from memtrial.statistics.cells import Cell
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.stability import decision, stability_rows

Row = dict[str, Any]
KNOWN = {"+": True, "-": False, "?": None}
JUDGES: dict[str, Mapping[str, Any]] = {
    "j": {"model": "m", "draw": 1},
    "k": {"model": "m", "draw": 2},
    "l": {"model": "m", "draw": 3},
    "n": {"model": "n", "draw": 4},
}


def cell(marks: str, reader_pass: str = "1", judge: str = "j", answer: str = "h") -> Cell:
    """Verdicts on q0, q1, ...: + right, - wrong, ? unparseable."""
    found = [
        Verdict(f"q{n}", "unparseable" if m == "?" else "judged", KNOWN[m], None, None, "", "m", "m", "p", "t", answer,
                None, 1, None)
        for n, m in enumerate(marks)
    ]  # fmt: skip
    return Cell("chain", "x", reader_pass, judge, found)


def design(n: int, disputed: str | None = None) -> Design:
    ids = tuple(f"q{i}" for i in range(n))
    sets = {"published": frozenset(ids)} | ({"undisputed": frozenset(ids) - {disputed}} if disputed else {})
    return Design(ids, (Slice("all", "all", ids),), sets, {i: i for i in ids}, dict.fromkeys(ids, "t"), frozenset())


def rows(cells: list[Any], bars: dict[str, float] | None = None, judges: Any = JUDGES, **of: Any) -> list[Row]:
    return stability_rows(design(len(cells[0].verdicts), **of), cells, judges, {"statistics": {"bars": bars}})


def test_three_passes_by_hand() -> None:
    [row] = rows([cell("++--+", "2"), cell("+-+-+", "10"), cell("++-++", "1")])
    assert (row["kind"], row["system"], row["reader"], row["reader_pass"], row["judge"]) == (
        "passes",
        "chain",
        "x",
        "",
        "j",
    )
    assert (row["members"], row["k"], row["n"], row["n_unjudged"]) == ("1, 2, 10", 3, 5, 0)
    assert (row["lowest"], row["highest"], row["mean"], row["half_range"]) == (0.6, 0.8, 0.666667, 0.1)
    assert (row["all_right"], row["majority_right"], row["any_right"], row["unstable"]) == (2, 3, 5, 3)
    assert (row["bar_name"], row["bar"], row["decision"]) == (None, None, None)


def test_a_tie_of_votes_is_no_majority() -> None:
    [row] = rows([cell("+-", "1"), cell("-+", "2")])
    assert (row["all_right"], row["majority_right"], row["any_right"], row["unstable"]) == (0, 0, 2, 2)


def test_a_bar_is_passed_only_if_every_pass_is_above_it() -> None:
    bars = {"low": 0.5, "between": 0.7, "reached": 0.6, "high": 0.9}
    found = rows([cell("++--+", "1"), cell("++-++", "2")], bars)
    assert [(r["bar_name"], r["bar"], r["decision"]) for r in found] == [
        (None, None, None),
        ("between", 0.7, "straddles"),
        ("high", 0.9, "below"),
        ("low", 0.5, "above"),
        ("reached", 0.6, "straddles"),
    ]


def test_a_pass_equal_to_the_bar_decides_nothing() -> None:
    assert decision([475 / 500, 480 / 500], 0.95) == "straddles"
    assert decision([474 / 500, 475 / 500], 0.95) == "straddles"
    assert decision([476 / 500, 480 / 500], 0.95) == "above"


def test_unjudged_rows_leave_counts_and_no_rates() -> None:
    published, undisputed = rows([cell("++?-", "1"), cell("+-++", "2")], disputed="q2")
    assert (published["n"], published["n_unjudged"], published["all_right"], published["unstable"]) == (4, 1, 1, 2)
    assert all(published[name] is None for name in ("mean", "half_range", "lowest", "highest"))
    assert (undisputed["gold"], undisputed["n"], undisputed["n_unjudged"]) == ("undisputed", 3, 0)
    assert undisputed["mean"] == 0.666667
    barred = rows([cell("++?-", "1"), cell("+-++", "2")], {"low": 0.0})[1]
    assert (barred["bar"], barred["decision"]) == (0.0, None)


def test_repeated_judgings_of_one_pass() -> None:
    [row] = rows([cell("+--", judge="n"), cell("++-", judge="l"), cell("+--", judge="j"), cell("++-", judge="k")])
    assert (row["kind"], row["reader_pass"], row["judge"], row["members"]) == ("judgings", "1", "j", "j, k, l")
    assert (row["all_right"], row["majority_right"], row["unstable"]) == (1, 2, 1)
    with pytest.raises(InputError, match="j and k judged different answers"):
        rows([cell("+"), cell("+", judge="k", answer="other")])


def test_one_pass_and_one_judging_give_no_row() -> None:
    assert rows([cell("++-")]) == []
    assert rows([cell("++-"), cell("+--", judge="n")]) == []


def test_votes_of_an_imported_judge_lie_in_several_fields_or_files() -> None:
    votes = {
        f"v{n}": {"kind": "import", "source": f"{n}.jsonl", "fields": {"correct": f"vote_{n}"}, "model": "m", "draw": n}
        for n in (2, 1)
    }
    assert [r["members"] for r in rows([cell("+", judge=j) for j in votes], judges=votes)] == ["v1, v2"]
    apart = {j: v | {"draw": 1} for j, v in votes.items()}
    assert rows([cell("+", judge=j) for j in apart], judges=apart) == []
    nameless = {j: {k: v for k, v in vote.items() if k != "model"} for j, vote in votes.items()}
    assert rows([cell("+", judge=j) for j in nameless], judges=nameless) == []
    protocols = {j: v | {"protocol": j} for j, v in votes.items()}
    assert rows([cell("+", judge=j) for j in protocols], judges=protocols) == []


def test_the_table_keeps_its_rows(tmp_path: Path) -> None:
    found = rows([cell("+-?", "1"), cell("++-", "2"), cell("++-", "2", judge="k")], {"bar": 0.5})
    tables.write_table(tmp_path / "stability.parquet", found, columns.STABILITY)
    assert tables.read_table(tmp_path / "stability.parquet") == found
    assert all(r.keys() == set(columns.STABILITY.names) for r in found)
