"""The plots, as SVG text that is the same on every run, keeps its words as text and follows a page's colours."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from html import escape
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from memtrial.report.data import ReportData, Row, percent, span

# Okabe and Ito's hues, darkened to read on white; a page gives each a lighter twin for dark mode by its name.
COLOURS = {
    "paper": "#ffffff", "ink": "#1c1e21", "muted": "#5c6068", "grid": "#d5d8dd", "mark": "#0b62a0",
    "dense": "#0072b2", "keyword": "#b45f06", "pool": "#007a5c", "reranked": "#a3327c",
}  # fmt: skip
MARKERS = {"dense": "o", "keyword": "s", "pool": "^", "reranked": "D"}
_CURVES = ("recall_any", "recall_all")
_WIDTH = 4.2  # inches: small, so that the words still read where a 400 px screen shrinks it
_GAP = 0.35  # of a row: between results and what is none
_NO_RESULT = "not a result: reads the benchmark's question type (oracle)"
_STYLE: Any = {
    "svg.hashsalt": "memtrial", "svg.fonttype": "none", "text.parse_math": False, "font.size": 9,
    "font.family": "DejaVu Sans", "figure.facecolor": COLOURS["paper"], "axes.facecolor": COLOURS["paper"],
    "text.color": COLOURS["ink"], "axes.edgecolor": COLOURS["grid"], "axes.labelcolor": COLOURS["ink"],
    "xtick.color": COLOURS["muted"], "ytick.color": COLOURS["muted"], "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid": True, "grid.color": COLOURS["grid"], "grid.linewidth": 0.6,
    "axes.axisbelow": True, "legend.frameon": False,
}  # fmt: skip


def draw(data: ReportData) -> dict[str, str]:
    """The plots by name, `accuracy` and `retrieval`, each a complete SVG file with a title."""
    with matplotlib.rc_context(_STYLE):
        return {"accuracy": _accuracy(data), "retrieval": _retrieval(data)}


def inline(svg: str, name: str) -> str:
    """An SVG file as a part of an HTML page: no prologue, its ids set apart by `name`."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r'\bid="', f'id="{name}-', body)
    body = re.sub(r'(href="#|url\(#|aria-labelledby=")', rf"\g<1>{name}-", body)
    return re.sub(r'\s+xmlns(:\w+)?="[^"]*"', "", body)


def _accuracy(data: ReportData) -> str:
    """Forest plot: a headline row's accuracy with its Wilson interval, or a bar from bound to bound.

    Rows of oracle systems stand hollow below the others, under words that say why they are no results.
    """
    rows = sorted(data.headline, key=lambda r: bool(data.system_mark(r["system"])))
    results = sum(not data.system_mark(r["system"]) for r in rows)
    places = [y if y < results else y + _GAP for y in range(len(rows))]
    height = max([1.0, *(y + 1 for y in places)])
    figure = Figure(figsize=(_WIDTH, 0.78 * height + 0.4), layout="constrained")
    axes = figure.add_subplot()
    axes.set_xlim(0, 100)
    axes.set_ylim(height - 0.8, -0.75)
    axes.set_yticks([])
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(f"questions judged correct, % ({data.confidence} Wilson interval)")
    for number, (y, row) in enumerate(zip(places, rows, strict=True)):
        if number == results:
            axes.text(0, y - 0.62 - 0.75 * _GAP, _NO_RESULT, color=COLOURS["muted"], fontsize=8, va="center",
                      transform=axes.get_yaxis_transform(), in_layout=False)  # fmt: skip
        _forest_row(axes, y, row, data)
    whose = [", ".join([*_who(r, data), *filter(None, [data.system_mark(r["system"])])]) for r in rows]
    told = "; ".join(f"{who}: {_value(r)}" for who, r in zip(whose, rows, strict=True)) or "no verdicts"
    return _svg(figure, f"Accuracy on {data.benchmark} with intervals. {told}.")


def _forest_row(axes: Axes, y: float, row: Row, data: ReportData) -> None:
    face = COLOURS["paper"] if data.system_mark(row["system"]) else COLOURS["mark"]
    if row["accuracy"] is None:
        ends = [100 * row["bound_low"], 100 * row["bound_high"]]
        axes.plot(ends, [y, y], color=COLOURS["muted"], linewidth=5, solid_capstyle="butt", marker="|", markersize=9)
    else:
        ends = [100 * row["wilson_low"], 100 * row["wilson_high"]]
        axes.plot(ends, [y, y], color=COLOURS["mark"], linewidth=2, marker="|", markersize=7)
        axes.plot([100 * row["accuracy"]], [y], color=COLOURS["mark"], marker="o", markersize=6,
                  markerfacecolor=face)  # fmt: skip
    beside = axes.get_yaxis_transform()
    who, read, judged = _who(row, data)
    # Kept out of the layout: a long name may run over the edge, but must not squeeze the axis.
    shared: Any = {"transform": beside, "va": "center", "in_layout": False}
    axes.text(0, y - 0.62, who, fontweight="bold", **shared)
    axes.text(1, y - 0.62, _value(row), ha="right", **shared)
    for line, words in enumerate((read, judged)):
        axes.text(0, y - 0.43 + 0.18 * line, words, color=COLOURS["muted"], fontsize=8, **shared)


