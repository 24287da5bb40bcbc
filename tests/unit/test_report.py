from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest

from memtrial.records import Quality
from memtrial.report.build import build_report
from memtrial.report.data import ReportData, percent, span
from memtrial.report.plots import COLOURS, draw, inline, plotted_systems
from memtrial.report.scaffold_views import packet_table, support_tables, trigger_tables
from memtrial.report.views import MOST_SHOWN, by_question_type, flip_tables, retrieval_tables

KS = (1, 5, 10, 16, 20)
TYPES = {"single-hop": (841, 512), "multi-hop": (282, 61), "temporal": (321, 170), "open-domain": (96, 9)}


def accuracy(
    system: str, reader: str, reader_pass: str, judge: str, axis: str, name: str, n: int, correct: int, bad: int = 0
) -> dict[str, Any]:
    rate = correct / n
    known = (rate, max(0.0, rate - 0.025), min(1.0, rate + 0.025)) if not bad else (None, None, None)
    return {
        "system": system, "reader": reader, "reader_pass": reader_pass, "judge": judge, "axis": axis, "slice": name,
        "n": n, "correct": correct, "accuracy": known[0], "wilson_low": known[1], "wilson_high": known[2],
        "n_error": bad, "n_unparseable": 0, "n_unanswered": 0, "bound_low": rate, "bound_high": (correct + bad) / n,
    }  # fmt: skip


def headline(row: dict[str, Any], ranked: bool) -> dict[str, Any]:
    return row | {
        "benchmark": "locomo", "questions": row["slice"], "n_unjudged": row["n_error"],
        "recall_all_10": 0.931 if ranked else None, "gold_complete": 0.954, "n_retrieval": 1982,
    }  # fmt: skip


def retrieval(system: str) -> list[dict[str, Any]]:
    rows = []
    stages = (
        ("dense", "keyword", "expansion", "pool", "reranked", "packet") if system != "full-context" else ("packet",)
    )
    for number, stage in enumerate(stages):
        for k in KS:
            for metric, base in (("recall_any", 0.6), ("recall_all", 0.45), ("ndcg", 0.5), ("mrr", 0.55)):
                value = min(0.99, base + 0.03 * number + 0.018 * k)
                rows.append({"stage": stage, "metric": metric, "k": k, "value": value})
    rows.append({"stage": "packet", "metric": "gold_complete", "k": None, "value": 0.954})
    shared = {"system": system, "level": "session", "slice": "all", "n": 1982}
    return [shared | r | {"ci_low": r["value"] - 0.02, "ci_high": min(1, r["value"] + 0.02)} for r in rows]


def packets(system: str, layout: str, extracted: int) -> dict[str, Any]:
    return {
        "system": system, "slice": "all", "n": 1986, "layout": layout, "sessions_mean": 15.96,
        "proxy_tokens_mean": 13456.7, "proxy_tokens_max": 16012, "max_sessions": 16, "max_tokens": 40000,
        "tokenizer": None, "over_budget": 0, "whole": 30000, "extracted": extracted, "cut": 1, "turns": 0,
        "elided_lines": 1234, "dropped": 7012, "dropped_by": "budget=12 sessions=7000", "gold_complete": 0.954,
        "n_gold_complete": 1982, "turn_complete": None, "n_turn_complete": 0,
    }  # fmt: skip


def support(system: str, fired: int) -> list[dict[str, Any]]:
    return [
        {
            "system": system, "operator": operator, "kind": kind, "slice": name, "n": n, "supported": n // 2,
            "rate": 0.5 if fired else 0.0, "ci_low": 0.45, "ci_high": 0.55,
            "chance": None if kind == "day" else 0.125, "values": 3.0, "fired": fired,
        }
        for operator in ("dates", "any")
        for kind, n in (("all", 400), ("day", 300), ("number", 100))
        for name in ("all", "question_type=temporal")
    ]  # fmt: skip


