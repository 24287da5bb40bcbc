"""Forest plots: a line an estimate, its interval beside its name, under headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from memtrial.report.comparison_views import contrast_name, corrected_p, pair_name
from memtrial.report.data import (
    PUBLISHED,
    ReportData,
    Row,
    ends_of,
    in_order,
    interval,
    intervals_named,
    percent,
    points,
    points_span,
    span,
    unjudged,
)
from memtrial.report.figure import COLOURS, WIDTH, empty, svg_of
from memtrial.report.front import claims, judged, ranked, stands
from memtrial.spec import TRIVIAL

MOST_LINES = 30  # of a plot; the table has the rest
_TEXT, _BAR, _GAP = 0.165, 0.21, 0.14  # inches: a row of words, a bar with its room, the room above a heading
_WIDE = 52  # characters that fit beside one another
_HOLLOW = "hollow: no result, but an oracle, trivial or planted"


class Line(NamedTuple):
    """One estimate in percent (of the axis); `bounds`: its ends are no interval but the least and most possible.

    `further`: how far it moves at most if each disputed row were wrong, or right.
    """

    label: str
    small: str
    value: str
    point: float | None
    low: float | None
    high: float | None
    hollow: bool = False
    bounds: bool = False
    further: tuple[float, float] | None = None


class Group(NamedTuple):
    """Lines under one heading, and marks across them."""

    heading: str
    lines: list[Line]
    bars: Sequence[float] = ()


def accuracy(data: ReportData) -> str:
    """Accuracy of every system with the interval that leads it, first passes alone, a group for each reader and judge;
    where one system is read by several readers, a group for each judge."""
    rows = ranked(data, judged(data))
    title = f"Accuracy on {data.benchmark}"
    if not rows:
        return empty(title, "No verdicts yet.")
    trivial = [r for r in rows if r["system"] == TRIVIAL]
    own = [r for r in rows if r["system"] != TRIVIAL] or rows
    alone = len({r["system"] for r in own}) == 1 < len({r["reader"] for r in own})
    groups: dict[tuple[str, str, str], dict[tuple[str, str], Line]] = {}
    for r in [*(r for r in own if not data.is_hollow(r)), *(r for r in own if data.is_hollow(r))]:
        group = groups.setdefault((r["judge"], r["slice"], r["system" if alone else "reader"]), {})
        group.setdefault((r["system"], r["reader"]), _accuracy(data, r, r["reader" if alone else "system"]))
    for r in trivial:  # once, under the first group of the judge
        first = next((g for key, g in groups.items() if key[:2] == (r["judge"], r["slice"])), None)
        if first is not None:
            first[TRIVIAL, r["reader"]] = _accuracy(data, r, r["reader"])
    judges = in_order(judge for judge, *_ in groups)
    several = len(judges) > 1 and sum(map(len, groups.values())) > MOST_LINES // 2
    shown = {key: lines for key, lines in groups.items() if not several or key[0] == judges[0]}
    drawn = [Group(_heading(data, key, alone), list(lines.values())) for key, lines in shown.items()]
    hollow = f"\n{_HOLLOW}" if any(line.hollow for g in drawn for line in g.lines) else ""
    beside = f"\nunder Judges: {', '.join(judges[1:])}" if several else ""
    label = f"judged correct, % ({data.confidence} interval: {intervals_named(rows)}){hollow}{beside}"
    return forest(drawn, title, label, (0, 100))


def _heading(data: ReportData, key: tuple[str, str, str], alone: bool) -> str:
    judge, questions, name = key
    who = f"{name}, each reader's first pass" if alone else f"{data.reader_name(name)}, first pass"
    asked = "" if questions == "all" else f"\n{questions} questions"
    return f"{who}, judged by {data.judge_name(judge)}{asked}"


def _accuracy(data: ReportData, row: Row, called: str) -> Line:
    name, hollow = f"{called}{' (oracle)' if data.is_oracle(row['system']) else ''}", data.is_hollow(row)
    if row["accuracy"] is None:
        low, high = row["bound_low"], row["bound_high"]
        told = f"{span(low, high)}, {unjudged(row)} of {row['n']:,} unjudged"
        return Line(name, "", told, None, 100 * low, 100 * high, hollow, bounds=True)
    low, high = interval(row)
    told = f"{percent(row['accuracy'])} ({span(low, high)}), n={row['n']:,}"
    known = row["n_disputed"] and row["disputed_low"] is not None
    further = (100 * row["disputed_low"], 100 * row["disputed_high"]) if known else None
    return Line(name, "", told, 100 * row["accuracy"], 100 * low, 100 * high, hollow, further=further)


def comparisons(data: ReportData) -> str:
    """Differences of pairs by block, those that stand filled; of very many those under the lead's judge."""
    rows = [r for r in data.rows("comparisons", gold=PUBLISHED) if r["difference"] is not None]
    results = [r for r in rows if not (data.planted(r["a"]) or data.planted(r["b"]) or data.planted(r["reader"]))]
    rows = results or rows
    lead = next((c.row["judge"] for c in claims(data)), "")
    if len(rows) > MOST_LINES // 2:  # one judge's are enough to look at
        rows = [r for r in rows if r["judge"] in ("", lead)] or rows
    named = [(r, pair_name(r), "" if r["slice"] == "all" else f"{r['slice']} questions") for r in rows]
    return _differences(data, named, "difference", f"Paired comparisons on {data.benchmark}",
                        "No pair of cells is compared.")  # fmt: skip


