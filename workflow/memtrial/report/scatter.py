"""Accuracy against what it might come from or cost: evidence, tokens, dollars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from memtrial.report.cost_views import Point, recall_points, usage_points
from memtrial.report.data import ReportData, in_order, interval, percent
from memtrial.report.figure import COLOURS, WIDTH, empty, style, svg_of


def recall(data: ReportData) -> str:
    """Accuracy against recall_all@10 and against the share of gold-complete packets."""
    return _scatter(data, recall_points(data), f"Accuracy against evidence on {data.benchmark}", 100,
                    "No system has both packets and an accuracy.")  # fmt: skip


def cost(data: ReportData) -> str:
    """Accuracy against tokens and dollars a question."""
    return _scatter(data, usage_points(data), f"Accuracy against cost on {data.benchmark}", 1,
                    "No answer carries a count of tokens.")  # fmt: skip


def _scatter(data: ReportData, panels: Mapping[str, Sequence[Point]], title: str, scale: float, why: str) -> str:
    shown = {name: points for name, points in panels.items() if points}
    if not shown:
        return empty(title, why)
    labels = in_order(p.label for points in shown.values() for p in points)
    figure = Figure(figsize=(WIDTH, 2.5 + 0.16 * -(-len(labels) // 2)), layout="constrained")
    for place, (axes, (name, points)) in enumerate(zip(figure.subplots(1, len(shown), sharey=True, squeeze=False)[0],
                                                       shown.items(), strict=True)):  # fmt: skip
        _panel(data, axes, points, labels, scale)
        axes.set_xlabel(f"{name}{', %' if scale == 100 else ''}", fontsize=8)
        if place == 0:
            axes.set_ylabel("judged correct, %", fontsize=8)
    handles = {line.get_label(): line for axes in figure.axes for line in axes.lines}
    figure.legend(
        list(handles.values()), [str(label) for label in handles], loc="outside lower center", ncols=2, fontsize=7.5
    )
    told = "; ".join(f"{p.label}: {name} {_number(p.across, scale)}, accuracy {percent(p.row['accuracy'])}"
                     for name, points in shown.items() for p in points)  # fmt: skip
    return svg_of(figure, title, f"{told}.")


def _panel(data: ReportData, axes: Axes, points: Sequence[Point], labels: Sequence[str], scale: float) -> None:
    for p in points:
        looks = style(labels.index(p.label))
        low, high = interval(p.row)
        axes.vlines(scale * p.across, 100 * low, 100 * high, color=looks["color"], linewidth=0.9)
        hollow: Any = {"markerfacecolor": COLOURS["paper"]} if data.is_oracle(p.system) else {}
        axes.plot([scale * p.across], [100 * p.row["accuracy"]], linestyle="none", markersize=6, label=p.label, **looks,
                  **hollow)  # fmt: skip
    axes.margins(0.15)


def _number(value: float, scale: float) -> str:
    return percent(value) if scale == 100 else f"{value:,.4g}"
