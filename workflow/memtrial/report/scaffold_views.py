"""What the report says of packets and scaffolds before any reader sees them: one function a section."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memtrial.report.data import ReportData, Row, percent, span


class SupportTable(NamedTuple):
    """Kinds of answer as columns, each with its n; a row an operator: in how many scaffolds it stands, and its cells.

    A cell is rate, interval and chance level, each in words; an en dash where no chance could be measured.
    """

    system: str
    kinds: list[tuple[str, int]]
    rows: list[tuple[str, int, list[tuple[str, str, str]]]]


class TriggerTable(NamedTuple):
    """Systems that choose alike; a row an operator over all questions; and by question type, with its n, the rates.

    A rate is followed by precision and recall in words, empty where nothing is labelled.
    """

    systems: list[str]
    rows: list[Row]
    operators: list[str]
    types: list[tuple[str, int, list[tuple[str, str]]]]


def packet_table(data: ReportData) -> list[tuple[str, list[tuple[str, str]]]]:
    """A line a measure: its name and, for each row of `data.packets`, the value and what is said of it in small."""
    columns = [_measures(row) for row in data.packets]
    return [(name, [column[name] for column in columns]) for name in (columns[0] if columns else ())]


def _measures(row: Row) -> dict[str, tuple[str, str]]:
    unit = f"tokens of {row['tokenizer']}" if row["tokenizer"] else "proxy tokens"
    limits = [(row["max_sessions"], "slots"), (row["max_tokens"], unit)]
    forms = [f"{row[form]:,} {form}" for form in ("whole", "extracted", "cut", "turns") if row[form]]
    return {
        "layout": (row["layout"], ""),
        "packets": (f"{row['n']:,}", ""),
        "budget": (", ".join(f"{most:,} {what}" for most, what in limits if most is not None) or "none", ""),
        "over budget": (f"{row['over_budget']:,}", ""),
        "sessions": (f"{row['sessions_mean']:.1f}", "mean"),
        "proxy tokens": (f"{row['proxy_tokens_mean']:,.0f}", f"mean; most {row['proxy_tokens_max']:,}"),
        "slots by form": (", ".join(forms) or "none", ""),
        "elided lines": (f"{row['elided_lines']:,}", ""),
        "dropped candidates": (f"{row['dropped']:,}", ", ".join(_reasons(row["dropped_by"]))),
        "gold-complete": (percent(row["gold_complete"]), f"n={row['n_gold_complete']:,}"),
        "turn-complete": (percent(row["turn_complete"]), f"n={row['n_turn_complete']:,}"),
    }


def _reasons(told: str) -> list[str]:
    """What `budget=5 blank=1` says, a reason each."""
    return [f"{count} {reason}" for reason, _, count in (pair.partition("=") for pair in told.split())]


def support_tables(data: ReportData) -> list[SupportTable]:
    """Answer support by system, over all question types; a system without any scaffold has no table."""
    rows = [r for r in data.support if r["slice"] == "all"]
    tables = []
    for system in _in_order(r["system"] for r in rows):
        own = {(r["operator"], r["kind"]): r for r in rows if r["system"] == system}
        operators, kinds = (_in_order(key[place] for key in own) for place in (0, 1))
        heads = [(kind, next(r["n"] for (_, k), r in own.items() if k == kind)) for kind in kinds]
        lines = [(o, own[o, "all"]["fired"], [_cell(own[o, kind]) for kind in kinds]) for o in operators]
        if any(fired for _, fired, _ in lines):
            tables.append(SupportTable(system, heads, lines))
    return tables


def _cell(row: Row) -> tuple[str, str, str]:
    return percent(row["rate"]), span(row["ci_low"], row["ci_high"]), f"chance {percent(row['chance'])}"


def trigger_tables(data: ReportData) -> list[TriggerTable]:
    """Operator choice; systems with the same figures share a table, and those that never choose have none."""
    tables: list[TriggerTable] = []
    for system in _in_order(r["system"] for r in data.triggers):
        rows = [{k: v for k, v in r.items() if k != "system"} for r in data.triggers if r["system"] == system]
        found = _trigger_table(system, rows)
        alike = next((t for t in tables if t._replace(systems=[system]) == found), None)
        if alike:
            alike.systems.append(system)
        elif any(r["fired"] for r in rows):
            tables.append(found)
    return tables


def _trigger_table(system: str, rows: Sequence[Row]) -> TriggerTable:
    operators = _in_order(r["operator"] for r in rows)
    found = {(r["slice"], r["operator"]): r for r in rows}
    slices = [s for s in _in_order(r["slice"] for r in rows) if s != "all"]
    types = [
        (s.partition("=")[2], found[s, operators[0]]["n"], [_choice(found[s, o]) for o in operators]) for s in slices
    ]
    return TriggerTable([system], [r for r in rows if r["slice"] == "all"], operators, types)


def _choice(row: Row) -> tuple[str, str]:
    if not row["labelled"]:
        return percent(row["rate"]), ""
    return percent(row["rate"]), f"precision {percent(row['precision'])}, recall {percent(row['recall'])}"


def _in_order(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
