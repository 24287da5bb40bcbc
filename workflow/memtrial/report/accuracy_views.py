"""Accuracy by question type and by every slice."""

from __future__ import annotations

from memtrial.report.data import PUBLISHED, SMALL, ReportData, Row, in_order, percent, span
from memtrial.report.front import claims, ranked
from memtrial.report.table import Head, Table, Value, accuracy_value, cell_value, n_of, shades
from memtrial.spec import TRIVIAL

_NAMED = {("scored", "answerable"): "answerable", ("scored", "abstention"): "abstention",
          ("abstention", "true"): "abstention"}  # fmt: skip
_NO_MAP = ("all", "macro", "scored")  # the table by type has them
_CELL = ("system", "reader", "reader_pass", "judge")


def type_tables(data: ReportData) -> list[tuple[str, list[Table]]]:
    """By judge, a table a set of gold: a row a cell with micro, macro, abstention apart, and each question type."""
    judges = in_order(r["judge"] for r in ranked(data, data.rows("accuracy", gold=PUBLISHED)))
    return [(f"judged by {data.judge_name(j)}", [_types(data, j, gold) for gold in data.golds]) for j in judges]


def _types(data: ReportData, judge: str, gold: str) -> Table:
    rows = data.rows("accuracy", gold=gold, judge=judge)
    found = {(*_cell(r), r["axis"], r["slice"]): r for r in rows}
    columns = _columns(rows)
    cells = in_order(_cell(r) for r in ranked(data, rows))
    # A trivial baseline or planted answers would take all the range.
    shaded = [None if cell[0] == TRIVIAL or data.planted(cell[1]) else cell for cell in cells]
    by_column = {c: shades([_shade(found.get((*cell, *c))) if cell else None for cell in shaded]) for c in columns}
    lines = []
    for place, cell in enumerate(cells):
        first = next(r for r in rows if _cell(r) == cell)
        values = [_value(found.get((*cell, *c)), by_column[c][place]) for c in columns]
        lines.append([cell_value(data, {**first, "judge": ""}), *values])
    heads = [Head("system", "reader · pass", number=False), *(_head(*c) for c in columns)]
    note = "Shade: from the lowest to the highest of a column."
    return Table(f"Accuracy judged by {data.judge_name(judge)}", heads, lines, "accuracy", gold, note)


def _cell(row: Row) -> tuple[str, str, str, str]:
    return row["system"], row["reader"], row["reader_pass"], row["judge"]


def _columns(rows: list[Row]) -> list[tuple[str, str]]:
    present = in_order((r["axis"], r["slice"]) for r in rows)
    apart = [c for c in present if c in _NAMED]
    if ("scored", "abstention") in apart and ("abstention", "true") in apart:
        apart.remove(("abstention", "true"))
    macro = [c for c in present if c[0] == "macro"]
    return [*(c for c in present if c[0] == "all"), *macro, *apart, *(c for c in present if c[0] == "question_type")]


def _head(axis: str, name: str) -> Head:
    if axis == "all":
        return Head("micro", "all questions alike")
    if axis == "macro":
        return Head("macro", name.replace("question_type", "all types alike"))
    if (axis, name) in _NAMED:
        return Head(_NAMED[axis, name], "apart")
    return Head(name)


def _shade(row: Row | None) -> float | None:
    return row["accuracy"] if row else None


def _value(row: Row | None, heat: float | None) -> Value:
    return accuracy_value(row, heat) if row else Value("–")


def types_told(data: ReportData) -> str:
    """Where the lead claim's system is best and worst, in a sentence."""
    lead = next(iter(claims(data)), None)
    if lead is None:
        return "Share of questions judged correct, by question type."
    rows = [r for r in data.rows("accuracy", gold=PUBLISHED, axis="question_type") if _cell(r) == _cell(lead.row)]
    known = sorted((r["accuracy"], r["slice"]) for r in rows if r["accuracy"] is not None and r["n"] >= SMALL)
    if len(known) < 2:
        return (
            f"Too few question types of {SMALL} or more questions to say where {lead.row['system']} is better or worse."
        )
    (low, worst), (high, best) = known[0], known[-1]
    return f"{lead.row['system']} is best on {best} ({percent(high)}) and worst on {worst} ({percent(low)})."


