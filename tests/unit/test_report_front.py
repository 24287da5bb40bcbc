from __future__ import annotations

import re

import pytest
from report_fixture import arm, defined, invented, words
from report_rows import TRIVIAL as BASELINES

from memtrial.report.absent import left_out, not_shown
from memtrial.report.build import build_report
from memtrial.report.data import ReportData
from memtrial.report.front import claims, differences, noise, ranked, stands
from memtrial.report.plots import draw
from memtrial.report.sections import Section


@pytest.fixture(scope="module")
def data() -> ReportData:
    return invented()


@pytest.fixture(scope="module")
def plots(data: ReportData) -> dict[str, str]:
    return draw(data)


@pytest.fixture(scope="module")
def text(data: ReportData, plots: dict[str, str]) -> str:
    html = build_report(data, plots)
    return words(html[html.index('<main id="main"') : html.index('id="not-shown"')])


def changed(data: ReportData, table: str, **values: object) -> ReportData:
    return data._replace(tables={**data.tables, table: [r | values for r in map(dict, data.tables[table])]})


def test_the_claim_names_system_reader_n_interval_judge_and_passes(text: str) -> None:
    assert "chain , read by gpt-4o (pass 1), answers 82.0% of 1,547 questions correctly" in text
    assert "(95% interval 80.0–83.9%), as judged by judge-4o" in text and "over 2 passes 81.7% ± 0.32 points." in text


def test_an_unjudged_claim_is_bounds(data: ReportData, plots: dict[str, str]) -> None:
    rows = [dict(r) for r in data.tables["accuracy"]]
    gone = {
        "accuracy": None,
        "wilson_low": None,
        "wilson_high": None,
        "n_error": 2,
        "bound_low": 0.8,
        "bound_high": 0.81,
    }
    rows = [r | gone if (r["system"], r["reader"]) == ("chain", "gpt-4o") and r["axis"] == "all" else r for r in rows]
    html = build_report(data._replace(tables={**data.tables, "accuracy": rows}), plots)
    told = "has no accuracy yet: 2 of 1,547 questions are unjudged, so it lies between 80.0% and 81.0%"
    assert told in words(html)


def test_the_lead_is_the_first_system_of_the_run_and_never_the_best(data: ReportData) -> None:
    assert [c.row["system"] for c in claims(data)[:2]] == ["chain", "rag"]
    lower = [
        dict(r) | {"accuracy": 0.01 if r["system"] == "chain" and r["accuracy"] is not None else r["accuracy"]}
        for r in data.tables["accuracy"]
    ]
    worse = data._replace(tables={**data.tables, "accuracy": lower})
    assert [c.row["system"] for c in claims(worse)] == [c.row["system"] for c in claims(data)]
    assert ranked(data, reversed(data.tables["accuracy"]))[0]["system"] == "chain"


def test_models_judged_by_models_come_before_floors_and_word_judges(data: ReportData) -> None:
    kinds = [(data.judge_mark(c.row["judge"]) != "", data.reader_mark(c.row["reader"]) != "") for c in claims(data)]
    assert kinds == sorted(kinds) and len(set(kinds)) == 4


def test_oracles_and_trivial_baselines_make_no_claim(data: ReportData, plots: dict[str, str], text: str) -> None:
    assert {c.row["system"] for c in claims(data)} == {"chain", "rag", "archivist"}
    assert "chain-oracle" not in text[: text.index("Judge lexical is not an LLM.")]
    all_oracles = data._replace(systems=dict.fromkeys(data.systems, defined("oracle-question-type")))
    assert claims(all_oracles) == []
    assert "No system here makes a claim." in words(build_report(all_oracles, plots))


def test_trivial_baselines_are_told_in_words(data: ReportData, text: str) -> None:
    assert set(BASELINES) == {"gold-echo", "question-echo", "always-abstain"}
    assert "The same judge gives the reference answer itself 99.4%, an echo of the question 2.1%, an answer" in text
    assert "an answer that always abstains 6.0%." in text
    without = [r for r in data.tables["accuracy"] if r["system"] != "trivial"]
    assert claims(data._replace(tables={**data.tables, "accuracy": without}))[0].trivial == ""


