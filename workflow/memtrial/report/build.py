"""The report page: one HTML file that needs no network, no script and no other file."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from memtrial.report import scaffold_views, views
from memtrial.report.data import ReportData
from memtrial.report.plots import inline, plotted_systems
from memtrial.report.template import render


def build_report(data: ReportData, plots: Mapping[str, str]) -> str:
    """The page as HTML text, the same for the same data; `plots` is what `plots.draw` made of it.

    All text from data is escaped. Raises `KeyError` for a system, reader or judge without a definition.
    """
    cells, types = views.by_question_type(data)
    ranked = set(plotted_systems(data))
    shown = {
        "data": data,
        "plots": {name: Markup(inline(svg, name)) for name, svg in plots.items()},
        "claims": [r for r in data.headline if r["questions"] != "abstention" and not data.system_mark(r["system"])],
        "oracles": sorted(s for s in data.systems if data.system_mark(s)),
        "word_judges": sorted({r["judge"] for r in data.headline if data.judge_mark(r["judge"])}),
        "floor_readers": sorted({r["reader"] for r in data.headline if data.reader_mark(r["reader"])}),
        "unranked": sorted({r["system"] for r in data.headline} - ranked),
        "cells": cells,
        "types": types,
        "retrieval": views.retrieval_tables(data),
        "packets": scaffold_views.packet_table(data),
        "support": scaffold_views.support_tables(data),
        "triggers": scaffold_views.trigger_tables(data),
        "flips": views.flip_tables(data),
        "findings": views.findings(data),
    }
    return render("page.html.j2", ("page.css",), shown)
