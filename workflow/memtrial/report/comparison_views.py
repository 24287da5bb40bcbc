"""Differences: pairs of cells on the same questions, and contrasts of families and slices, by block."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from memtrial.report.data import (
    PUBLISHED,
    SMALL,
    ReportData,
    Row,
    ends_of,
    in_order,
    p_value,
    percent,
    points,
    points_span,
)
from memtrial.report.front import stands
from memtrial.report.table import Head, Table, Value, n_of

MOST_ROWS = 60  # of a block that the page lists before it leaves the rest to the CSV


def comparison_tables(data: ReportData) -> list[Table]:
    """A table a block and set of gold, the smallest corrected p first."""
    heads = [Head("a − b", number=False), Head("n"), Head("rate of a"), Head("rate of b"), Head("only a right"),
             Head("only b right"), Head("difference", "points"), Head("McNemar p", "exact"),
             Head("Holm p", "in its block"), Head("verdict", number=False)]  # fmt: skip
    return _by_block(data, "comparisons", "compare", heads, _comparison)


def _by_block(
    data: ReportData, name: str, kind: str, heads: list[Head], line: Callable[[ReportData, Row], list[Value]]
) -> list[Table]:
    """A table of the statistics as one a block and set of gold; `kind` is the column that says what a block tests."""
    tables = []
    for block, gold in product(in_order(r["block"] for r in data.rows(name)), data.golds):
        rows = ordered(data.rows(name, block=block, gold=gold))
        lines = [line(data, r) for r in rows[:MOST_ROWS]]
        if lines:
            label = _block(block, rows[0][kind], rows[0]["tests"])
            tables.append(Table(label, heads, lines, name, gold, more=len(rows) - len(lines)))
    return tables


def _block(name: str, kind: str, tests: int) -> str:
    of = "" if name == kind else f" ({kind})"
    return f"Block {name}{of}: {tests} {'test' if tests == 1 else 'tests'}"


def ordered(rows: list[Row]) -> list[Row]:
    """The smallest corrected p first, those that could not be tested last; equal ones as they came."""
    return sorted(rows, key=corrected_p)


def corrected_p(row: Row) -> float:
    """By which differences are ordered: one that could not be tested goes last."""
    return 2.0 if row["p_holm"] is None else float(row["p_holm"])


def _comparison(data: ReportData, row: Row) -> list[Value]:
    at = [row["system"], row["reader"], f"pass {row['reader_pass']}" if row["reader_pass"] else "", row["judge"]]
    at.append("" if row["slice"] == "all" else f"{row['slice']} questions")
    name = Value(pair_name(row), (" · ".join(filter(None, at)),), _oracle_mark(data, row))
    return [
        name, Value(n_of(row).removeprefix("n=")), Value(percent(row["rate_a"])), Value(percent(row["rate_b"])),
        Value(_count(row["only_a"])), Value(_count(row["only_b"])),
        Value(points(row["difference"]), tuple(filter(None, [points_span(*ends_of(row))]))),
        Value(p_value(row["mcnemar_p"])), Value(p_value(row["p_holm"])), verdict(data, row),
    ]  # fmt: skip


def pair_name(row: Row) -> str:
    """What is subtracted from what."""
    word = "pass " if row["compare"] == "passes" else ""
    return f"{word}{row['a']} − {word}{row['b']}"


def _oracle_mark(data: ReportData, row: Row) -> str:
    names = (row["a"], row["b"]) if row["compare"] == "systems" else (row["system"],)
    return "; ".join(in_order(data.system_mark(n) for n in names if n and data.system_mark(n)))


def _count(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def verdict(data: ReportData, row: Row) -> Value:
    """Whether a difference may be claimed, in words."""
    if row["p_holm"] is None:
        return Value("not tested", (f"{row['n_unjudged']} unjudged",) if row["n_unjudged"] else ())
    return Value("stands" if stands(data, row) else "no difference claimed")


def contrast_tables(data: ReportData) -> list[Table]:
    """A table a block and set of gold, the smallest corrected p first."""
    heads = [Head("contrast", number=False), Head("slice", number=False), Head("n"), Head("estimate", "points"),
             Head("p"), Head("Holm p", "in its block"), Head("verdict", number=False)]  # fmt: skip
    return _by_block(data, "contrasts", "kind", heads, _contrast)


def contrast_name(row: Row) -> tuple[str, str]:
    """What is subtracted from what, and in which slice."""
    axis = row["axis"].replace("_", " ")
    if row["kind"] == "slices":
        return f"{row['slice']} − {row['other_slice']}", f"in {row['left']}, by {axis}"
    name = f"{row['left']} − {row['right']}"
    if row["kind"] == "differences":
        return name, f"in {row['slice']}, less in {row['other_slice']} ({axis})"
    return name, "all questions" if row["axis"] == "all" else f"in {row['slice']} ({axis})"


def _contrast(data: ReportData, row: Row) -> list[Value]:
    name, where = contrast_name(row)
    n = f"{row['n']:,}" + (f" / {row['n_other']:,}" if row["n_other"] else "")
    n += " †" if min(row["n"], row["n_other"] or row["n"]) < SMALL else ""
    at = " · ".join(filter(None, [row["reader"], row["judge"]]))
    interval = tuple(filter(None, [points_span(row["low"], row["high"])]))
    return [Value(name, (at,)), Value(where), Value(n), Value(points(row["estimate"]), interval),
            Value(p_value(row["p"])), Value(p_value(row["p_holm"])), verdict(data, row)]  # fmt: skip


def told(data: ReportData, table: str) -> str:
    """How many differences of a table stand, in a sentence."""
    rows = data.rows(table, gold=PUBLISHED)
    tested = [r for r in rows if r["p_holm"] is not None]
    standing = sum(stands(data, r) for r in tested)
    untested = f"; {len(rows) - len(tested)} could not be tested" if len(tested) < len(rows) else ""
    blocks = len({r["block"] for r in rows})
    within = "block" if blocks == 1 else "own block"
    return f"{standing} of {len(tested)} differences stand after Holm's correction within their {within}{untested}."