def triggers(system: str, fired: int) -> list[dict[str, Any]]:
    known = {"labelled": 20, "needed": 10, "tp": 8, "fp": 2, "fn": 2, "precision": 0.8, "recall": 0.8}
    shared = {"system": system, "n": 1986, "fired": fired, "rate": fired / 1986}
    return [
        shared | {"operator": operator, "slice": name} | (known if operator == "dates" else unknown)
        for unknown in [dict.fromkeys(known) | {"labelled": 0}]
        for operator in ("dates", "counting")
        for name in ("all", "question_type=temporal")
    ]


def defined(form: str = "extracted") -> dict[str, Any]:
    return {"kind": "chain", "packet": {"packet": {"form": form}}}


def with_oracle(data: ReportData) -> ReportData:
    """The same with a second system, whose packets are made by the question type."""

    def renamed(rows: Any) -> list[Any]:
        return [*rows, *(dict(r) | {"system": "chain-archivist"} for r in rows if r["system"] == "chain")]

    systems = {**data.systems, "chain-archivist": defined("oracle-question-type")}
    return data._replace(
        systems=systems, headline=renamed(data.headline), accuracy=renamed(data.accuracy), flips=renamed(data.flips),
        retrieval=renamed(data.retrieval), support=renamed(data.support), triggers=renamed(data.triggers),
        packets=[*data.packets, packets("chain-archivist", "archivist", 99)],
    )  # fmt: skip


def invented() -> ReportData:
    """A report of LoCoMo's shape: two systems, two passes of one reader, one unjudged pass, a word judge."""
    cells = [("chain", "extractive", "1", "lexical", 0), ("chain", "gpt-4o", "1", "judge-4o", 0)]
    cells += [("chain", "gpt-4o", "2", "judge-4o", 3), ("full-context", "gpt-4o", "1", "judge-4o", 0)]
    table, top = [], []
    for system, reader, reader_pass, judge, bad in cells:
        cell = (system, reader, reader_pass, judge)
        table.append(accuracy(*cell, "all", "all", 1986, 1100, bad))
        scored = [
            accuracy(*cell, "scored", "answerable", 1540, 752, bad),
            accuracy(*cell, "scored", "abstention", 446, 348),
        ]
        table += scored + [accuracy(*cell, "question_type", t, n, right) for t, (n, right) in TYPES.items()]
        top += [headline(r, system == "chain") for r in scored]
    flip = {"system": "chain", "reader": "gpt-4o", "judge": "judge-4o", "pass_a": "1", "pass_b": "2"}
    flips = [
        flip | {"question_id": f"conv-26#{n}", "correct_a": n % 3 > 0, "correct_b": n % 3 == 0, "same_answer": n == 4}
        for n in range(30)
    ]
    quality = [
        Quality("unresolved-evidence", f"conv-4{n % 10}, qa {n}", f"D{n}:19 is not in the dialogue") for n in range(27)
    ]
    quality.append(Quality("integer-answer", "conv-26, qa 3", "answer 2022 is a number <b>here</b>"))
    receipts = [
        {"artifact": f"corpus/{name}.parquet", "rows": 272, "content_sha256": "ab" * 32, "bytes_sha256": "cd" * 32}
        for name in ("sessions", "turns")
    ]
    return ReportData(
        "locomo", top, table, retrieval("chain") + retrieval("full-context"), flips,
        [packets("chain", "coverage", 5), packets("full-context", "history", 0)],
        support("chain", 321) + support("full-context", 0), triggers("chain", 600) + triggers("full-context", 0),
        quality, receipts, systems={"chain": defined(), "full-context": defined()},
        readers={"extractive": {"kind": "extractive"}, "gpt-4o": {"kind": "litellm", "model": "x"}},
        judges={"lexical": {"kind": "lexical"}, "judge-4o": {"kind": "litellm"}},
        statistics={"resamples": 10000, "seed": 20260830, "confidence": 0.95, "ks": list(KS)},
    )  # fmt: skip


def words(html: str) -> str:
    """The page's words, each run of blanks as one."""
    found: list[str] = []
    parser = HTMLParser()
    parser.handle_data = found.append  # type: ignore[method-assign]
    parser.feed(html)
    return " ".join(" ".join(found).split())


