"""What the report says of scaffolds before any reader sees them: answer support and operator choice."""

from __future__ import annotations

from memtrial.report.data import ReportData, Row, in_order, percent, span
from memtrial.report.table import Head, Table, Value


def support_tables(data: ReportData) -> list[Table]:
    """By system over all question types: a row an operator, a column a kind of answer; none without any scaffold."""
    rows = data.rows("support", slice="all")
    tables = []
    for system in in_order(r["system"] for r in rows):
        own = {(r["operator"], r["kind"]): r for r in rows if r["system"] == system}
        operators, kinds = (in_order(key[place] for key in own) for place in (0, 1))
        if not any(own[o, "all"]["fired"] for o in operators):
            continue
        sizes = {kind: next(r["n"] for (_, k), r in own.items() if k == kind) for kind in kinds}
        heads = [Head("operator", number=False), Head("fired"), *(Head(k, f"n={sizes[k]:,}") for k in kinds)]
        lines = [
            [Value(o), Value(f"{own[o, 'all']['fired']:,}"), *(_cell(own[o, k]) for k in kinds)] for o in operators
        ]
        mark = data.system_mark(system)
        tables.append(Table(f"Answer support of {system}{f' ({mark})' if mark else ''}", heads, lines, "support"))
    return tables


def _cell(row: Row) -> Value:
    interval = span(row["ci_low"], row["ci_high"])
    return Value(percent(row["rate"]), tuple(filter(None, [interval, f"chance {percent(row['chance'])}"])))


def trigger_tables(data: ReportData) -> list[Table]:
    """Operator choice; systems with the same figures share a table, and those that never choose have none."""
    systems: dict[str, list[str]] = {}
    found: dict[str, list[Row]] = {}
    for system in in_order(r["system"] for r in data.rows("triggers")):
        own = data.rows("triggers", system=system)
        if any(r["fired"] for r in own):
            alike = repr([{k: v for k, v in r.items() if k != "system"} for r in own])
            systems.setdefault(alike, []).append(system)
            found.setdefault(alike, own)
    heads = [Head("operator", number=False), Head("n"), Head("fired"), Head("n labelled"), Head("needed"),
             Head("precision"), Head("recall")]  # fmt: skip
    return [
        Table(_name(data, systems[key]), heads, [_choice(r) for r in own if r["slice"] == "all"], "triggers")
        for key, own in found.items()
    ]


def _name(data: ReportData, systems: list[str]) -> str:
    marks = [data.system_mark(s) for s in systems]
    named = [f"{s} ({mark})" if mark else s for s, mark in zip(systems, marks, strict=True)]
    return f"Operator choice of {', '.join(named)}"


def _choice(row: Row) -> list[Value]:
    values = [Value(row["operator"]), Value(f"{row['n']:,}"), Value(f"{row['fired']:,}", (percent(row["rate"]),)),
              Value(f"{row['labelled']:,}")]  # fmt: skip
    if not row["labelled"]:
        return [*values, *[Value("–")] * 3]
    precise, recalled = row["tp"] + row["fp"], row["tp"] + row["fn"]
    return [
        *values, Value(f"{row['needed']:,}"), Value(percent(row["precision"]), (f"{row['tp']} of {precise}",)),
        Value(percent(row["recall"]), (f"{row['tp']} of {recalled}",)),
    ]  # fmt: skip


def told(data: ReportData) -> str:
    """What the whole scaffold of the first system with one supports, against chance, in a sentence."""
    rows = [r for r in data.rows("support", slice="all", operator="any", kind="all") if r["rate"] is not None]
    r = next((r for r in rows if r["fired"]), None)
    if r is None:
        return "Which operators fire on the wording of a question."
    return (
        f"The reference answer can be read off the scaffold of {r['system']} on {percent(r['rate'])} of {r['n']:,} "
        f"questions whose answer can be looked for; by chance it would be {percent(r['chance'])}."
    )
