from __future__ import annotations

import re

import pytest
from report_fixture import invented, words

from memtrial.records import Quality
from memtrial.report.build import build_report
from memtrial.report.data import PLOTS, ReportData, percent, points, points_span, span
from memtrial.report.plots import draw
from memtrial.report.sections import sections


def part(html: str, name: str) -> str:
    """The HTML of one section."""
    return html[html.index(f'<h2 id="{name}">') :].split("</section>")[0]


@pytest.fixture(scope="module")
def data() -> ReportData:
    return invented()


@pytest.fixture(scope="module")
def plots(data: ReportData) -> dict[str, str]:
    return draw(data)


@pytest.fixture(scope="module")
def page(data: ReportData, plots: dict[str, str]) -> str:
    return build_report(data, plots)


@pytest.fixture(scope="module")
def empty() -> str:
    statistics = {"resamples": 10, "seed": 1, "confidence": 0.9, "ks": [1]}
    data = ReportData("none-yet", [], {}, [], [], {}, {}, {}, {}, statistics)
    return build_report(data, draw(data))


def test_the_same_data_gives_the_same_bytes(data: ReportData, page: str) -> None:
    assert build_report(data, draw(data)) == page


def test_the_page_needs_no_network_and_no_script(page: str) -> None:
    assert "http://" not in page and "https://" not in page
    assert not re.search(r"<(script|link|img|iframe|object)\b|@import|url\((?!#)|\bsrc=|\bon\w+=", page)
    for ref in re.findall(r'href="([^"]*)"', page):
        assert re.match(r"#|questions\.html|\.\./(statistics|judges|corpus)/|\.\./receipt\.json|[a-z]+\.svg", ref), ref


def test_every_id_is_unique_and_every_reference_is_met(page: str) -> None:
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    aimed = set(re.findall(r'(?:href="#|url\(#|\bfor="|aria-labelledby="|aria-describedby=")([^")]*)', page))
    assert aimed <= set(ids)


def test_the_navigation_names_every_section_shown_and_no_other(data: ReportData, page: str) -> None:
    nav = page[page.index("<nav") : page.index("</nav>")]
    shown = [s.name for s in sections(data) if not s.why]
    assert (
        re.findall(r'href="#([^"]*)"', nav)
        == ["main", *shown]
        == ["main", *re.findall(r'<h2 id="(?!not-)(\w+)"', page)]
    )


def test_a_section_without_rows_is_left_out_and_says_why(data: ReportData, plots: dict[str, str], page: str) -> None:
    tables = {name: rows for name, rows in data.tables.items() if name not in ("contrasts", "dialogues")}
    html = build_report(data._replace(tables=tables), plots)
    assert 'id="contrasts"' not in html and 'id="dialogues"' not in html and 'id="contrasts"' in page
    assert "Families and contrasts: the config states no block of contrasts." in words(html)
    assert "the config states no block of contrasts" not in words(page)


def test_every_table_and_figure_carries_its_receipt(data: ReportData, page: str) -> None:
    for name in (
        "accuracy",
        "slices",
        "contrasts",
        "comparisons",
        "stability",
        "flips",
        "agreement",
        "usage",
        "claims",
    ):
        assert f'<a href="../statistics/{name}.csv" download>' in page, name
        assert f'"../statistics/{name}.parquet.receipt.json">receipt <code title="{data.receipt_of(name)}">' in page, (
            name
        )
    for name in PLOTS:
        assert (
            f'<a href="{name}.svg" download>' in page and f'href="{name}.svg.receipt.json">receipt <code title=' in page
        )
    blocks = re.findall(r'<div class="table".*?</div>\n(.*?)</div>', page, flags=re.DOTALL)
    bare = [b for b in blocks if "receipt.json" not in b]
    assert len(blocks) > 30 and len(bare) == 1  # the controls, whose files are named under their table
    assert "../judges/lexical/controls.json.receipt.json" in page


