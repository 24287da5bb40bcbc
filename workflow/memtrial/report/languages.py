"""The page of a pair of languages: the same questions in both, side by side, with the difference and its test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from memtrial.report.data import UNDISPUTED, Row, claimable, in_order, p_value, percent, points, points_span, span
from memtrial.report.template import render


class Section(NamedTuple):
    """Rows of one axis under one reader, judge and set of gold; `tests` by kind is what Holm's correction counts."""

    axis: str
    gold: str
    reader: str
    judge: str
    tests: dict[str, int]
    rows: list[Row]


def build_page(pair: str, slices: Sequence[Row], contrasts: Sequence[Row], statistics: Mapping[str, Any]) -> str:
    """The page as HTML text from rows of `LANGUAGE_SLICES` and `LANGUAGE_CONTRASTS`, the same for the same rows.

    All text from data is escaped.
    """
    alpha = round(1 - float(statistics["confidence"]), 9)
    shown = {
        "pair": pair,
        "left": contrasts[0]["left"] if contrasts else "",
        "right": contrasts[0]["right"] if contrasts else "",
        "told": [_told(r, alpha) for r in contrasts if r["axis"] == "all"],
        "standing": sum(claimable(r, alpha) for r in contrasts),
        "tested": sum(r["p_holm"] is not None for r in contrasts),
        "alpha": alpha,
        "sections": sections(slices, contrasts, alpha),
        "statistics": statistics,
        "confidence": f"{100 * statistics['confidence']:g}%",
    }
    return render("languages.html.j2", ("page.css", "front.css"), shown)


def _told(row: Row, alpha: float) -> str:
    """One difference over all questions, in a sentence."""
    who = f"{row['name']}{' (family)' if row['kind'] == 'family' else ''}, {row['reader']}, {row['judge']}"
    who += ", without disputed rows" if row["gold"] == UNDISPUTED else ""
    if row["estimate"] is None:
        return f"{who}: not compared while {row['n_unjudged']:,} verdicts are missing."
    verdict = "the difference stands" if claimable(row, alpha) else "no difference can be claimed"
    interval = points_span(row["low"], row["high"])
    return (
        f"{who}: {points(row['estimate'])} points on the same {row['n']:,} questions ({interval}; Holm-corrected p "
        f"{p_value(row['p_holm'])}): {verdict}."
    )


def sections(slices: Iterable[Row], contrasts: Sequence[Row], alpha: float) -> list[Section]:
    """A section an axis, set of gold, reader and judge, as they come; families stand before systems in a slice."""
    intervals = {(r["benchmark"], *_place(r)): span(r["low"], r["high"]) for r in slices}
    found = []
    for axis, gold, reader, judge in in_order((r["axis"], r["gold"], r["reader"], r["judge"]) for r in contrasts):
        own = [r for r in contrasts if (r["axis"], r["gold"], r["reader"], r["judge"]) == (axis, gold, reader, judge)]
        order = {name: place for place, name in enumerate(in_order(r["slice"] for r in own))}
        own.sort(key=lambda r: (order[r["slice"]], r["kind"]))
        tests = {r["kind"]: r["tests"] for r in own}
        found.append(
            Section(
                axis.replace("_", " ").replace("*", " × "),
                gold,
                reader,
                judge,
                tests,
                [_line(r, intervals, alpha) for r in own],
            )
        )
    return found


def _place(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("gold", "reader", "judge", "kind", "name", "axis", "slice"))


def _line(row: Row, intervals: Mapping[tuple[Any, ...], str], alpha: float) -> Row:
    sides = [(percent(row[f"mean_{side}"]), intervals.get((row[side], *_place(row)), "")) for side in ("left", "right")]
    return {
        "slice": row["slice"], "n": row["n"], "name": row["name"], "kind": row["kind"], "sides": sides,
        "difference": points(row["estimate"]), "interval": points_span(row["low"], row["high"]),
        "p": p_value(row["p_holm"]), "unjudged": row["n_unjudged"],
        "verdict": "not tested" if row["p_holm"] is None else "stands" if claimable(row, alpha) else "not claimed",
    }  # fmt: skip