def slice_tables(data: ReportData) -> list[tuple[str, list[Table]]]:
    """By reader and judge, as `ranked` orders them: a heat map an axis, a row a slice with its n, a column a system or
    family."""
    known = {(r["reader"], r["judge"]) for r in data.rows("slices")}
    order = in_order((r["reader"], r["judge"]) for r in ranked(data, data.rows("accuracy")))
    pairs = [pair for pair in order if pair in known]
    named = []
    for reader, judge in pairs:
        tables = []
        for gold in data.golds:
            rows = data.rows("slices", gold=gold, reader=reader, judge=judge)
            tables += [_heat_map(data, rows, axis, gold) for axis in _axes(rows)]
        if not tables:
            continue
        name = f"read by {data.reader_name(reader)}, judged by {data.judge_name(judge)}"
        named.append((name, sorted(tables, key=lambda t: t.label)))
    return named


def _axes(rows: list[Row]) -> list[str]:
    """Axes with two slices or more: one alone says what all questions say."""
    found = in_order((r["axis"], r["slice"]) for r in rows if r["axis"] not in _NO_MAP)
    return [axis for axis in in_order(a for a, _ in found) if sum(a == axis for a, _ in found) > 1]


def _heat_map(data: ReportData, rows: list[Row], axis: str, gold: str) -> Table:
    own = [r for r in rows if r["axis"] == axis]
    columns = in_order((r["kind"], r["name"]) for r in own)
    found = {(r["slice"], r["kind"], r["name"]): r for r in own}
    slices = in_order(r["slice"] for r in own)
    keys = [(s, *c) for s in slices for c in columns]
    heats = dict(zip(keys, shades([found[k]["mean"] if k in found else None for k in keys]), strict=True))
    lines = []
    for s in slices:
        sizes = [found[s, *c] for c in columns if (s, *c) in found]
        values = [_mean(found.get((s, *c)), heats[s, *c]) for c in columns]
        lines.append([Value(s, (n_of(sizes[0]),)), *values])
    known = [r["mean"] for r in own if r["mean"] is not None]
    note = f"Shade: from {percent(min(known))} to {percent(max(known))}." if known else ""
    heads = [Head(_called(axis), number=False), *(_of_family(data, kind, name, own) for kind, name in columns)]
    return Table(f"Slices by {_called(axis)}", heads, lines, "slices", gold, note)


def _called(axis: str) -> str:
    return axis.replace("_", " ").replace("*", " × ")


def _of_family(data: ReportData, kind: str, name: str, rows: list[Row]) -> Head:
    row = next(r for r in rows if (r["kind"], r["name"]) == (kind, name))
    if kind != "system":
        return Head(name, f"family of {row['members']}")
    passes = f"mean of {row['passes']} passes" if row["passes"] > 1 else ""
    return Head(name, ", ".join(filter(None, [data.system_mark(name), passes])))


def _mean(row: Row | None, heat: float | None) -> Value:
    if row is None:
        return Value("–")
    if row["mean"] is None:
        return Value("–", (f"{row['n_unjudged']} unjudged",))
    told = span(row["low"], row["high"]) if row["low"] != row["high"] else "all alike"
    return Value(percent(row["mean"]), tuple(filter(None, [told])), heat=heat)


def slices_told(data: ReportData) -> str:
    rows = data.rows("slices", gold=PUBLISHED)
    axes, slices = {r["axis"] for r in rows}, {(r["axis"], r["slice"]) for r in rows}
    small = {(r["axis"], r["slice"]) for r in rows if r["n"] < SMALL}
    few = f", {len(small)} of them of fewer than {SMALL} questions (†)" if small else ""
    return f"{len(slices)} slices on {len(axes)} axes{few}."