def contrasts(data: ReportData) -> str:
    """Contrasts of families and slices by block, those that stand filled."""
    rows = [r for r in data.rows("contrasts", gold=PUBLISHED) if r["p_holm"] is not None]
    named = [(r, *contrast_name(r)) for r in rows]
    return _differences(
        data, named, "estimate", f"Contrasts on {data.benchmark}", "No contrast is stated in the config."
    )


def _differences(data: ReportData, named: list[tuple[Row, str, str]], column: str, title: str, why: str) -> str:
    if not named:
        return empty(title, why)
    groups = []
    for heading in in_order(_where(r) for r, _, _ in named):
        own = sorted((n for n in named if _where(n[0]) == heading), key=_tested)
        groups.append(Group(heading, [_difference(data, *n, column) for n in own]))
    xlabel = f"points ({data.confidence} interval); filled: stands after Holm"
    return forest(groups, title, xlabel, None)


def _where(row: Row) -> str:
    passed = f"pass {row['reader_pass']}" if row.get("reader_pass") else ""
    at = (f"block {row['block']}", row.get("system", ""), row["reader"], passed, row["judge"])
    return " · ".join(filter(None, at))


def _tested(named: tuple[Row, str, str]) -> float:
    return corrected_p(named[0])


def _difference(data: ReportData, row: Row, name: str, small: str, column: str) -> Line:
    told = f"{points(row[column])} ({points_span(*ends_of(row))})"
    low, high = (None if end is None else 100 * end for end in ends_of(row))
    return Line(name, small, told, 100 * row[column], low, high, hollow=not stands(data, row))


def passes(data: ReportData) -> str:
    """Mean of the passes and from the lowest to the highest of them, with the bars that are stated."""
    rows = [r for r in data.rows("stability", gold=PUBLISHED, kind="passes") if r["mean"] is not None]
    title = f"Passes on {data.benchmark}"
    if not rows:
        return empty(title, "One pass of each reader: nothing to set beside it.")
    plain = [r for r in rows if not r["bar_name"]] or rows
    bars = {r["bar_name"]: 100 * r["bar"] for r in rows if r["bar_name"]}
    lines = [_passes(data, r) for r in plain]
    stated = ", ".join(f"{name} {bar:.1f}%" for name, bar in sorted(bars.items()))
    return forest(
        [Group(f"bars: {stated}" if bars else "", lines, tuple(bars.values()))],
        title,
        "mean of the passes, % (from the lowest to the highest)",
        None,
    )


def _passes(data: ReportData, row: Row) -> Line:
    told = f"{percent(row['mean'])} ± {100 * row['half_range']:.2f}, k={row['k']}"
    mean, low, high = (100 * row[name] for name in ("mean", "lowest", "highest"))
    return Line(
        row["system"], f"{row['reader']} · {row['judge']}", told, mean, low, high, data.is_oracle(row["system"])
    )