def test_what_a_judges_controls_showed_is_told(data: ReportData, text: str) -> None:
    assert "Judge judge-4o reached the bar on 3 of 3 control arms." in text
    failed = data._replace(controls={"judge-4o": {"arms": {"positive": arm(1.0, True), "negative": arm(0.55, False)}}})
    told = "reached the bar on 1 of 2 control arms; it missed negative (55.0% of 20, 90.0% needed)."
    assert claims(failed)[0].judge.endswith(told)
    assert "No controls of judge judge-4o are here" in claims(data._replace(controls={}))[0].judge


def test_a_difference_stands_or_is_not_claimed(data: ReportData) -> None:
    lead = claims(data)[0].row
    assert differences(data, lead) == [
        "chain minus rag: +8.0 points on the same 1,547 questions (95% interval +5.5 to +10.5; "
        "Holm-corrected p 0.006): the difference stands.",
        "chain minus archivist: +1.0 points on the same 1,547 questions (95% interval −1.5 to +3.5; "
        "Holm-corrected p 1.000): no difference can be claimed.",
    ]


def test_verdicts_that_are_all_alike_are_no_interval_of_no_width(data: ReportData) -> None:
    same = changed(data, "comparisons", difference=0.0, low=0.0, high=0.0, only_a=0, only_b=0, p_holm=1.0)
    told = "chain and rag are judged alike on each of the same 1,547 questions."
    assert differences(same, claims(same)[0].row)[0] == told


def test_a_difference_named_the_other_way_round_reads_the_same(data: ReportData) -> None:
    def turned(r: dict[str, object]) -> dict[str, object]:
        if r["difference"] is None:
            return r
        low, high = -float(str(r["high"])), -float(str(r["low"]))
        return r | {"a": r["b"], "b": r["a"], "difference": -float(str(r["difference"])), "low": low, "high": high}

    rows = [turned(dict(r)) for r in data.tables["comparisons"]]
    other = data._replace(tables={**data.tables, "comparisons": rows})
    assert differences(other, claims(data)[0].row) == differences(data, claims(data)[0].row)


def test_a_small_p_beside_an_interval_over_zero_is_no_difference(data: ReportData) -> None:
    row = dict(data.tables["comparisons"][0])
    assert stands(data, row) and not stands(data, row | {"low": -0.01}) and not stands(data, row | {"p_holm": 0.05})
    assert stands(data, row | {"low": -0.05, "high": -0.01}) and not stands(data, row | {"p_holm": None})


def test_unjudged_pairs_are_not_compared(data: ReportData) -> None:
    none = changed(data, "comparisons", difference=None, low=None, high=None, p_holm=None, n_unjudged=3)
    assert "chain against rag: not compared while 3 rows are unjudged." in differences(none, claims(none)[0].row)


def test_disputed_rows_say_how_far_they_could_move_the_claim(text: str) -> None:
    assert re.search(
        r"128 rows of the gold are disputed: with all of them wrong it would be 73\.\d%, .* right 90\.\d%", text
    )


def test_what_is_not_shown_is_told_with_its_reason(data: ReportData) -> None:
    told = " ".join(not_shown(data))
    for reason in (
        "No accuracy of rag, gpt-4o-mini, pass 1, judge judge-4o: 3 of 1,547 rows have no verdict (3 error).",
        "No claim for chain-oracle",
        "No packets of archivist: their answers were made elsewhere.",
        "No retrieval of archivist: their answers were made elsewhere.",
        "No cause of 22 flips: the answers were not released.",
        "No controls of judge judge-4o-again",
        "No conclusion from 1 of 10 slices",
        "No token counts of 7 of 10 system-reader pairs",
    ):
        assert reason in told, reason


def test_what_is_complete_is_not_excused(data: ReportData) -> None:
    kept = {
        n: [r for r in data.tables[n] if r["system"] == "chain" and r["reader"] == "gpt-4o"]
        for n in ("accuracy", "usage")
    }
    kept["accuracy"] = [r for r in kept["accuracy"] if r["slice"] != "rare" and r["judge"] == "judge-4o"]
    systems = {"chain": defined()}
    assert not_shown(data._replace(tables=kept, systems=systems)) == []


