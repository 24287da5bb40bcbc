"""The report page: one HTML file that needs no network, no script and no other file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from markupsafe import Markup

from memtrial.report import front
from memtrial.report.cost_views import usage_points
from memtrial.report.data import GOLD_NAMES, ReportData, in_order
from memtrial.report.evidence_views import ranking_systems
from memtrial.report.figure import inline
from memtrial.report.sections import sections
from memtrial.report.template import render


def build_report(data: ReportData, plots: Mapping[str, str]) -> str:
    """The page as HTML text, the same for the same data; `plots` is what `plots.draw` made of it.

    All text from data is escaped. Raises `KeyError` for a system, reader or judge without a definition.
    """
    found = sections(data)
    claims = {gold: front.claims(data, gold) for gold in data.golds}
    judged = front.judged(data)
    shown = {
        "data": data,
        "golds": {gold: GOLD_NAMES[gold] for gold in data.golds},
        "plots": {name: Markup(inline(svg, name)) for name, svg in plots.items()},
        "plot_hashes": {name: hashlib.sha256(svg.encode()).hexdigest() for name, svg in plots.items()},
        "sections": [s for s in found if not s.why],
        "left_out": [s for s in found if s.why],
        "claims": claims,
        "differences": {g: front.differences(data, c[0].row, g) for g, c in claims.items() if c},
        "unclaimed": front.unclaimed(data),
        "not_shown": front.not_shown(data),
        "word_judges": in_order(r["judge"] for r in judged if data.judge_mark(r["judge"])),
        "floor_readers": in_order(r["reader"] for r in judged if data.reader_mark(r["reader"])),
        "unranked": [s for s in data.systems if s not in ranking_systems(data)],
        "costed": any(usage_points(data).values()),
        "labelled": [r for r in data.headline if r["questions"] != "abstention"],
    }
    return render("page.html.j2", ("page.css", "front.css"), shown)