def test_every_table_of_both_golds_is_switched(data: ReportData, page: str) -> None:
    found = re.findall(r'<div class="table" data-gold="(\w+)">.*?aria-label="([^"]*)"', page, flags=re.DOTALL)
    labels = {gold: {label.rsplit(",", 1)[0] for g, label in found if g == gold} for gold in data.golds}
    assert len(labels["published"]) > 12
    # Two tables that the fixture has with the gold as published alone.
    assert {re.sub(r"\d+ tests?", "", name).strip() for name in labels["published"] ^ labels["undisputed"]} == {
        "Block readers:", "Repeated judgings of one pass",
    }  # fmt: skip
    css = page[page.index("<style>") : page.index("</style>")]
    assert '#gold-undisputed:checked ~ main [data-gold="published"] { display: none; }' in css.replace(
        '#gold-published:checked ~ main [data-gold="undisputed"], ', ""
    )


def test_without_a_dossier_there_is_no_switch(data: ReportData, plots: dict[str, str]) -> None:
    tables = {
        name: [r for r in rows if r.get("gold") != "undisputed"]
        for name, rows in data.tables.items()
        if name != "disputed"
    }
    html = build_report(data._replace(tables=tables), plots)
    assert 'type="radio"' not in html and "data-gold=" not in html.split("</style>")[1]
    assert "Disputed gold: no dossier of disputed gold was given." in words(html)


def test_all_text_is_escaped(data: ReportData) -> None:
    nasty = '<b>$x$ & "y"</b>'
    swapped = {"chain": nasty}

    def renamed(rows: list[dict[str, object]]) -> list[dict[str, object]]:
        return [{k: swapped.get(v, v) if isinstance(v, str) else v for k, v in r.items()} for r in rows]

    tables = {name: renamed([dict(r) for r in rows]) for name, rows in data.tables.items()}
    systems = {swapped.get(name, name): spec for name, spec in data.systems.items()}
    changed = data._replace(
        benchmark=nasty, tables=tables, systems=systems, headline=renamed([dict(r) for r in data.headline])
    )
    html = build_report(changed, draw(changed))
    assert "<b>$" not in html and "&lt;b&gt;" in html


def test_findings_are_grouped_capped_and_counted(page: str) -> None:
    text = words(part(page, "quality"))
    assert "integer-answer: 1 finding " in text and "unresolved-evidence: 27 findings" in text
    assert text.count("is not in the dialogue") == 20 and "and 7 more in corpus/quality.jsonl" in text


def test_findings_do_not_depend_on_their_order(data: ReportData, plots: dict[str, str], page: str) -> None:
    turned: list[Quality] = list(reversed(data.quality))
    assert build_report(data._replace(quality=turned), plots) == page


def test_an_empty_report_says_so(empty: str) -> None:
    text = words(empty)
    assert "No answers have been judged here, so there is no accuracy and no claim of one." in text
    assert "Retrieval, Packets: no system has any." in text
    assert "Data quality: ingest found nothing to report." in text
    assert re.findall(r'<h2 id="(?!not-)(\w+)"', empty) == ["verify", "definitions"]


def test_external_systems_alone_have_no_packets_and_no_retrieval(data: ReportData, plots: dict[str, str]) -> None:
    tables = {n: r for n, r in data.tables.items() if n not in ("retrieval", "packets", "support", "triggers")}
    systems = {name: {"kind": "external"} for name in data.systems}
    html = build_report(data._replace(tables=tables, systems=systems, headline=[]), plots)
    assert "Packets: all systems are external." in words(html)
    assert not re.search(r'<h2 id="(packets|retrieval|recall|scaffold)"', html)


def test_who_counts_in_retrieval_is_told(data: ReportData, plots: dict[str, str]) -> None:
    for rule, left_out in (("include", False), ("exclude", True)):
        changed = data._replace(statistics={**data.statistics, "retrieval_abstention": rule})
        assert ("without those that want an abstention" in words(build_report(changed, plots))) == left_out


def test_numbers_have_one_form() -> None:
    assert [percent(0.48831), percent(1.0), percent(None)] == ["48.8%", "100.0%", "–"]
    assert [span(0.4631, 0.5), span(None, None)] == ["46.3–50.0%", ""]
    assert [points(-0.0004), points_span(-0.01, 0.02), points_span(None, 0.1)] == ["0.0", "−1.0 to +2.0", ""]


def test_a_confidence_is_not_rounded_to_certainty(data: ReportData) -> None:
    changed = data._replace(statistics={**data.statistics, "confidence": 0.995})
    assert (changed.confidence, data.confidence, changed.alpha) == ("99.5%", "95%", 0.005)