def test_word_judge_and_floor_reader_are_called_what_they_are(
    data: ReportData, plots: dict[str, str], text: str
) -> None:
    assert "Judge lexical is not an LLM." in text and "Reader extractive is a floor, not a model." in text
    real = [r for r in data.tables["accuracy"] if r["judge"] != "lexical" and r["reader"] != "extractive"]
    found = words(build_report(data._replace(tables={**data.tables, "accuracy": real}), plots))
    assert "is not an LLM." not in found and "is a floor" not in found


def test_the_leads_other_passes_and_judges_are_among_its_differences(data: ReportData) -> None:
    lead = claims(data)[0].row
    row = dict(data.tables["comparisons"][0]) | {"system": "chain", "gold": "published"}
    passes = row | {"compare": "passes", "reader_pass": "", "a": "1", "b": "2", "difference": 0.008, "low": -0.002}
    judges = row | {"compare": "judges", "judge": "", "a": "lexical", "b": "judge-4o", "difference": -0.2, "low": -0.3}
    rows = [passes | {"high": 0.02, "p_holm": 0.867}, judges | {"high": -0.1, "p_holm": 0.001}]
    told = differences(data._replace(tables={**data.tables, "comparisons": rows}), lead)
    assert told == [
        "Pass 1 minus pass 2: +0.8 points on the same 1,547 questions (95% interval −0.2 to +2.0; Holm-corrected p "
        "0.867): no difference can be claimed.",
        "Judge judge-4o minus judge lexical: +20.0 points on the same 1,547 questions (95% interval +10.0 to +30.0; "
        "Holm-corrected p 0.001): the difference stands.",
    ]


def test_bars_and_the_judges_own_noise_are_told(data: ReportData) -> None:
    bar, again = noise(data, claims(data)[0].row)
    assert re.fullmatch(
        r"The passes \(8\d\.\d–8\d\.\d% of all 1,547 questions\) straddle the bar published \(81\.7%\): "
        r"no win is claimed\.", bar
    )  # fmt: skip
    assert again.startswith("The same answers judged 2 times (judge-4o, judge-4o-again): ")
    assert " of 1,547 verdicts change by the judge alone (" in again
    other = next(c.row for c in claims(data) if c.row["system"] == "archivist")
    assert noise(data, other) == []


def test_planted_answers_are_no_claim_and_say_what_the_judge_passes(data: ReportData) -> None:
    planted = {**data.readers, "gpt-4o-mini": {"kind": "import", "planted": "vague wrong"}}
    tried = data._replace(readers=planted, controls={})
    assert {c.row["reader"] for c in claims(tried)} == {"gpt-4o", "extractive"}
    first = claims(tried)[0]
    assert first.judge == "No controls of judge judge-4o are here."
    assert first.trivial.endswith(" Judge judge-4o passes 73.0% of 1,547 vague wrong answers.")
    assert "gpt-4o-mini (planted: vague wrong)" in tried.reader_name("gpt-4o-mini")


def test_an_interval_over_conversations_leads_where_they_are_drawn(data: ReportData, plots: dict[str, str]) -> None:
    drawn = changed(data, "accuracy", t_low=0.71, t_high=0.93)
    text = words(build_report(drawn, plots))
    assert "(95% interval 71.0–93.0% over conversations), as judged by judge-4o" in text
    assert "interval: t over conversations" in draw(drawn)["accuracy"]
    alike = changed(data, "accuracy", t_low=0.82, t_high=0.82)
    assert "(95% interval 80.0–83.9%), as judged by judge-4o" in words(build_report(alike, plots))


def test_sections_that_are_left_out_for_the_same_reason_stand_together() -> None:
    found = [Section("a", "A", why="none"), Section("b", "B", shown=1), Section("c", "C", why="x")]
    assert left_out([*found, Section("d", "D", why="none")]) == ["A, D: none.", "C: x."]


def test_rankings_alone_say_that_there_are_no_answers(data: ReportData) -> None:
    tables = {"retrieval": data.tables["retrieval"]}
    alone = data._replace(tables=tables, headline=[], readers={}, judges={}, controls={})
    text = words(build_report(alone, draw(alone)))
    assert "No answers have been judged here, so there is no accuracy and no claim of one." in text
    assert "Questions whose first ten ranked sessions hold every gold session (n=1,543): chain" in text
    assert "accuracy.svg" not in text and "answered wrong" not in text
    assert "Accuracy by type, Slices, Paired comparisons" in text