def forest(groups: Sequence[Group], title: str, xlabel: str, limits: tuple[float, float] | None) -> str:
    """The plot as SVG; without limits the axis is fitted to the lines and zero is marked if it is among them."""
    shown = list(_capped(groups))
    height = sum(_headed(g) + sum(_tall(line) for line in g.lines) for g in shown)
    below = 0.5 + _TEXT * xlabel.count("\n")
    whole = height + below + 0.06
    figure = Figure(figsize=(WIDTH, whole))
    axes = figure.add_axes((0.03, below / whole, 0.93, height / whole))
    axes.set_ylim(height, 0)
    axes.set_xlim(*(limits or _fitted(shown)))
    axes.set_yticks([])
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(xlabel, fontsize=8, color=COLOURS["muted"])
    y = 0.0
    for group in shown:
        if group.heading:
            _beside(axes, 0, y + _GAP, group.heading, va="top", fontsize=8, color=COLOURS["muted"])
        y += _headed(group)
        for line in group.lines:
            _draw(axes, y, line, [0.0, *group.bars] if limits is None else [])
            y += _tall(line)
    hidden = sum(len(g.lines) for g in groups) - sum(len(g.lines) for g in shown)
    told = "; ".join(f"{line.label}: {line.value}" for g in shown for line in g.lines)
    return svg_of(figure, title, told + (f"; and {hidden} more in the table" if hidden else "") + ".")


def _headed(group: Group) -> float:
    return (_GAP + _TEXT * (1 + group.heading.count("\n")) + 0.04) if group.heading else 0.0


def _words(line: Line) -> list[tuple[str, str]]:
    """A line's words as rows of left and right: its value stands beside the first of them that leaves room for it."""
    rows = [line.label, *filter(None, [line.small])]
    place = next((n for n, left in enumerate(rows) if len(left) + len(line.value) <= _WIDE), len(rows))
    return [(left, line.value if n == place else "") for n, left in enumerate([*rows, ""][: max(len(rows), place + 1)])]


def _tall(line: Line) -> float:
    return _TEXT * len(_words(line)) + _BAR


def _capped(groups: Sequence[Group]) -> Iterator[Group]:
    room = MOST_LINES
    for group in groups:
        if room > 0:
            yield group._replace(lines=group.lines[:room])
        room -= len(group.lines)


def _fitted(groups: Sequence[Group]) -> tuple[float, float]:
    lines = [line for g in groups for line in g.lines]
    ends = [e for line in lines for e in (line.point, line.low, line.high) if e is not None]
    ends += [bar for g in groups for bar in g.bars]
    room = 0.06 * (max(ends) - min(ends)) or 1.0
    return min(ends) - room, max(ends) + room


def _draw(axes: Axes, top: float, line: Line, crossed: Sequence[float]) -> None:
    y, colour = top + _tall(line) - 0.12, COLOURS["muted"] if line.hollow else COLOURS["mark"]
    axes.axhline(y, color=COLOURS["grid"], linewidth=0.8)
    low, high = axes.get_xlim()
    for place in (p for p in crossed if low < p < high):
        axes.plot(
            [place, place], [y - 0.08, y + 0.08], color=COLOURS["warn"] if place else COLOURS["muted"], linewidth=1.2
        )
    for number, (left, right) in enumerate(_words(line)):
        first: Any = {"fontweight": "bold"} if number == 0 else {"color": COLOURS["muted"], "fontsize": 8}
        _beside(axes, 0, top + 0.1 + _TEXT * number, left, va="center", **first)
        _beside(axes, 1, top + 0.1 + _TEXT * number, right, va="center", ha="right")
    if line.further:
        axes.plot(line.further, [y, y], color=COLOURS["warn"], linewidth=1, linestyle=":", marker="|", markersize=4)
    if line.low is not None and line.high is not None:
        wide = {"linewidth": 5, "solid_capstyle": "butt"} if line.bounds else {"linewidth": 1.8}
        axes.plot([line.low, line.high], [y, y], color=COLOURS["muted"] if line.bounds else colour, marker="|",
                  markersize=6, **wide)  # fmt: skip
    if line.point is not None:
        axes.plot([line.point], [y], color=colour, marker="o", clip_on=False, markersize=5.5,
                  markerfacecolor=COLOURS["paper"] if line.hollow else colour)  # fmt: skip


def _beside(axes: Axes, x: float, y: float, words: str, **looks: Any) -> None:
    if words:
        axes.text(x, y, words, transform=axes.get_yaxis_transform(), **looks)
