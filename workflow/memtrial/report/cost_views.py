"""What accuracy is set against: the reader, the evidence that a packet holds, tokens and dollars."""

from __future__ import annotations

from typing import NamedTuple

from memtrial.report.data import PUBLISHED, ReportData, Row, in_order, percent
from memtrial.report.front import judged, ranked
from memtrial.report.table import Head, Table, Value, accuracy_value, cell_value, shades
from memtrial.spec import TRIVIAL


class Point(NamedTuple):
    """A place in a scatter plot: what it is called, where it lies across, and its row of the accuracy table."""

    system: str
    label: str
    across: float
    row: Row


def reader_rows(data: ReportData, gold: str = PUBLISHED) -> list[Row]:
    """Headline rows of memory systems, the first pass of each reader and judge."""
    rows = [r for r in ranked(data, judged(data, gold)) if r["system"] != TRIVIAL and r["slice"] != "abstention"]
    rows = [r for r in rows if not data.planted(r["reader"])]
    first: dict[tuple[str, str, str], Row] = {}
    for r in rows:
        first.setdefault((r["system"], r["reader"], r["judge"]), r)
    return list(first.values())


def _of_lead(data: ReportData) -> list[Row]:
    """Rows under the first judge alone: recall and cost have nothing to do with the judge."""
    rows = reader_rows(data)
    return [r for r in rows if r["judge"] == rows[0]["judge"]]


def reader_tables(data: ReportData) -> list[Table]:
    """A row a system and judge, a column a reader: accuracy of its first pass."""
    tables = []
    for gold in data.golds:
        rows = reader_rows(data, gold)
        readers = in_order(r["reader"] for r in rows)
        found = {(r["system"], r["judge"], r["reader"]): r for r in rows}
        lines = []
        for system, judge in in_order((r["system"], r["judge"]) for r in rows):
            own = [found.get((system, judge, reader)) for reader in readers]
            heats = shades([r["accuracy"] if r else None for r in own])
            name = Value(system, (data.judge_name(judge),), data.system_mark(system))
            cells = zip(own, heats, strict=True)
            lines.append([name, *(accuracy_value(r, h) if r else Value("–") for r, h in cells)])
        heads = [Head("system", "judge", number=False), *(Head(r, data.reader_mark(r)) for r in readers)]
        if lines:
            tables.append(Table("Accuracy by reader, first pass", heads, lines, "accuracy", gold))
    return tables


def recall_points(data: ReportData) -> dict[str, list[Point]]:
    """Accuracy against recall_all@10 of the ranking and against gold-complete packets, where either is known."""
    known = {r["system"]: r for r in data.headline}
    rows = _of_lead(data)
    return {
        name: [
            Point(r["system"], _label(r, rows), known[r["system"]][column], r)
            for r in rows
            if known.get(r["system"], {}).get(column) is not None and r["accuracy"] is not None
        ]
        for name, column in (("recall_all@10", "recall_all_10"), ("gold-complete packets", "gold_complete"))
    }


def _label(row: Row, rows: list[Row]) -> str:
    """The system's name, and the reader where there are several of them."""
    return f"{row['system']}, {row['reader']}" if len({r["reader"] for r in rows}) > 1 else str(row["system"])


def recall_table(data: ReportData) -> list[Table]:
    known = {r["system"]: r for r in data.headline}
    lines = [
        [
            cell_value(data, r), Value(percent(known[r["system"]].get("recall_all_10"))),
            Value(percent(known[r["system"]].get("gold_complete"))), accuracy_value(r),
        ]
        for r in _of_lead(data)
        if r["system"] in known and known[r["system"]].get("gold_complete") is not None
    ]  # fmt: skip
    heads = [Head("system", "reader · pass · judge", number=False), Head("recall_all@10", "ranking"),
             Head("gold-complete", "packets"), Head("accuracy")]  # fmt: skip
    return [Table("Evidence against accuracy", heads, lines, "accuracy")] if lines else []


def usage_points(data: ReportData) -> dict[str, list[Point]]:
    """Accuracy against tokens and against dollars a question, where they were counted."""
    costs = {(r["system"], r["reader"], r["reader_pass"]): r for r in data.rows("usage")}
    rows = [r for r in _of_lead(data) if r["accuracy"] is not None]
    return {
        name: [
            Point(r["system"], _label(r, rows), value, r)
            for r in rows
            if (value := costs.get((r["system"], r["reader"], r["reader_pass"]), {}).get(column)) is not None
        ]
        for name, column in (
            ("tokens a question", "tokens_per_question"),
            ("dollars a question", "dollars_per_question"),
        )
    }


def usage_table(data: ReportData) -> list[Table]:
    lines = [
        [
            cell_value(data, {**r, "judge": ""}), Value(f"{r['n_counted']:,}", (f"of {r['n']:,}",)),
            Value(_number(r["prompt_tokens"])), Value(_number(r["completion_tokens"])),
            Value(_number(r["tokens_per_question"])), Value(_number(r["packet_tokens"])),
            Value(_dollars(r["dollars"], 2)), Value(_dollars(r["dollars_per_question"], 5)),
        ]
        for r in data.rows("usage")
        if r["n_counted"] or r["packet_tokens"] is not None
    ]  # fmt: skip
    heads = [Head("system", "reader · pass", number=False), Head("counted", "answers"), Head("prompt", "tokens"),
             Head("completion", "tokens"), Head("tokens", "a question"), Head("packet", "proxy tokens a question"),
             Head("dollars"), Head("dollars", "a question")]  # fmt: skip
    return [Table("Usage of each pass", heads, lines, "usage")] if lines else []


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def _dollars(value: float | None, digits: int) -> str:
    return "–" if value is None else f"${value:,.{digits}f}"


def usage_told(data: ReportData) -> str:
    rows = [r for r in data.rows("usage") if r["tokens_per_question"] is not None]
    if rows:
        low, high = min(rows, key=_tokens), max(rows, key=_tokens)
        return (
            f"From {_number(low['tokens_per_question'])} tokens a question ({low['system']}, {low['reader']}) to "
            f"{_number(high['tokens_per_question'])} ({high['system']}, {high['reader']}), by the provider's own count."
        )
    sized = [r for r in data.rows("usage") if r["packet_tokens"] is not None]
    if not sized:
        return "No answer carries a count of tokens."
    low, high = min(sized, key=_packet), max(sized, key=_packet)
    return (
        "No answer carries a provider's count of tokens; packets hold from "
        f"{_number(low['packet_tokens'])} ({low['system']}) to {_number(high['packet_tokens'])} ({high['system']}) "
        "proxy tokens a question."
    )


def _tokens(row: Row) -> float:
    return float(row["tokens_per_question"])


def _packet(row: Row) -> float:
    return float(row["packet_tokens"])
