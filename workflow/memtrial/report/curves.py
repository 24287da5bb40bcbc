"""Curves: recall by number of sessions for each system, and accuracy by reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from memtrial.report.cost_views import reader_rows
from memtrial.report.data import ReportData, Row, in_order, interval, percent
from memtrial.report.evidence_views import ranking_systems
from memtrial.report.figure import COLOURS, WIDTH, empty, style, svg_of

_STAGES = ("dense", "keyword", "pool", "reranked")
_CURVES = ("recall_any", "recall_all")


def retrieval(data: ReportData) -> str:
    """Small multiples: session recall_any@k and recall_all@k by stage, a row of panels a system."""
    systems, title = ranking_systems(data), f"Session recall on {data.benchmark} by number of sessions k and stage"
    rows = data.rows("retrieval", level="session", slice="all")
    if not systems:
        return empty(title, "No system here ranks sessions.")
    figure = Figure(figsize=(WIDTH, 1.9 * len(systems) + 0.35), layout="constrained")
    panels = figure.subplots(len(systems), 2, sharey="row", squeeze=False)
    for pair, system in zip(panels, systems, strict=True):
        own = [r for r in rows if r["system"] == system]
        drawn = [r for r in own if r["metric"] in _CURVES and r["stage"] in _STAGES]
        for axes, metric in zip(pair, _CURVES, strict=True):
            name = f"{system} (oracle)" if data.is_oracle(system) else system
            axes.set_title(f"{name}\n{metric}@k", fontsize=8, loc="left")
            _panel(axes, [r for r in drawn if r["metric"] == metric])
        for row in (r for r in own if r["metric"] == "gold_complete"):
            pair[1].axhline(
                100 * row["value"], color=COLOURS["muted"], linewidth=1.2, linestyle=":", label="packet, whole"
            )
        # The pair shares its axis: recall_all is the lower of the two.
        pair[0].set_ylim(min((100 * r["ci_low"] for r in drawn), default=0) - 2, 101)
        pair[0].set_ylabel(f"% of {own[0]['n']:,}", fontsize=8)
    for axes in panels[-1]:
        axes.set_xlabel("k sessions", fontsize=8)
    lines = {line.get_label(): line for axes in panels.flat for line in axes.lines if line.get_label()[0] != "_"}
    figure.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=5, fontsize=8, handlelength=1.6,
                  columnspacing=1.0)  # fmt: skip
    return svg_of(figure, title, "; ".join(_told(rows, system) for system in systems) + ".")


def _panel(axes: Axes, rows: Sequence[Row]) -> None:
    ks = sorted({r["k"] for r in rows})
    stages = [s for s in _STAGES if any(r["stage"] == s for r in rows)]
    for number, stage in enumerate(stages):
        own = sorted((r for r in rows if r["stage"] == stage), key=_k)
        shift = 0.09 * (number - (len(stages) - 1) / 2)  # beside one another, so that equal stages stay visible
        places = [ks.index(r["k"]) + shift for r in own]
        looks = style(_STAGES.index(stage))
        axes.vlines(places, [100 * r["ci_low"] for r in own], [100 * r["ci_high"] for r in own], color=looks["color"],
                    linewidth=0.9)  # fmt: skip
        axes.plot(places, [100 * r["value"] for r in own], markersize=4, linewidth=1.2, label=stage, **looks)
    axes.set_xticks(range(len(ks)), [str(k) for k in ks])


def _k(row: Row) -> int:
    return int(row["k"])


def _told(rows: Sequence[Row], system: str) -> str:
    best = [r for r in rows if r["system"] == system and r["metric"] in _CURVES and r["k"] == 10]
    return f"{system} at k=10: " + ", ".join(
        f"{r['stage']} {r['metric']} {percent(r['value'])}" for r in best if r["stage"] in _STAGES
    )


def readers(data: ReportData) -> str:
    """Accuracy by reader, a line a system, for the first judge of two readers; readers in the order of the run."""
    title = f"Accuracy by reader on {data.benchmark}"
    rows = [r for r in reader_rows(data) if r["accuracy"] is not None]
    judge = next((r["judge"] for r in rows if r["reader"] != rows[0]["reader"]), "")
    rows = [r for r in rows if r["judge"] == judge]
    names = in_order(r["reader"] for r in rows)
    if len(names) < 2:
        return empty(title, "One reader: no curve.")
    systems = in_order(r["system"] for r in rows)
    figure = Figure(figsize=(WIDTH, 2.9), layout="constrained")
    axes = figure.add_subplot()
    for place, system in enumerate(systems):
        own = [r for r in rows if r["system"] == system]
        shift = 0.06 * (place - (len(systems) - 1) / 2)
        across = [names.index(r["reader"]) + shift for r in own]
        looks = style(place)
        hollow: Any = {"markerfacecolor": COLOURS["paper"]} if data.is_oracle(system) else {}
        lows, highs = zip(*(interval(r) for r in own), strict=True)
        axes.vlines(across, [100 * v for v in lows], [100 * v for v in highs], color=looks["color"], linewidth=0.9)
        axes.plot(
            across, [100 * r["accuracy"] for r in own], markersize=5, linewidth=1.2, label=system, **looks, **hollow
        )
    axes.set_xticks(range(len(names)), names)
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_ylabel(f"judged correct by {judge}, %", fontsize=8)
    figure.legend(loc="outside lower center", ncols=3, fontsize=8)
    told = "; ".join(f"{r['system']} read by {r['reader']}: {percent(r['accuracy'])}" for r in rows)
    return svg_of(figure, title, f"Judged by {judge}. {told}.")
