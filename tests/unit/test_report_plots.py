from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from report_fixture import invented, words

from memtrial.report.build import build_report
from memtrial.report.data import PLOTS, ReportData
from memtrial.report.figure import COLOURS, inline
from memtrial.report.forest import MOST_LINES
from memtrial.report.plots import draw

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def data() -> ReportData:
    return invented()


@pytest.fixture(scope="module")
def plots(data: ReportData) -> dict[str, str]:
    return draw(data)


def test_there_are_always_the_same_plots(data: ReportData, plots: dict[str, str]) -> None:
    assert tuple(plots) == PLOTS
    assert tuple(draw(data._replace(tables={}, headline=[]))) == PLOTS


def test_every_plot_has_a_title_a_description_and_words(plots: dict[str, str]) -> None:
    for name, svg in plots.items():
        root = ElementTree.fromstring(svg.encode())
        title, told = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None and title.text and "invented" in title.text, name
        assert told is not None and told.text and len(told.text) > 20, name
        assert next(root.iter(f"{SVG}text"), None) is not None, name
        assert "<date" not in svg and "DejaVu" not in svg
        assert f'aria-labelledby="{name}-title"' in inline(svg, name)


def test_an_empty_plot_says_why(data: ReportData) -> None:
    none = draw(data._replace(tables={}, headline=[]))
    told = {
        "accuracy": "No verdicts yet.", "comparisons": "No pair of cells is compared.",
        "contrasts": "No contrast is stated in the config.", "passes": "One pass of each reader",
        "agreement": "No answers were judged twice.", "readers": "One reader: no curve.",
        "retrieval": "No system here ranks sessions.", "recall": "No system has both packets and an accuracy.",
        "cost": "No answer carries a count of tokens.",
    }  # fmt: skip
    for name in PLOTS:
        assert told[name] in none[name], name


def test_a_page_sets_every_colour_twice(data: ReportData, plots: dict[str, str]) -> None:
    page = build_report(data, plots)
    css = page[page.index("<style>") : page.index("</style>")]
    used = set(re.findall(r"var\(--([\w-]+), #", "".join(plots.values())))
    assert used <= set(COLOURS) and all(len(re.findall(rf"--{name}: #", css)) == 2 for name in used)
    assert not re.search(
        r"(?<!, )#(?!1f77b4)[0-9a-f]{6}\b", re.sub(r'url\(#\w+\)|href="#\w+"|id="\w+"', "", plots["recall"])
    )


def test_the_forest_plot_sets_what_is_no_result_apart_and_hollow(data: ReportData, plots: dict[str, str]) -> None:
    told = words(plots["accuracy"])
    assert "hollow: no result, but an oracle, trivial or planted" in told and "chain-oracle (oracle)" in told
    hollow = re.compile(r"fill: var\(--paper, #ffffff\); stroke: var\(--muted")
    assert hollow.search(plots["accuracy"])
    kept = [r for r in data.tables["accuracy"] if r["system"] in ("chain", "rag")]
    plain = draw(data._replace(tables={**data.tables, "accuracy": kept}))["accuracy"]
    assert "hollow" not in words(plain) and not hollow.search(plain)


def test_the_forest_plot_says_bounds_where_rows_are_unjudged(plots: dict[str, str]) -> None:
    assert re.search(r"rag: 6\d\.\d–6\d\.\d%, 3 of 1,547 unjudged", plots["accuracy"])


def test_a_long_plot_is_cut_and_says_so(data: ReportData) -> None:
    first = data.tables["comparisons"][0]
    many = [dict(first) | {"b": f"other-{n}"} for n in range(MOST_LINES + 12)]
    svg = draw(data._replace(tables={**data.tables, "comparisons": many}))["comparisons"]
    assert "and 12 more in the table" in svg and "other-29" in svg and "other-30" not in svg


def test_a_system_that_packs_anothers_rankings_has_no_curve(data: ReportData, plots: dict[str, str]) -> None:
    rows = [*data.tables["retrieval"], *(dict(r) | {"system": "second"} for r in data.tables["retrieval"][:20])]
    second = data._replace(
        tables={**data.tables, "retrieval": rows},
        systems={**data.systems, "second": {"kind": "chain", "rankings_of": "chain"}},
    )
    assert draw(second)["retrieval"] == plots["retrieval"]


def test_a_trivial_baseline_stands_once_under_its_judge(plots: dict[str, str]) -> None:
    told = plots["accuracy"].split("<desc")[1].split("</desc>")[0]
    judges = told.count("gold-echo:")
    assert 0 < judges <= 3 and told.count("always-abstain:") == judges and "trivial:" not in told


def test_one_system_read_by_several_has_a_line_a_reader(data: ReportData) -> None:
    rows = [r for r in data.tables["accuracy"] if r["system"] == "chain" and r["judge"] == "judge-4o"]
    told = draw(data._replace(tables={**data.tables, "accuracy": rows}))["accuracy"]
    told = told.split("<desc")[1].split("</desc>")[0]
    assert "gpt-4o: 82.0%" in told and "extractive: " in told and "chain: " not in told
