"""Published figures beside ours: which row is meant, what counts as equal, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.errors import InputError
from memtrial.statistics import columns, tables
from memtrial.statistics.claims import claims_rows, named_files, named_tables

BLANK: dict[str, Any] = dict.fromkeys(columns.ACCURACY.names) | {
    "gold": "published",
    "system": "chain",
    "reader": "one",
}
ACCURACY = [
    BLANK | {"reader_pass": "1", "axis": "all", "slice": "all", "n": 500, "correct": 479, "accuracy": 0.958},
    BLANK | {"reader_pass": "2", "axis": "all", "slice": "all", "n": 500, "correct": 475, "wilson_low": 0.927248},
    BLANK | {"gold": "undisputed", "reader_pass": "1", "axis": "all", "slice": "all", "n": 490, "correct": 470},
    BLANK | {"reader_pass": "1", "axis": "abstention", "slice": "true", "n": 30, "correct": 27, "accuracy": 0.9},
]
STABILITY = [dict.fromkeys(columns.STABILITY.names) | {"gold": "published", "decision": "straddles", "bar": 0.95}]
FLIPS = [dict.fromkeys(columns.FLIPS.names) | {"correct_a": a, "same_answer": True} for a in (True, True, False)]
TABLES = {"accuracy": ACCURACY, "stability": STABILITY, "flips": FLIPS}


def claim(published: Any, column: str = "correct", table: str = "accuracy", **more: Any) -> dict[str, Any]:
    where = more.pop("where", {"reader_pass": 1, "axis": "all"})
    return {"claim": "it", "table": table, "where": where, "column": column, "published": published, **more}


def row(given: dict[str, Any], values: dict[str, Any] | None = None) -> dict[str, Any]:
    (found,) = claims_rows({"audit": {"source": "paper", "claims": [given]}}, TABLES, values or {})
    return found


def outcome(given: dict[str, Any]) -> tuple[str, str, str]:
    found = row(given)
    return found["published"], found["ours"], found["outcome"]


def test_a_claim_stands_beside_our_figure_with_its_place_and_source() -> None:
    assert row(claim(479, claim="right answers", source="table 3")) == {
        "claim": "right answers", "published": "479", "ours": "479", "outcome": "equal", "table": "accuracy",
        "column": "correct", "where": "reader_pass=1, axis=all", "source": "table 3",
    }  # fmt: skip
    assert row(claim(480))["outcome"] == "differs"
    assert row(claim(479))["source"] == "paper"


def test_published_gold_is_meant_unless_the_claim_says_otherwise() -> None:
    assert outcome(claim(470, where={"gold": "undisputed"})) == ("470", "470", "equal")


def test_a_flag_or_number_of_the_config_selects_a_text_of_the_table() -> None:
    assert outcome(claim(27, where={"axis": "abstention", "slice": True}))[2] == "equal"
    assert outcome(claim(475, where={"reader_pass": 2}))[2] == "equal"
    assert outcome(claim("straddles", "decision", "stability", where={"bar": 0.95}))[2] == "equal"
    assert outcome(claim("straddles", "decision", "stability", where={"bar": None}))[2] == "absent"


def test_no_row_and_an_unknown_figure_are_absent() -> None:
    assert outcome(claim(479, where={"reader": "two"})) == ("479", "", "absent")
    assert outcome(claim(0.93, "accuracy", where={"reader_pass": 2})) == ("0.93", "", "absent")


def test_several_rows_are_refused_with_the_columns_that_would_decide() -> None:
    message = r"claims.audit, claim 1, field 'where': expected one row, found 3: reader_pass, axis, slice, n, correct"
    with pytest.raises(InputError, match=message):
        row(claim(479, where={"system": "chain"}))
    with pytest.raises(InputError, match=r"found 2: they are equal"):
        row(claim(True, "correct_a", "flips", where={"correct_a": True}))


def test_rows_are_counted_with_any_number_of_them() -> None:
    assert outcome(claim(2, "rows", "flips", where={"correct_a": True})) == ("2", "2", "equal")
    assert outcome(claim(0, "rows", "flips", where={"same_answer": False})) == ("0", "0", "equal")
    assert outcome(claim(3, "rows", "accuracy", where={})) == ("3", "3", "equal")


@pytest.mark.parametrize(
    ("published", "more", "expected"),
    [
        (92.72, {"scale": 100}, ("92.72", "92.72", "equal")),
        (92.73, {"scale": 100}, ("92.73", "92.72", "differs")),
        (93, {"scale": 100}, ("93", "93", "equal")),
        (0.9272, {}, ("0.9272", "0.9272", "equal")),
        (0.92724812345678, {}, ("0.92724812345678", "0.927248", "equal")),  # no table keeps more than six decimals
        (0.92724987654321, {}, ("0.92724987654321", "0.927248", "differs")),
        (92.7, {"scale": 100, "decimals": 2}, ("92.70", "92.72", "differs")),
        (92.7199, {"scale": 100, "decimals": 2}, ("92.72", "92.72", "equal")),
    ],
)
def test_numbers_are_compared_as_they_are_written(published: float, more: dict[str, Any], expected: object) -> None:
    assert outcome(claim(published, "wilson_low", where={"reader_pass": 2}, **more)) == expected


def test_a_half_may_have_been_rounded_either_way() -> None:
    whole = {"accuracy": [ACCURACY[0] | {"accuracy": 0.9585}]}
    lists = {"a": {"claims": [claim(p, "accuracy", scale=100) for p in (95.8, 95.9, 95.7)]}}
    assert [r["outcome"] for r in claims_rows(lists, whole, {})] == ["equal", "equal", "differs"]


@pytest.mark.parametrize(("published", "equal"), [(0.2890625, True), (0.2890629, False), (0.289, True)])
def test_a_p_value_keeps_seven_digits(published: float, equal: bool) -> None:
    compared = {
        "comparisons": [dict.fromkeys(columns.COMPARISONS.names) | {"gold": "published", "mcnemar_p": 0.2890625}]
    }
    lists = {"a": {"claims": [claim(published, "mcnemar_p", "comparisons", where={})]}}
    assert (claims_rows(lists, compared, {})[0]["outcome"] == "equal") is equal


@given(st.integers(0, 500), st.integers(1, 500), st.integers(0, 4))
def test_a_rounded_rate_equals_its_own_table_and_a_shifted_one_does_not(correct: int, n: int, decimals: int) -> None:
    rate = min(correct, n) / n
    held = {"accuracy": [ACCURACY[0] | {"accuracy": round(rate, 6)}]}
    told = round(100 * rate, decimals)
    far = round(told + 2 * 10**-decimals, decimals)
    lists = {"a": {"claims": [claim(p, "accuracy", scale=100, decimals=decimals) for p in (told, far)]}}
    assert [r["outcome"] for r in claims_rows(lists, held, {})] == ["equal", "differs"]


FILE = {"per_type": {"x": {"acc": 0.9}}, "runs": [{"id": 1, "right": 475}, {"id": 2, "right": 479}], "ok": True}


@pytest.mark.parametrize("path", ["runs.1.right", ["runs", 1, "right"], ["runs", {"id": 2}, "right"]])
def test_a_figure_may_stand_in_a_file(path: object) -> None:
    found = row(claim({"file": "s.json", "path": path}), {"s.json": FILE})
    assert (found["published"], found["outcome"]) == ("479", "equal")
    assert found["source"].startswith("paper, s.json: runs.")


@pytest.mark.parametrize(
    "path", ["per_type.y", "runs.2", "runs.x", ["runs", {"id": 3}], ["per_type", {"x": 1}], "ok.x"]
)
def test_a_path_that_leads_nowhere_is_refused(path: object) -> None:
    with pytest.raises(InputError, match=r"claims.audit, claim 1, s.json, field 'path'"):
        row(claim({"file": "s.json", "path": path}), {"s.json": FILE})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (claim(1, table="scores"), "no table is called 'scores'; known: accuracy, agreement"),
        (claim(1, column="right"), "accuracy has no column 'right' but gold, system"),
        (claim(1, where={"kind": "x"}), "accuracy has no column 'kind'"),
        (claim(1, where={"rows": 1}), "accuracy has no column 'rows'"),
        (claim("479"), "'479' cannot be compared with 479"),
        (claim(True), "True cannot be compared with 479"),
        (claim(1, "decision", "stability", where={}), "1 cannot be compared with 'straddles'"),
    ],
)
def test_what_cannot_be_meant_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        row(given)


def test_lists_keep_their_order_and_tell_what_they_need(tmp_path: Any) -> None:
    lists = {
        "b": {"source": "one", "claims": [claim(479), claim(True, "same_answer", "flips", where={"correct_a": False})]},
        "a": {"claims": [claim({"file": "s.json", "path": "runs.0.right"}, where={"reader_pass": 2})]},
    }
    rows = claims_rows(lists, TABLES, {"s.json": FILE})
    assert [r["outcome"] for r in rows] == ["equal"] * 3
    assert [r["source"] for r in rows] == ["one", "one", "s.json: runs.0.right"]
    assert (named_tables(lists.values()), named_files(lists.values())) == (["accuracy", "flips"], ["s.json"])
    tables.write_table(tmp_path / "claims.parquet", rows, columns.CLAIMS)
    assert tables.read_table(tmp_path / "claims.parquet") == rows


def test_at_a_half_both_roundings_are_equal_and_ours_is_shown_as_it_is() -> None:
    half = claim(2, column="n", where={"axis": "abstention"}, scale=0.0834, decimals=0)
    assert outcome(half)[2] == "differs"  # 2.502
    for published, shown in ((1, "1.5"), (2, "2")):
        told = outcome(claim(published, column="n", where={"axis": "abstention"}, scale=0.05))
        assert told == (str(published), shown, "equal")
    assert outcome(claim(3, column="n", where={"axis": "abstention"}, scale=0.05))[2] == "differs"


@pytest.mark.parametrize("published", [float("nan"), float("inf")])
def test_a_figure_that_is_no_number_is_refused(published: float) -> None:
    with pytest.raises(InputError, match="expected a finite number"):
        row(claim(published))