@pytest.fixture(scope="module")
def data() -> ReportData:
    return invented()


@pytest.fixture(scope="module")
def plots(data: ReportData) -> dict[str, str]:
    return draw(data)


@pytest.fixture(scope="module")
def page(data: ReportData, plots: dict[str, str]) -> str:
    return build_report(data, plots)


def test_the_same_data_gives_the_same_bytes(data: ReportData, page: str) -> None:
    assert build_report(data, draw(data)) == page


def test_the_page_loads_and_links_nothing(page: str) -> None:
    assert "http://" not in page and "https://" not in page
    assert not re.search(r"<(script|link|img|iframe|a)\b|@import|url\((?!#)|\bsrc=", page)
    assert all(ref.startswith("#") for ref in re.findall(r'href="([^"]*)"', page))


def test_every_id_is_unique_and_every_reference_is_met(page: str) -> None:
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="#|url\(#)([^")]*)', page)) <= set(ids)


def test_claims_carry_n_interval_reader_and_judge(page: str) -> None:
    text = words(page)
    claim = "gpt-4o (pass 1), answers 48.8% of 1,540 answerable questions correctly (95% interval 46.3–51.3%)"
    assert f"{claim}, as judged by judge-4o" in text
    assert "no accuracy yet: 3 of 1,540 answerable questions are unjudged, so it lies between 48.8% and 49.0%" in text


def test_word_judge_and_floor_reader_are_called_what_they_are(
    data: ReportData, page: str, plots: dict[str, str]
) -> None:
    text = words(page)
    assert "Judge lexical is not an LLM." in text and "Reader extractive is a floor, not a model." in text
    assert "lexical (not an LLM)" in plots["accuracy"] and "extractive (floor, not a model)" in plots["accuracy"]
    real = data._replace(
        headline=[r for r in data.headline if r["judge"] != "lexical"],
        accuracy=[r for r in data.accuracy if r["judge"] != "lexical"],
    )
    assert "not an LLM" not in build_report(real, draw(real)) and "not a model" not in build_report(real, draw(real))


def test_all_text_is_escaped(data: ReportData) -> None:
    nasty = '<b>$x$ & "y"</b>'
    renamed = [r | {"system": nasty} for r in data.headline]
    changed = data._replace(
        benchmark=nasty, headline=renamed, retrieval=[dict(r) | {"system": nasty} for r in data.retrieval],
        packets=[packets(nasty, nasty, 1) | {"tokenizer": nasty, "dropped_by": f"{nasty}=1"}],
        support=[r | {"operator": nasty} for r in support(nasty, 3)], triggers=[r | {"operator": nasty} for r in
        triggers(nasty, 3)], systems={**data.systems, nasty: defined("oracle-question-type")},
    )  # fmt: skip
    plots = draw(changed)
    for svg in plots.values():
        ElementTree.fromstring(svg.encode())
    html = build_report(changed, plots)
    assert "<b>" not in html and "&lt;b&gt;" in html


def test_findings_are_grouped_capped_and_counted(page: str) -> None:
    text = words(page)
    assert "integer-answer: 1 finding " in text and "unresolved-evidence: 27 findings" in text
    assert text.count("is not in the dialogue") == MOST_SHOWN
    assert f"and {27 - MOST_SHOWN} more in corpus/quality.jsonl" in text


def test_flips_are_counted_by_direction(data: ReportData, page: str) -> None:
    by_cell = {(t["system"], t["reader"]): t for t in flip_tables(data)}
    pair = by_cell["chain", "gpt-4o"]["pairs"][0]
    assert (pair["flips"], pair["lost"], pair["gained"], pair["same_answer"], pair["unjudged"]) == (
        30,
        20,
        10,
        1,
        [0, 3],
    )
    text = words(page)
    assert "Pass 1 to pass 2: 30 flips in 1,986 questions: 20 lost, 10 gained; 1 on the very same answer." in text
    assert text.count("One pass only (1): no flips can be shown.") == 2


