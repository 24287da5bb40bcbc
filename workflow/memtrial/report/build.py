"""The report page: one HTML file that needs no network, no script and no other file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from markupsafe import Markup

from memtrial.report import absent, front
from memtrial.report.cost_views import usage_points
from memtrial.report.data import GOLD_NAMES, ReportData, in_order, intervals_named, over_conversations
from memtrial.report.evidence_views import ranking_systems, retrieval_told
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
        "claims": claims,
        "beside": {
            g: [*front.differences(data, c[0].row, g), *front.noise(data, c[0].row, g)] for g, c in claims.items() if c
        },
        "clustered": any(over_conversations(r) for r in judged),
        "intervals": intervals_named(judged),
        "unclaimed": front.unclaimed(data),
        "judged": judged,
        "published": next((s.told for s in found if s.name == "published" and not s.why), ""),
        "retrieval_told": retrieval_told(data) if ranking_systems(data) else "",
        "not_shown": [*absent.not_shown(data), *absent.left_out(found)],
        "word_judges": in_order(r["judge"] for r in judged if data.judge_mark(r["judge"])),
        "floor_readers": in_order(r["reader"] for r in judged if data.is_floor(r["reader"])),
        "unranked": [s for s in data.systems if s not in ranking_systems(data)],
        "costed": any(usage_points(data).values()),
        "labelled": [r for r in data.headline if r["questions"] != "abstention"],
    }
    return render("page.html.j2", ("page.css", "front.css"), shown)
