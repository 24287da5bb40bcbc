"""The tables of the statistics: their columns, their files, and the summary that ends a run."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from memtrial.store import atomic

Row = Mapping[str, Any]

_TEXT, _INT, _RATE, _FLAG = pa.string(), pa.int64(), pa.float64(), pa.bool_()
_CELL = [("system", _TEXT), ("reader", _TEXT), ("reader_pass", _TEXT), ("judge", _TEXT)]
_PAIR = [("system", _TEXT), ("reader", _TEXT), ("judge", _TEXT), ("pass_a", _TEXT), ("pass_b", _TEXT)]

ACCURACY = pa.schema(
    [
        *_CELL, ("axis", _TEXT), ("slice", _TEXT), ("n", _INT), ("correct", _INT), ("accuracy", _RATE),
        ("wilson_low", _RATE), ("wilson_high", _RATE), ("boot_low", _RATE), ("boot_high", _RATE),
        ("n_error", _INT), ("n_unparseable", _INT), ("n_unanswered", _INT), ("bound_low", _RATE), ("bound_high", _RATE),
        ("mean_grade", _RATE),
    ]
)  # fmt: skip
RETRIEVAL = pa.schema(
    [
        ("system", _TEXT), ("stage", _TEXT), ("level", _TEXT), ("metric", _TEXT), ("k", _INT), ("slice", _TEXT),
        ("n", _INT), ("value", _RATE), ("ci_low", _RATE), ("ci_high", _RATE),
    ]
)  # fmt: skip
RANKS = pa.schema(
    [
        ("question_id", _TEXT), ("stage", _TEXT), ("level", _TEXT), ("n_gold", _INT), ("ranks", pa.list_(_INT)),
        ("rank_first", _INT), ("rank_all", _INT),
    ]
)  # fmt: skip
SUPPORT_ROWS = pa.schema(
    [
        ("question_id", _TEXT), ("kind", _TEXT), ("operator", _TEXT), ("supported", _FLAG), ("chance", _RATE),
        ("values", _INT), ("fired", _FLAG),
    ]
)  # fmt: skip
SUPPORT = pa.schema(
    [
        ("system", _TEXT), ("operator", _TEXT), ("kind", _TEXT), ("slice", _TEXT), ("n", _INT), ("supported", _INT),
        ("rate", _RATE), ("ci_low", _RATE), ("ci_high", _RATE), ("chance", _RATE), ("values", _RATE), ("fired", _INT),
    ]
)  # fmt: skip
TRIGGERS = pa.schema(
    [
        ("system", _TEXT), ("operator", _TEXT), ("slice", _TEXT), ("n", _INT), ("fired", _INT), ("rate", _RATE),
        ("labelled", _INT), ("needed", _INT), ("tp", _INT), ("fp", _INT), ("fn", _INT), ("precision", _RATE),
        ("recall", _RATE),
    ]
)  # fmt: skip
PACKETS = pa.schema(
    [
        ("system", _TEXT), ("slice", _TEXT), ("n", _INT), ("layout", _TEXT), ("sessions_mean", _RATE),
        ("proxy_tokens_mean", _RATE), ("proxy_tokens_max", _INT), ("max_sessions", _INT), ("max_tokens", _INT),
        ("tokenizer", _TEXT), ("over_budget", _INT), ("whole", _INT), ("extracted", _INT), ("cut", _INT),
        ("turns", _INT), ("elided_lines", _INT), ("dropped", _INT), ("dropped_by", _TEXT), ("gold_complete", _RATE),
        ("n_gold_complete", _INT), ("turn_complete", _RATE), ("n_turn_complete", _INT),
    ]
)  # fmt: skip
FLIPS = pa.schema([*_PAIR, ("question_id", _TEXT), ("correct_a", _FLAG), ("correct_b", _FLAG), ("same_answer", _FLAG)])
DISAGREEMENTS = pa.schema([*_CELL, ("question_id", _TEXT), ("correct", _FLAG), ("official", _FLAG), ("raw", _TEXT)])
AGREEMENT = pa.schema(
    [
        ("system", _TEXT), ("reader", _TEXT), ("reader_pass", _TEXT), ("judge_a", _TEXT), ("judge_b", _TEXT),
        ("repeat", _FLAG), ("axis", _TEXT), ("slice", _TEXT), ("n", _INT), ("agree", _INT), ("rate", _RATE),
        ("wilson_low", _RATE), ("wilson_high", _RATE), ("kappa", _RATE), ("both_right", _INT), ("only_a", _INT),
        ("only_b", _INT), ("both_wrong", _INT), ("n_unjudged", _INT),
    ]
)  # fmt: skip


def csv_text(rows: Iterable[Row], schema: pa.Schema) -> str:
    """Rows as CSV with a header: rates with six decimals, true/false, a null as nothing."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(schema.names)
    writer.writerows([_shown(row[name]) for name in schema.names] for row in rows)
    return out.getvalue()


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6f}" if isinstance(value, float) else str(value)


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
    `oracles` are systems that read labels: their rows have no accuracy and no bounds (`refused` is true), since theirs
    is not what a memory system reaches.
    """
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
        row = {"benchmark": benchmark, **{name: r[name] for name, _ in _CELL}, "questions": r["slice"], "n": r["n"]}
        row |= {name: r[name] for name in ("accuracy", "wilson_low", "wilson_high", "bound_low", "bound_high")}
        row["refused"] = r["system"] in oracles
        if row["refused"]:
            row |= dict.fromkeys(("accuracy", "wilson_low", "wilson_high", "bound_low", "bound_high"))
        row["n_unjudged"] = r["n_error"] + r["n_unparseable"] + r["n_unanswered"]
        row |= {"recall_all_10": recall.get("value"), "gold_complete": complete.get("value")}
        row["n_retrieval"] = complete.get("n", recall.get("n"))
        rows.append(row)
    return rows


def render(rows: Sequence[Row], confidence: float) -> str:
    """Headline rows as a plain text table with aligned columns, for the terminal; no line break at its end."""
    rate = f"accuracy [{100 * confidence:g}% Wilson]"
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
        return "refused: reads labels"
    if row["accuracy"] is None:
        return f"{row['bound_low']:.1%} to {row['bound_high']:.1%} ({row['n_unjudged']} unjudged)"
    return f"{row['accuracy']:.1%} [{100 * row['wilson_low']:.1f}, {100 * row['wilson_high']:.1f}]"


def _with_n(row: Row, metric: str) -> str:
    return "-" if row[metric] is None else f"{row[metric]:.1%} (n={row['n_retrieval']})"