def test_flips_named_the_other_way_round_count_the_same(data: ReportData) -> None:
    turned = [
        f | {"pass_a": "2", "pass_b": "1", "correct_a": f["correct_b"], "correct_b": f["correct_a"]} for f in data.flips
    ]
    assert flip_tables(data._replace(flips=turned)) == flip_tables(data)


def test_question_types_show_their_n(data: ReportData) -> None:
    cells, types = by_question_type(data)
    assert len(cells) == 4 and types[1] == ("multi-hop", [("21.6% (n=282)", "19.1–24.1%")] * 4)
    first = next(n for n, r in enumerate(data.accuracy) if r["axis"] == "question_type")
    broken = dict(data.accuracy[first]) | {"accuracy": None, "bound_low": 0.5, "bound_high": 0.6, "n_error": 3}
    broken |= {"n_unanswered": 1}
    accuracy = [*data.accuracy[:first], broken, *data.accuracy[first + 1 :]]
    rates = [rate for _, rates in by_question_type(data._replace(accuracy=accuracy))[1] for rate in rates]
    assert (f"50.0–60.0% (n={broken['n']})", "4 unjudged") in rates


def test_receipts_are_short_with_the_whole_hash_at_hand(page: str) -> None:
    assert f'<code title="{"ab" * 32}">abababababab</code>' in page
    assert "snakemake --cores 1 verify" in page


def test_who_counts_in_retrieval_is_told(data: ReportData, plots: dict[str, str]) -> None:
    for rule, left_out in (("include", False), ("exclude", True)):
        changed = data._replace(statistics={**data.statistics, "retrieval_abstention": rule})
        assert ("without those that want an abstention" in words(build_report(changed, plots))) == left_out


def test_plots_keep_their_words_and_take_a_pages_colours(plots: dict[str, str], page: str) -> None:
    for name, svg in plots.items():
        root = ElementTree.fromstring(svg.encode())
        title = root.find("{http://www.w3.org/2000/svg}title")
        assert title is not None and title.text and "locomo" in title.text
        assert "<date" not in svg and "DejaVu" not in svg
        assert f'aria-labelledby="{name}-title"' in inline(svg, name)
    assert "reranked" in words(plots["retrieval"])
    css = page[page.index("<style>") : page.index("</style>")]
    used = set(re.findall(r"var\(--(\w+), #", "".join(plots.values())))
    assert used <= set(COLOURS) and all(css.count(f"--{name}:") == 2 for name in used)


def test_a_confidence_is_not_rounded_to_certainty(data: ReportData) -> None:
    changed = data._replace(statistics={**data.statistics, "confidence": 0.995})
    assert changed.confidence == "99.5%" and data.confidence == "95%"


def test_an_empty_report_says_so() -> None:
    empty = ReportData(
        "none-yet",
        [],
        [],
        [],
        [],
        [],
        [],
        [],
        [],
        [],
        {},
        {},
        {},
        {"resamples": 10, "seed": 1, "confidence": 0.9, "ks": [1]},
    )
    text = words(build_report(empty, draw(empty)))
    for told in (
        "No reader has been judged",
        "No system here ranks sessions",
        "No passes yet",
        "No packets yet",
        "No system here has a scaffold",
        "No operator fired",
        "found nothing to report",
    ):
        assert told in text


def test_packets_of_all_systems_stand_beside_each_other(data: ReportData) -> None:
    table = dict(packet_table(with_oracle(data)))
    assert table["layout"] == [("coverage", ""), ("history", ""), ("archivist", "")]
    assert table["budget"][0] == ("16 slots, 40,000 proxy tokens", "")
    assert table["proxy tokens"][0] == ("13,457", "mean; most 16,012")
    assert table["slots by form"][0] == ("30,000 whole, 5 extracted, 1 cut", "")
    assert table["dropped candidates"][0] == ("7,012", "12 budget, 7000 sessions")
    assert (table["gold-complete"][0], table["turn-complete"][0]) == (("95.4%", "n=1,982"), ("–", "n=0"))
    changed = [packets("chain", "coverage", 0) | {"max_sessions": None, "tokenizer": "some-words"}]
    assert dict(packet_table(data._replace(packets=changed)))["budget"] == [("40,000 tokens of some-words", "")]


