"""The plots of a report by name: a fixed list, so that a workflow can declare them; an empty one says why it is so."""

from __future__ import annotations

import matplotlib

from memtrial.report import curves, forest, matrix, scatter
from memtrial.report.data import PLOTS, ReportData
from memtrial.report.figure import STYLE

_DRAWN = (
    forest.accuracy, forest.comparisons, forest.contrasts, forest.passes, matrix.agreement, curves.readers,
    curves.retrieval, scatter.recall, scatter.cost,
)  # fmt: skip


def draw(data: ReportData) -> dict[str, str]:
    """Every plot of `PLOTS` as a complete SVG file with a title and a description, gold as published."""
    with matplotlib.rc_context(STYLE):
        return {name: drawn(data) for name, drawn in zip(PLOTS, _DRAWN, strict=True)}
