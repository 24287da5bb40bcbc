"""The tables of the statistics: their files, and the summary that ends a run."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from memtrial.records import TRIVIAL
from memtrial.statistics import columns
from memtrial.statistics.columns import CELL, P_DIGITS, P_VALUES, PUBLISHED
from memtrial.store import atomic

Row = Mapping[str, Any]


def csv_text(rows: Iterable[Row], schema: pa.Schema) -> str:
    """Rows as CSV with a header: rates with six decimals, p values with seven digits, true/false, a null as nothing."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(schema.names)
    writer.writerows([_shown(name, row[name]) for name in schema.names] for row in rows)
    return out.getvalue()


def _shown(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.{P_DIGITS}g}" if name in P_VALUES else f"{value:.6f}"
    return str(value)


def write_table(path: Path, rows: Iterable[Row], schema: pa.Schema) -> int:
    """Write rows to a `.csv` or `.parquet` file in the order given, the same bytes every time; returns their number.

    Raises `ValueError` for another suffix, `KeyError` for a row without one of the columns.
    """
    listed = [{name: row[name] for name in schema.names} for row in rows]
    with atomic(path) as draft:
        if path.suffix == ".csv":
            draft.write_text(csv_text(listed, schema), encoding="utf-8", newline="\n")
        elif path.suffix == ".parquet":
            pq.write_table(pa.Table.from_pylist(listed, schema=schema), draft, compression="zstd", compression_level=3)
        else:
            raise ValueError(f"{path.name}: a table is written as .csv or .parquet")
    return len(listed)


def write_tables(outputs: Any, found: Mapping[str, Iterable[Row]], prefix: str = "") -> None:
    """Write each table of `found`, rows by name, to the paths `{name}_csv` and `{name}_parquet` of `outputs`.

    The columns are those of the table `{prefix}{name}`. Raises as `write_table`.
    """
    for name, rows in found.items():
        listed = list(rows)
        for suffix in ("csv", "parquet"):
            write_table(getattr(outputs, f"{name}_{suffix}"), listed, getattr(columns, f"{prefix}{name}".upper()))


def read_table(path: Path) -> list[dict[str, Any]]:
    """The rows of a `.parquet` file that `write_table` wrote."""
    rows: list[dict[str, Any]] = pq.read_table(path, partitioning=None).to_pylist()
    return rows


def headline(
    benchmark: str, accuracy: Sequence[Row], retrieval: Sequence[Row], oracles: Collection[str] = ()
) -> list[dict[str, Any]]:
    """One row a cell and headline slice (all, or answerable and abstention apart where the accuracy table sets them
    apart), with the system's session recall_all@10 and its share of gold-complete packets.

    recall_all@10 is of the system's last ranking (reranked, else pool, else dense); null where there is none.
    `oracles` are systems that have what no memory has: their rows have no accuracy and no bounds (`refused` is true),
    since theirs is not what a memory system reaches. Trivial baselines make no row.
    """
    accuracy = [r for r in accuracy if r["gold"] == PUBLISHED and r["system"] != TRIVIAL]
    axis = "scored" if any(r["axis"] == "scored" for r in accuracy) else "all"
    found = {
        (r["system"], r["stage"], r["metric"], r["k"]): r
        for r in retrieval
        if r["level"] == "session" and r["slice"] == "all"
    }
    rows = []
    for r in (r for r in accuracy if r["axis"] == axis):
        ranking = [found.get((r["system"], stage, "recall_all", 10)) for stage in ("reranked", "pool", "dense")]
        recall: Row = next((f for f in ranking if f), {})
        complete: Row = found.get((r["system"], "packet", "gold_complete", None), {})
        row = {"benchmark": benchmark, **{name: r[name] for name in CELL}, "questions": r["slice"], "n": r["n"]}
        row |= {name: r[name] for name in ("accuracy", "bound_low", "bound_high")}
        # Wilson takes questions as independent; where conversations are drawn it is much too narrow (README).
        row["interval"] = "Wilson" if r["t_low"] is None else "t over conversations"
        row |= {end: r[f"wilson_{end}"] if r["t_low"] is None else r[f"t_{end}"] for end in ("low", "high")}
        row["refused"] = r["system"] in oracles
        if row["refused"]:
            row |= dict.fromkeys(("accuracy", "low", "high", "bound_low", "bound_high"))
        row["n_unjudged"] = r["n_error"] + r["n_unparseable"] + r["n_unanswered"]
        row |= {"recall_all_10": recall.get("value"), "gold_complete": complete.get("value")}
        row["n_retrieval"] = complete.get("n", recall.get("n"))
        rows.append(row)
    return rows


def render(rows: Sequence[Row], confidence: float) -> str:
    """Headline rows as a plain text table with aligned columns, for the terminal; no line break at its end."""
    if not rows:
        return "no answers were judged"
    kinds = " or ".join(dict.fromkeys(r["interval"] for r in rows))
    rate = f"accuracy [{100 * confidence:g}% {kinds}]"
    head = ["benchmark", "system", "reader", "pass", "judge", "questions", "n", rate, "recall_all@10", "gold-complete"]
    names = ("benchmark", "system", "reader", "reader_pass", "judge", "questions", "n")
    body = [
        [*(str(r[name]) for name in names), _accuracy(r), *(_with_n(r, m) for m in ("recall_all_10", "gold_complete"))]
        for r in rows
    ]
    widths = [max(len(line[c]) for line in [head, *body]) for c in range(len(head))]
    rule = ["-" * w for w in widths]
    lines = [[cell.ljust(w) for cell, w in zip(line, widths, strict=True)] for line in [head, rule, *body]]
    return "\n".join("  ".join(line).rstrip() for line in lines)


def _accuracy(row: Row) -> str:
    if row["refused"]:
        return "refused: an oracle"
    if row["accuracy"] is None:
        return f"{row['bound_low']:.1%} to {row['bound_high']:.1%} ({row['n_unjudged']} unjudged)"
    return f"{row['accuracy']:.1%} [{100 * row['low']:.1f}, {100 * row['high']:.1f}]"


def _with_n(row: Row, metric: str) -> str:
    return "-" if row[metric] is None else f"{row[metric]:.1%} (n={row['n_retrieval']})"
