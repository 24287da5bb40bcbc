"""Passes and repeated judgings: how far they lie apart, against stated bars, and what flipped and why."""

from __future__ import annotations

from memtrial.report.data import PUBLISHED, ReportData, Row, in_order, percent, span
from memtrial.report.table import Head, Table, Value, cell_value, question_link

CAUSES = {
    "judge": "the same answer, judged differently",
    "reader": "another answer to the same request",
    "evidence": "another packet or scaffold",
    "unknown": "answers not released",
}
DECISIONS = {"above": "above", "below": "below", "straddles": "straddles: no win claimed"}
MOST_FLIPS = 40
_NAMES = {"passes": "Passes", "judgings": "Repeated judgings of one pass"}


def stability_tables(data: ReportData, kind: str) -> list[Table]:
    """The rule of k passes (or judgings), one table a set of gold: a row a cell, its bars in words."""
    heads = [Head("system", "reader · judge", number=False), Head("k", "of them"), Head("n"),
             Head("mean", "± half range"), Head("lowest–highest"), Head("all right", "floor"),
             Head("majority right"), Head("any right"), Head("unstable"), Head("bars", number=False)]  # fmt: skip
    tables = []
    for gold in data.golds:
        rows = data.rows("stability", gold=gold, kind=kind)
        keys = in_order(_key(r) for r in rows)
        lines = [_stability(data, [r for r in rows if _key(r) == key]) for key in keys]
        if lines:
            tables.append(Table(_NAMES[kind], heads, lines, "stability", gold))
    return tables


def _key(row: Row) -> tuple[str, ...]:
    return row["system"], row["reader"], row["reader_pass"], row["judge"], row["members"]


def _stability(data: ReportData, rows: list[Row]) -> list[Value]:
    row = rows[0]
    bars = [f"{r['bar_name']} ({percent(r['bar'])}): {_decision(r)}" for r in rows if r["bar_name"]]
    half = () if row["half_range"] is None else (f"± {100 * row['half_range']:.2f} points",)
    return [
        cell_value(data, row, passes=row["kind"] == "judgings"), Value(f"{row['k']}", (row["members"],)),
        Value(f"{row['n']:,}", (f"{row['n_unjudged']} unjudged",) if row["n_unjudged"] else ()),
        Value(percent(row["mean"]), half), Value(span(row["lowest"], row["highest"]) or "–"),
        *(Value(_count(row[name])) for name in ("all_right", "majority_right", "any_right", "unstable")),
        Value("; ".join(bars) or "none stated"),
    ]  # fmt: skip


def _decision(row: Row) -> str:
    return DECISIONS.get(row["decision"], "undecided") if row["decision"] else "undecided"


def _count(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def flip_tables(data: ReportData) -> list[Table]:
    """A row a pair of passes: lost, gained, and by cause; one table a set of gold."""
    heads = [Head("system", "reader · judge", number=False), Head("passes", number=False), Head("flips"), Head("lost"),
             Head("gained"), *(Head(cause, words) for cause, words in CAUSES.items())]  # fmt: skip
    tables = []
    for gold in data.golds:
        flips = [f for f in data.rows("flips") if gold == PUBLISHED or not f["disputed"]]
        pairs = in_order(_pair(f) for f in flips)
        lines = [_flips(data, [f for f in flips if _pair(f) == pair]) for pair in pairs]
        if lines:
            tables.append(Table("Flips by cause", heads, lines, "flips", gold))
    return tables


def _pair(flip: Row) -> tuple[str, ...]:
    return flip["system"], flip["reader"], flip["judge"], flip["pass_a"], flip["pass_b"]


def _flips(data: ReportData, flips: list[Row]) -> list[Value]:
    lost = sum(f["correct_a"] for f in flips)
    causes = [Value(f"{sum(f['cause'] == cause for f in flips):,}") for cause in CAUSES]
    first = flips[0]
    return [cell_value(data, first, passes=False), Value(f"{first['pass_a']} to {first['pass_b']}"),
            Value(f"{len(flips):,}"), Value(f"{lost:,}"), Value(f"{len(flips) - lost:,}"), *causes]  # fmt: skip


def flip_rows(data: ReportData) -> Table:
    """The first flips, a question each, linked to the browser."""
    flips = data.rows("flips")
    heads = [Head("question", number=False), Head("type", number=False), Head("system", number=False),
             Head("passes", number=False), Head("way", number=False), Head("cause", number=False)]  # fmt: skip
    lines = [
        [
            Value(f["question_id"], href=question_link(f["question_id"]), mark="disputed" if f["disputed"] else ""),
            Value(f["question_type"]),
            Value(f["system"], (" · ".join([f["reader"], f["judge"]]),)),
            Value(f"{f['pass_a']} to {f['pass_b']}"),
            Value("lost" if f["correct_a"] else "gained"),
            Value(f["cause"]),
        ]
        for f in flips[:MOST_FLIPS]
    ]
    return Table("Questions that flipped", heads, lines, "flips", more=len(flips) - len(lines))


def told(data: ReportData) -> str:
    """How far the passes of the first cell lie apart, in a sentence."""
    rows = data.rows("stability", gold=PUBLISHED, kind="passes")
    if not rows:
        return "Verdicts of the same question, drawn more than once."
    r = rows[0]
    if r["mean"] is None:
        return f"The {r['k']} passes of {r['system']} cannot be averaged while {r['n_unjudged']} rows are unjudged."
    return (
        f"{r['system']} read by {r['reader']}: {percent(r['mean'])} ± {100 * r['half_range']:.2f} points over "
        f"{r['k']} passes; {r['all_right']:,} of all {r['n']:,} questions are right in every pass, "
        f"{r['unstable']:,} changed."
    )