def _who(row: Row, data: ReportData) -> tuple[str, str, str]:
    reader, judge = data.reader_mark(row["reader"]), data.judge_mark(row["judge"])
    questions = "" if row["questions"] == "all" else f": {row['questions']}"
    read = f"read by {row['reader']}{f' ({reader})' if reader else ''}, pass {row['reader_pass']}{questions}"
    return row["system"], read, f"judged by {row['judge']}{f' ({judge})' if judge else ''}"


def _value(row: Row) -> str:
    if row["accuracy"] is None:
        return f"{span(row['bound_low'], row['bound_high'])}, {row['n_unjudged']} of {row['n']:,} unjudged"
    return f"{percent(row['accuracy'])} ({span(row['wilson_low'], row['wilson_high'])}), n={row['n']:,}"


def plotted_systems(data: ReportData) -> list[str]:
    """Systems that rank sessions themselves, in the order of the retrieval table; a packet alone has no ranking."""
    ranking = dict.fromkeys(r["system"] for r in data.retrieval if r["stage"] in MARKERS)
    return [s for s in ranking if "rankings_of" not in data.systems[s]]


def _retrieval(data: ReportData) -> str:
    """Small multiples: session recall_any@k and recall_all@k by stage, a row of panels a system."""
    systems = plotted_systems(data)
    rows = [r for r in data.retrieval if r["level"] == "session" and r["slice"] == "all"]
    figure = Figure(figsize=(_WIDTH, 2.1 * len(systems) + 0.35), layout="constrained")
    if not systems:
        figure.text(0.5, 0.5, "No system here ranks sessions.", ha="center")
        return _svg(figure, f"Retrieval on {data.benchmark}: no system here ranks sessions.")
    panels = figure.subplots(len(systems), 2, sharey="row", squeeze=False)
    for pair, system in zip(panels, systems, strict=True):
        own = [r for r in rows if r["system"] == system]
        name = f"{system} (oracle)" if data.system_mark(system) else system
        for axes, metric in zip(pair, _CURVES, strict=True):
            # Side by side, a longer name would run into the next panel's.
            title = f"{name}: {metric}@k" if len(name) <= 12 else f"{name}\n{metric}@k"
            _panel(axes, title, [r for r in own if r["metric"] == metric and r["stage"] in MARKERS])
        _packet_line(pair[1], [r for r in own if r["metric"] == "gold_complete"])
        lowest = min((100 * r["ci_low"] for r in own if r["metric"] in _CURVES and r["stage"] in MARKERS), default=0)
        pair[0].set_ylim(lowest - 2, 101)  # the pair shares its axis: recall_all is the lower of the two
        pair[0].set_ylabel(f"% of {own[0]['n']:,} questions")
    for axes in panels[-1]:
        axes.set_xlabel("k sessions")
    lines = {line.get_label(): line for axes in panels.flat for line in axes.lines if line.get_label()[0] != "_"}
    figure.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=5, fontsize=8, handlelength=1.6,
                  columnspacing=1.0)  # fmt: skip
    told = "; ".join(_told(rows, system, data.system_mark(system)) for system in systems)
    return _svg(figure, f"Session recall on {data.benchmark} by number of sessions k and stage. {told}.")


def _panel(axes: Axes, title: str, rows: Sequence[Row]) -> None:
    axes.set_title(title, fontsize=9, loc="left")
    ks = sorted({r["k"] for r in rows})
    stages = [s for s in MARKERS if any(r["stage"] == s for r in rows)]
    for number, stage in enumerate(stages):
        own = sorted((r for r in rows if r["stage"] == stage), key=lambda r: int(r["k"]))
        shift = 0.09 * (number - (len(stages) - 1) / 2)  # beside one another, so that equal stages stay visible
        places = [ks.index(r["k"]) + shift for r in own]
        axes.vlines(places, [100 * r["ci_low"] for r in own], [100 * r["ci_high"] for r in own],
                    color=COLOURS[stage], linewidth=0.9)  # fmt: skip
        axes.plot(places, [100 * r["value"] for r in own], color=COLOURS[stage], marker=MARKERS[stage], markersize=4,
                  linewidth=1.2, label=stage)  # fmt: skip
    axes.set_xticks(range(len(ks)), [str(k) for k in ks])


def _packet_line(axes: Axes, rows: Sequence[Row]) -> None:
    for row in rows:
        axes.axhline(100 * row["value"], color=COLOURS["muted"], linewidth=1.2, linestyle=":", label="packet, whole")


def _told(rows: Sequence[Row], system: str, mark: str) -> str:
    best = [r for r in rows if r["system"] == system and r["metric"] in _CURVES and r["k"] == 10]
    return f"{system}{f' ({mark})' if mark else ''} at k=10: " + ", ".join(
        f"{r['stage']} {r['metric']} {percent(r['value'])}" for r in best if r["stage"] in MARKERS
    )


def _svg(figure: Figure, told: str) -> str:
    """The figure as SVG, with `told` as its title for those who do not see it, in colours that a page can set."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    before, attributes, after = re.split(r"<svg ([^>]*)>", out.getvalue(), maxsplit=1)
    for name, colour in COLOURS.items():
        after = after.replace(colour, f"var(--{name}, {colour})")
    # No font that the reader's machine may lack, and no fixed size: the view box scales.
    after = re.sub(r"'DejaVu Sans'[^;\"]*", "system-ui, sans-serif", after)
    attributes = re.sub(r'\b(width|height)="[^"]*"\s*', "", attributes)
    title = f'<title id="title">{escape(told)}</title>'
    return f'{before}<svg role="img" aria-labelledby="title" {attributes}>\n {title}{after}'
