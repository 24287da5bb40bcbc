"""Retrieval and packets: how much of the gold evidence is ranked, and how much reaches a reader."""

from __future__ import annotations

from memtrial.report.data import ReportData, Row, in_order, percent, span
from memtrial.report.table import Head, Table, Value, shades

_MEASURES: tuple[tuple[str, int | None], ...] = (
    ("recall_any", 1), ("recall_any", 10), ("recall_all", 10), ("recall_all", 16), ("ndcg", 10), ("mrr", 10),
    ("gold_complete", None),
)  # fmt: skip


def ranking_systems(data: ReportData) -> list[str]:
    """Systems that rank sessions themselves, in the order of the table; a packet alone has no ranking."""
    ranking = in_order(r["system"] for r in data.rows("retrieval") if r["stage"] != "packet")
    return [s for s in ranking if "rankings_of" not in data.systems[s]]


def retrieval_tables(data: ReportData) -> list[Table]:
    """By system a row a level and stage; one that packs the rankings of another shows its packets alone."""
    borrowed = {name for name, spec in data.systems.items() if "rankings_of" in spec}
    rows = [
        r for r in data.rows("retrieval", slice="all") if r["stage"] == "packet" or r["system"] not in borrowed
    ]  # fmt: skip
    present = {(r["metric"], r["k"]) for r in rows}
    measures = [m for m in _MEASURES if m in present]
    names = ["gold-complete" if k is None else f"{metric}@{k}" for metric, k in measures]
    heads = [Head("stage", "level", number=False), Head("n"), *(Head(name) for name in names)]
    tables = []
    for system in in_order(r["system"] for r in rows):
        own = [r for r in rows if r["system"] == system]
        found = {(r["level"], r["stage"], r["metric"], r["k"]): r for r in own}
        stages = in_order((r["level"], r["stage"]) for r in own)
        heats = [shades([_value(found.get((*s, *m))) for s in stages]) for m in measures]
        lines = [
            [
                Value(stage[1], (stage[0],)),
                Value(f"{next(r['n'] for r in own if (r['level'], r['stage']) == stage):,}"),
                *(_measure(found.get((*stage, *m)), heats[c][place]) for c, m in enumerate(measures)),
            ]
            for place, stage in enumerate(stages)
        ]
        mark = data.system_mark(system)
        tables.append(Table(f"Retrieval of {system}{f' ({mark})' if mark else ''}", heads, lines, "retrieval"))
    return tables


def _value(row: Row | None) -> float | None:
    return row["value"] if row else None


def _measure(row: Row | None, heat: float | None) -> Value:
    if row is None:
        return Value("–")
    return Value(percent(row["value"]), tuple(filter(None, [span(row["ci_low"], row["ci_high"])])), heat=heat)


def retrieval_told(data: ReportData) -> str:
    """What the first ten sessions of each ranking hold, in a sentence."""
    rows = data.rows("retrieval", level="session", metric="recall_all", k=10, slice="all")
    last = {r["system"]: r for r in rows if r["stage"] != "packet"}  # the last stage of a system is its ranking
    told = [f"{s} {percent(r['value'])}" for s, r in last.items() if s in ranking_systems(data)]
    n = next((r["n"] for r in last.values()), 0)
    return f"Questions whose first ten ranked sessions hold every gold session (n={n:,}): {', '.join(told)}."


def packet_table(data: ReportData) -> list[Table]:
    """A row a measure, a column a system."""
    rows = data.rows("packets", slice="all")
    if not rows:
        return []
    columns = [_measures(r) for r in rows]
    lines = [[Value(name), *(column[name] for column in columns)] for name in columns[0]]
    heads = [Head("all questions", number=False), *(Head(r["system"], data.system_mark(r["system"])) for r in rows)]
    return [Table("Packets", heads, lines, "packets")]


def _measures(row: Row) -> dict[str, Value]:
    unit = f"tokens of {row['tokenizer']}" if row["tokenizer"] else "proxy tokens"
    limits = [(row["max_sessions"], "slots"), (row["max_tokens"], unit)]
    forms = [f"{row[form]:,} {form}" for form in ("whole", "extracted", "cut", "turns") if row[form]]
    return {
        "layout": Value(row["layout"]),
        "packets": Value(f"{row['n']:,}"),
        "budget": Value(", ".join(f"{most:,} {what}" for most, what in limits if most is not None) or "none"),
        "over budget": Value(f"{row['over_budget']:,}"),
        "sessions": Value(f"{row['sessions_mean']:.1f}", ("mean",)),
        "proxy tokens": Value(f"{row['proxy_tokens_mean']:,.0f}", (f"mean; most {row['proxy_tokens_max']:,}",)),
        "slots by form": Value(", ".join(forms) or "none"),
        "elided lines": Value(f"{row['elided_lines']:,}"),
        "dropped candidates": Value(f"{row['dropped']:,}", tuple(_reasons(row["dropped_by"]))),
        "gold-complete": Value(percent(row["gold_complete"]), (f"n={row['n_gold_complete']:,}",)),
        "turn-complete": Value(percent(row["turn_complete"]), (f"n={row['n_turn_complete']:,}",)),
    }


def _reasons(told: str) -> list[str]:
    """What `budget=5 blank=1` says, a reason each."""
    return [f"{int(count):,} {reason}" for reason, _, count in (pair.partition("=") for pair in told.split())]


def packets_told(data: ReportData) -> str:
    rows = data.rows("packets", slice="all")
    known = [f"{r['system']} {percent(r['gold_complete'])}" for r in rows if r["gold_complete"] is not None]
    return f"Packets that hold every gold session: {', '.join(known)}." if known else "What a reader gets to see."
