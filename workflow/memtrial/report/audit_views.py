"""What can be held against the numbers: published figures, disputed gold, data quality, power to tell systems apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from memtrial.report.data import PUBLISHED, UNDISPUTED, ReportData, Row, in_order, percent
from memtrial.report.front import judged, ranked
from memtrial.report.table import Head, Table, Value, cell_value, n_of, question_link
from memtrial.spec import TRIVIAL

MOST_SHOWN = 20  # findings of one kind that the page lists before it counts the rest
MOST_DISPUTED = 60
MOST_ROWS = 80
MOST_GROUPS = 12
OUTCOMES = ("equal", "differs", "absent")


class Listing(NamedTuple):
    """The first of a long list, and how many more there are."""

    shown: list[Any]
    more: int

    @classmethod
    def of(cls, items: Iterable[Any]) -> Listing:
        listed = list(items)
        return cls(listed[:MOST_SHOWN], max(0, len(listed) - MOST_SHOWN))


def claim_tables(data: ReportData) -> dict[str, list[Table]]:
    """Published figures beside ours: `apart` has those that differ or are absent, `equal` the others by what they are
    of, which stands before the colon of their names; by source if that makes too many groups."""
    rows = data.rows("claims")
    apart = sorted((r for r in rows if r["outcome"] != "equal"), key=_outcome)
    heads = [Head("figure", number=False), Head("published"), Head("ours"), Head("read from", number=False)]
    equal = [r for r in rows if r["outcome"] == "equal"]
    groups = _grouped((r["claim"].rpartition(": ")[0] or _origin(r), r["claim"].rpartition(": ")[2], r) for r in equal)
    if len(groups) > MOST_GROUPS:
        groups = _grouped((_origin(r), r["claim"], r) for r in equal)
    tables = {
        "apart": [Table("Not equal", heads, [_claim(r, r["claim"]) for r in apart], "claims")] if apart else [],
        "equal": [Table(group, heads, lines, "claims") for group, lines in groups.items()],
    }
    return tables if rows else {}


def _grouped(named: Iterable[tuple[str, str, Row]]) -> dict[str, list[list[Value]]]:
    found: dict[str, list[list[Value]]] = defaultdict(list)
    for group, name, row in named:
        found[group].append(_claim(row, name))
    return found


def _origin(row: Row) -> str:
    """The source of a figure without the file and the place in it."""
    return str(row["source"]).partition(", ../")[0].partition(": ")[0]


def _claim(row: Row, name: str) -> list[Value]:
    apart = row["outcome"] != "equal"
    read = (row["where"], row["source"]) if apart else ()
    return [
        Value(name, mark=row["outcome"] if apart else ""), Value(row["published"] or "–"), Value(row["ours"] or "–"),
        Value(f"{row['table']}.{row['column']}", tuple(filter(None, read))),
    ]  # fmt: skip


def _outcome(row: Row) -> int:
    return -OUTCOMES.index(row["outcome"])


def claims_told(data: ReportData) -> str:
    rows = data.rows("claims")
    found = Counter(r["outcome"] for r in rows)
    counts = f"{found['equal']} equal, {found['differs']} different, {found['absent']} absent"
    sources = ", ".join(in_order(_origin(r) for r in rows))
    return f"{found.total()} published figures ({sources}) beside ours: {counts}."


def reach_tables(data: ReportData) -> list[Table]:
    """How far disputed rows could move each cell: as published, all of them wrong, all right, and without them."""
    heads = [Head("system", "reader · pass · judge", number=False), Head("as published"), Head("disputed"),
             Head("all wrong"), Head("all right"), Head("without them")]  # fmt: skip
    without = {_cell(r): r for r in judged(data, UNDISPUTED)}
    rows = [r for r in ranked(data, judged(data)) if r["system"] != TRIVIAL and r["disputed_low"] is not None]
    lines = [
        [
            cell_value(data, r)._replace(text=_called(r)), _right(r, r["accuracy"]), Value(f"{r['n_disputed']:,}"),
            _right(r, r["disputed_low"]), _right(r, r["disputed_high"]),
            _right(without[_cell(r)], without[_cell(r)]["accuracy"]) if _cell(r) in without else Value("–"),
        ]
        for r in rows
    ]  # fmt: skip
    return [Table("How far disputed rows could move each result", heads, lines, "accuracy")] if lines else []


def _cell(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in ("system", "reader", "reader_pass", "judge", "axis", "slice"))


def _called(row: Row) -> str:
    return row["system"] if row["slice"] == "all" else f"{row['system']}, {row['slice']}"


def _right(row: Row, rate: float | None) -> Value:
    """A rate and the number of questions that it makes."""
    return Value(percent(rate), () if rate is None else (f"{round(rate * row['n']):,} of {row['n']:,}",))


def disputed_table(data: ReportData) -> list[Table]:
    heads = [Head("question", number=False), Head("type", number=False), Head("what is wrong", number=False),
             Head("changes the score", number=False), Head("judged right"), Head("source", number=False)]  # fmt: skip
    rows = data.rows("disputed")
    lines = [
        [
            Value(r["question_id"], href=question_link(r["question_id"])), Value(r["question_type"]),
            Value(r["kind"], (r["detail"],) if r["detail"] else ()), Value(_changes(r["changes_score"])),
            Value(f"{r['n_right']:,}", (f"of {r['n_judged']:,}",)), Value(r["source"]),
        ]
        for r in rows[:MOST_DISPUTED]
    ]  # fmt: skip
    return [Table("Disputed gold rows", heads, lines, "disputed", more=len(rows) - len(lines))] if rows else []


def _changes(flag: bool | None) -> str:
    return "unknown" if flag is None else "yes" if flag else "no"


def disputed_told(data: ReportData) -> str:
    rows = data.rows("disputed")
    questions = len({r["question_id"] for r in rows})
    counting = len({r["question_id"] for r in rows if r["changes_score"] is not False})
    sources = ", ".join(in_order(r["source"] for r in rows))
    return (
        f"{questions:,} questions have gold that {sources} disputes; {counting:,} of them may change a score "
        "and are left out where the page is switched to “without disputed rows”. Nothing is corrected."
    )


def dialogue_tables(data: ReportData) -> list[Table]:
    heads = [Head("system", "reader · pass · judge", number=False), Head("level", number=False),
             Head("slice", number=False), Head("n"), Head("mean"), Head("min"), Head("max")]  # fmt: skip
    rows = data.rows("dialogues")
    lines = [
        [
            Value(
                r["system"], (f"{r['reader']} · pass {r['reader_pass']} · {r['judge']}",), data.system_mark(r["system"])
            ),
            Value(r["level"], (f"turn {r['turn_aggregate']}, dialogue {r['dialogue_aggregate']}",)),
            Value(r["slice"] if r["axis"] == "all" else f"{r['axis'].replace('_', ' ')}: {r['slice']}"),
            Value(n_of(r).removeprefix("n="), (f"{r['n_unjudged']} unjudged",) if r["n_unjudged"] else ()),
            *(Value(_score(r[name])) for name in ("mean", "min", "max")),
        ]
        for r in rows[:MOST_ROWS]
    ]
    return [Table("Turn, dialogue, data set", heads, lines, "dialogues", more=len(rows) - len(lines))] if rows else []


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def dialogues_told(data: ReportData) -> str:
    rows = [r for r in data.rows("dialogues", level="dialogue", axis="all") if r["mean"] is not None]
    if not rows:
        return "Scores of turns gathered to dialogues."
    r = rows[0]
    return (
        f"{r['system']}: mean {_score(r['mean'])} over {r['n']:,} dialogues (from {_score(r['min'])} to "
        f"{_score(r['max'])}), each the {r['dialogue_aggregate']} of its turns."
    )


def discriminability_tables(data: ReportData) -> list[Table]:
    """Spread between systems against sampling error; one table a set of gold."""
    heads = [Head("slice", number=False), Head("n"), Head("systems"), Head("spread"), Head("error"), Head("value"),
             Head("formula", number=False)]  # fmt: skip
    tables = []
    for gold in data.golds:
        rows = data.rows("discriminability", gold=gold)
        lines = [
            [
                Value(r["slice"], (_at(r),)), Value(n_of(r).removeprefix("n=")), Value(f"{r['systems']}"),
                Value(_score(r["spread"])), Value(_score(r["error"])), Value(_score(r["value"])), Value(r["formula"]),
            ]
            for r in rows[:MOST_ROWS]
        ]  # fmt: skip
        if lines:
            more = len(rows) - len(lines)
            tables.append(Table("Discriminability", heads, lines, "discriminability", gold, more=more))
    return tables


def _at(row: Row) -> str:
    return f"{row['axis'].replace('_', ' ')} · {row['reader']} · pass {row['reader_pass']} · {row['judge']}"


def correlation_tables(data: ReportData) -> list[Table]:
    """Spearman correlation of slices over systems; one table a set of gold."""
    heads = [Head("slices", number=False), Head("systems"), Head("Spearman")]
    tables = []
    for gold in data.golds:
        rows = data.rows("correlations", gold=gold)
        lines = [
            [
                Value(f"{r['slice_a']}, {r['slice_b']}", (_at(r),)),
                Value(f"{r['systems']}"),
                Value(_score(r["spearman"])),
            ]
            for r in rows[:MOST_ROWS]
        ]
        if lines:
            more = len(rows) - len(lines)
            tables.append(
                Table("Rank correlation of slices over systems", heads, lines, "correlations", gold, more=more)
            )
    return tables


def discriminability_told(data: ReportData) -> str:
    found = data.rows("discriminability", gold=PUBLISHED)
    rows = [r for r in found if r["value"] is not None]
    if not rows:
        alike = "All systems score alike, so nothing tells them apart."
        return alike if found and all(r["spread"] == 0 for r in found) else "Nothing can be told of it yet."
    r = next((r for r in rows if r["axis"] == "all"), rows[0])
    return (
        f"Over {r['systems']} systems it is {_score(r['value'])} (1: no sampling error; 0: no more than chance) by "
        f"{r['formula']} "
        f"(spread {percent(r['spread'])}, sampling error {percent(r['error'])}, n={r['n']:,})."
    )


def findings(data: ReportData) -> list[tuple[str, int, Listing]]:
    """Data-quality findings by kind: the kind, their number, and the first of them."""
    kinds: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for finding in data.quality:
        kinds[finding.kind].append((finding.where, finding.detail))
    return [(kind, len(found), Listing.of(sorted(found))) for kind, found in sorted(kinds.items())]
