"""The report page: one HTML file that needs no network, no script and no other file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from memtrial.report import views
from memtrial.report.data import ReportData, Row, percent, span
from memtrial.report.plots import inline, plotted_systems

_HERE = Path(__file__).parent


def build_report(data: ReportData, plots: Mapping[str, str]) -> str:
    """The page as HTML text, the same for the same data; `plots` is what `plots.draw` made of it.

    All text from data is escaped. Raises `KeyError` for a reader or judge without a definition.
    """
    environment = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"percent": percent, "pretty": _pretty}
    environment.globals |= {"span": span}
    cells, types = views.by_question_type(data)
    ranked = set(plotted_systems(data))
    return environment.get_template("page.html.j2").render(
        data=data,
        css=Markup((_HERE / "page.css").read_text(encoding="utf-8")),
        plots={name: Markup(inline(svg, name)) for name, svg in plots.items()},
        claims=[row for row in data.headline if row["questions"] != "abstention"],
        word_judges=sorted({r["judge"] for r in data.headline if data.judge_mark(r["judge"])}),
        floor_readers=sorted({r["reader"] for r in data.headline if data.reader_mark(r["reader"])}),
        unranked=sorted({r["system"] for r in data.headline} - ranked),
        cells=cells,
        types=types,
        retrieval=views.retrieval_tables(data),
        flips=views.flip_tables(data),
        findings=views.findings(data),
    )


def _pretty(spec: Row) -> str:
    return json.dumps(spec, indent=2, sort_keys=True, ensure_ascii=False)