def test_support_stands_beside_its_chance_level(data: ReportData, page: str) -> None:
    (table,) = support_tables(data)
    assert table.system == "chain" and table.kinds == [("all", 400), ("day", 300), ("number", 100)]
    cells = [
        ("50.0%", "45.0–55.0%", "chance 12.5%"),
        ("50.0%", "45.0–55.0%", "chance –"),
        ("50.0%", "45.0–55.0%", "chance 12.5%"),
    ]
    assert table.rows == [("dates", 321, cells), ("any", 321, cells)]
    assert "Chance is how often the same part would support the answer of another question" in words(page)


def test_operator_choice_is_shown_once_for_systems_that_choose_alike(data: ReportData) -> None:
    (table,) = trigger_tables(with_oracle(data))
    assert table.systems == ["chain", "chain-archivist"] and [r["operator"] for r in table.rows] == [
        "dates",
        "counting",
    ]
    assert table.types == [("temporal", 1986, [("30.2%", "precision 80.0%, recall 80.0%"), ("30.2%", "")])]
    apart = [*data.triggers, *triggers("rag", 601)]
    assert [t.systems for t in trigger_tables(data._replace(triggers=apart))] == [["chain"], ["rag"]]


def test_an_oracle_system_is_called_one_and_makes_no_claim(data: ReportData, page: str) -> None:
    changed = with_oracle(data)
    plots = draw(changed)
    html = build_report(changed, plots)
    text = words(html)
    claims = text[text.index("from what was asked") : text.index("System chain-archivist is an oracle.")]
    assert "chain-archivist" not in claims and "chain , read by gpt-4o" in claims
    main = html[html.index('<h2 id="accuracy">') : html.index('<h2 id="definitions">')]
    named = re.sub(r"<svg.*?</svg>|aria-label=\"[^\"]*\"", "", main, flags=re.DOTALL).split("chain-archivist")[1:]
    assert len(named) >= 9
    assert all(re.match(r"\W*<small class=\"mark\">oracle: reads the benchmark", after) for after in named)
    assert "oracle" not in page.replace(data.benchmark, "")


def test_the_forest_plot_sets_an_oracle_apart_and_hollow(data: ReportData, plots: dict[str, str]) -> None:
    changed = with_oracle(data)
    text = words(draw(changed)["accuracy"])
    told = "not a result: reads the benchmark's question type (oracle)"
    assert told in text and "not a result" not in words(plots["accuracy"])
    shown = text[text.index("questions judged correct") :]
    assert "chain-archivist" not in shown[: shown.index(told)].replace(told, "")
    hollow = re.compile(r"fill: var\(--paper, #ffffff\); stroke: var\(--mark")
    assert hollow.search(draw(changed)["accuracy"]) and not hollow.search(plots["accuracy"])


def test_where_all_systems_are_oracles_there_is_no_claim(data: ReportData) -> None:
    changed = data._replace(systems=dict.fromkeys(data.systems, defined("oracle-question-type")))
    text = words(build_report(changed, draw(changed)))
    assert "No system here makes a claim" in text and "answers" not in text[: text.index("is an oracle")]


def test_numbers_have_one_form() -> None:
    assert [percent(0.48831), percent(1.0), percent(None)] == ["48.8%", "100.0%", "–"]
    assert [span(0.4631, 0.5), span(None, None)] == ["46.3–50.0%", ""]


def test_a_system_that_packs_anothers_rankings_shows_its_packets_alone(data: ReportData) -> None:
    second = {**defined(), "rankings_of": "chain"}
    changed = data._replace(
        systems={**data.systems, "second": second}, retrieval=[*data.retrieval, *retrieval("second")]
    )
    assert plotted_systems(changed) == plotted_systems(data) == ["chain"]
    tables = {system: {line["stage"] for line in lines} for system, _, lines in retrieval_tables(changed)}
    assert tables["second"] == {"packet"}
    assert "reranked" in tables["chain"]
