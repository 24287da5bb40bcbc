"""The report's tables as a page shows them: one function a section, rows of ready-made words and numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import Any, NamedTuple

from memtrial.report.data import ReportData, Row, percent, span

MOST_SHOWN = 20  # findings of one kind, or flip rows of one pair, that the page lists before it counts the rest
_MEASURES: tuple[tuple[str, int | None], ...] = (
    ("recall_any", 1), ("recall_any", 10), ("recall_all", 10), ("recall_all", 16), ("ndcg", 10), ("mrr", 10),
    ("gold_complete", None),
)  # fmt: skip


class Listing(NamedTuple):
    """The first of a long list, and how many more there are."""

    shown: list[Any]
    more: int

    @classmethod
    def of(cls, items: Iterable[Any]) -> Listing:
        listed = list(items)
        return cls(listed[:MOST_SHOWN], max(0, len(listed) - MOST_SHOWN))


def cell_of(row: Row) -> tuple[str, str, str, str]:
    """System, reader, pass and judge of a row of the accuracy table."""
    return row["system"], row["reader"], row["reader_pass"], row["judge"]


def by_question_type(
    data: ReportData,
) -> tuple[list[tuple[str, str, str, str]], list[tuple[str, list[tuple[str, str]]]]]:
    """The cells as columns and, for each question type in that order, the accuracy with n and its Wilson interval.

    While rows are unjudged there are bounds and their number instead.
    """
    rows = [r for r in data.accuracy if r["axis"] == "question_type"]
    cells = list(dict.fromkeys(cell_of(r) for r in rows))
    found = {(r["slice"], cell_of(r)): r for r in rows}
    types = list(dict.fromkeys(r["slice"] for r in rows))
    return cells, [(t, [_rate(found[t, cell]) for cell in cells]) for t in types]


def _rate(row: Row) -> tuple[str, str]:
    n = f"(n={row['n']:,})"
    if row["accuracy"] is None:
        return f"{span(row['bound_low'], row['bound_high'])} {n}", f"{_unjudged(row)} unjudged"
    return f"{percent(row['accuracy'])} {n}", span(row["wilson_low"], row["wilson_high"])


def _unjudged(row: Row) -> int:
    return int(row["n_error"] + row["n_unparseable"] + row["n_unanswered"])


def retrieval_tables(data: ReportData) -> list[tuple[str, list[str], list[Row]]]:
    """By system: the measures as column heads, and a row a level and stage with its n and values.

    A system that packs the rankings of another shows its packets alone.
    """
    borrowed = {name for name, spec in data.systems.items() if "rankings_of" in spec}
    rows = [
        r for r in data.retrieval if r["slice"] == "all" and (r["stage"] == "packet" or r["system"] not in borrowed)
    ]
    present = {(r["metric"], r["k"]) for r in rows}
    heads = [h for h in _MEASURES if h in present]
    names = ["gold-complete" if k is None else f"{metric}@{k}" for metric, k in heads]
    lines: dict[str, dict[tuple[str, str], dict[tuple[str, int | None], Row]]] = {}
    for r in rows:
        stages = lines.setdefault(r["system"], {})
        stages.setdefault((r["level"], r["stage"]), {})[r["metric"], r["k"]] = r
    return [
        (system, names, [_line(*key, [found.get(h) for h in heads]) for key, found in stages.items()])
        for system, stages in lines.items()
    ]


def _line(level: str, stage: str, found: list[Row | None]) -> Row:
    n = next(r["n"] for r in found if r)
    return {"level": level, "stage": stage, "n": n, "values": [_measure(r) for r in found]}


def _measure(row: Row | None) -> tuple[str, str]:
    return ("–", "") if row is None else (percent(row["value"]), span(row["ci_low"], row["ci_high"]))


def flip_tables(data: ReportData) -> list[Row]:
    """By system, reader and judge: its passes, and for each pair of them what was lost and gained and on which rows."""
    passes: dict[tuple[str, str, str], dict[str, Row]] = defaultdict(dict)
    for r in (r for r in data.accuracy if r["axis"] == "all"):
        passes[r["system"], r["reader"], r["judge"]][r["reader_pass"]] = r
    tables: list[Row] = []
    for (system, reader, judge), found in passes.items():
        own = [f for f in data.flips if (f["system"], f["reader"], f["judge"]) == (system, reader, judge)]
        pairs = [_pair(own, a, b, found) for a, b in combinations(found, 2)]
        tables.append({"system": system, "reader": reader, "judge": judge, "passes": list(found), "pairs": pairs})
    return tables


def _pair(flips: list[Row], a: str, b: str, passes: dict[str, Row]) -> Row:
    # Flip rows name the passes in their own order; the page reads every pair in one direction, from a to b.
    rows = [(f, f["correct_a"]) for f in flips if (f["pass_a"], f["pass_b"]) == (a, b)]
    rows += [(f, f["correct_b"]) for f in flips if (f["pass_a"], f["pass_b"]) == (b, a)]
    unjudged = [_unjudged(passes[p]) for p in (a, b)]
    return {
        "a": a, "b": b, "n": passes[a]["n"], "unjudged": unjudged, "flips": len(rows),
        "lost": sum(before for _, before in rows), "gained": sum(not before for _, before in rows),
        "same_answer": sum(f["same_answer"] for f, _ in rows),
        "rows": Listing.of((f["question_id"], "lost" if before else "gained", f["same_answer"]) for f, before in rows),
    }  # fmt: skip


def findings(data: ReportData) -> list[tuple[str, int, Listing]]:
    """Data-quality findings by kind: the kind, their number, and the first of them."""
    kinds: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for finding in data.quality:
        kinds[finding.kind].append((finding.where, finding.detail))
    return [(kind, len(found), Listing.of(sorted(found))) for kind, found in sorted(kinds.items())]
