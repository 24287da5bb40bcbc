from __future__ import annotations

from typing import Any

import pytest
from report_fixture import defined, invented, packets

from memtrial.report.accuracy_views import slice_tables, type_tables, types_told
from memtrial.report.audit_views import (
    MOST_DISPUTED,
    claim_tables,
    claims_told,
    disputed_table,
    disputed_told,
    reach_tables,
)
from memtrial.report.comparison_views import MOST_ROWS, comparison_tables, contrast_tables, told
from memtrial.report.cost_views import recall_points, usage_table, usage_told
from memtrial.report.data import ReportData, claimable
from memtrial.report.evidence_views import packet_table, retrieval_tables
from memtrial.report.judge_views import agreement_tables, beside_tables, control_table
from memtrial.report.scaffold_views import support_tables, trigger_tables
from memtrial.report.stability_views import flip_rows, flip_tables, stability_tables
from memtrial.report.table import Table, Value, shades


@pytest.fixture(scope="module")
def data() -> ReportData:
    return invented()


def heads(table: Table) -> list[str]:
    return [h.text for h in table.heads]


def row(table: Table, *begins: str) -> list[Value]:
    """The only row whose head has this text and these smaller lines."""
    (found,) = [r for r in table.rows if r[0].text == begins[0] and set(begins[1:]) <= set(r[0].small)]
    return found


def with_rows(data: ReportData, **tables: list[Any]) -> ReportData:
    return data._replace(tables={**data.tables, **tables})


def test_micro_macro_and_abstention_are_named_apart(data: ReportData) -> None:
    (name, (published, undisputed)), *others = type_tables(data)
    assert name == "judged by judge-4o" and [n for n, _ in others] == [
        "judged by judge-4o-again",
        "judged by lexical (not an LLM)",
    ]
    assert heads(published)[:5] == ["system", "micro", "macro", "abstention", "single-hop"]
    assert (published.gold, undisputed.gold) == ("published", "undisputed")
    micro = row(published, "chain", "gpt-4o · pass 1")[1]
    assert micro[:2] == ("82.0%", ("n=1,547", "80.0–83.9%", "d 73.8–90.3%"))
    assert row(undisputed, "chain", "gpt-4o · pass 1")[1].small[:1] == ("n=1,419",)


def test_unjudged_rows_have_bounds_and_small_slices_a_dagger(data: ReportData) -> None:
    table = type_tables(data)[0][1][0]
    assert row(table, "rag", "gpt-4o-mini · pass 1")[1][:2] == ("65.0–65.2%", ("n=1,547", "3 unjudged"))
    assert row(table, "chain", "gpt-4o · pass 1")[-1].small[0] == "n=7 †"
    assert types_told(data) == "chain is best on single-hop (87.0%) and worst on open-domain (62.5%)."


def test_a_trivial_baseline_takes_no_part_in_the_shades(data: ReportData) -> None:
    table = type_tables(data)[0][1][0]
    assert all(v.heat is None for r in table.rows if r[0].text == "trivial" for v in r[1:])
    assert {r[1].heat for r in table.rows if r[0].text != "trivial"} >= {0.0, 1.0}


def test_shades_run_from_the_lowest_to_the_highest() -> None:
    assert shades([0.2, None, 0.4, 0.3]) == [0.0, None, 1.0, 0.5]
    assert shades([0.2, 0.2]) == [0.5, 0.5] and shades([]) == []


def test_heat_maps_have_families_and_leave_out_axes_of_one_slice(data: ReportData) -> None:
    ((name, tables),) = slice_tables(data)
    assert name == "read by gpt-4o, judged by judge-4o"
    assert [t.label for t in tables if t.gold == "published"] == [
        "Slices by evidence position",
        "Slices by question type",
    ]
    head = tables[0].heads[-1]
    assert (head.text, head.small) == ("retrievers", "family of 2")
    alone = [r for r in data.tables["slices"] if r["slice"] != "middle"]
    ((_, left),) = slice_tables(with_rows(data, slices=alone))
    assert {t.label for t in left} == {"Slices by question type"}


def test_comparisons_come_by_block_with_the_smallest_p_first(data: ReportData) -> None:
    tables = [t for t in comparison_tables(data) if t.gold == "published"]
    assert [t.label for t in tables] == ["Block systems: 6 tests", "Block readers: 1 test"]
    verdicts = [r[-1].text for r in tables[0].rows]
    assert verdicts == ["stands"] * 5 + ["no difference claimed"]
    assert tables[1].rows[0][-1] == Value("not tested", ("3 unjudged",))
    assert told(data, "comparisons") == (
        "5 of 6 differences stand after Holm's correction within their own block; 1 could not be tested."
    )


def test_a_long_block_says_how_many_rows_are_left_to_the_csv(data: ReportData) -> None:
    many = [dict(data.tables["comparisons"][0])] * (MOST_ROWS + 5)
    (table,) = comparison_tables(with_rows(data, comparisons=many))
    assert (len(table.rows), table.more) == (MOST_ROWS, 5)


def test_contrasts_say_what_is_subtracted_and_where(data: ReportData) -> None:
    named = {t.label: t.rows[0] for t in contrast_tables(data) if t.gold == "published"}
    families, slices, differences = named.values()
    assert (families[0].text, families[1].text) == ("retrievers − whole", "in temporal (question type)")
    assert (slices[0].text, slices[1].text) == ("temporal − multi-hop", "in retrievers, by question type")
    assert differences[1].text == "in temporal, less in multi-hop (question type)"
    assert families[3] == Value("+6.2", ("+3.2 to +9.2",)) and slices[2].text == "321 / 282"


def test_passes_have_their_mean_floor_and_bars(data: ReportData) -> None:
    table = stability_tables(data, "passes")[0]
    chain = row(table, "chain")
    assert len(table.rows) == 2 and chain[3] == Value("81.7%", ("± 0.30 points",)) and chain[5].text == "1,200"
    assert chain[-1].text == "published (81.7%): straddles: no win claimed"
    (judgings,) = stability_tables(data, "judgings")
    assert judgings.rows[0][1] == Value("2", ("judge-4o, judge-4o-again",))


def test_flips_are_counted_by_direction_and_cause(data: ReportData) -> None:
    published, undisputed = flip_tables(data)
    assert [v.text for v in published.rows[0][1:]] == ["1 to 2", "90", "60", "30", "23", "23", "22", "22"]
    assert undisputed.rows[0][2].text == "85"
    listed = flip_rows(data)
    assert (
        listed.more == 50
        and listed.rows[0][0].href == "questions.html#conv-00%230"
        and listed.rows[0][0].mark == "disputed"
    )
    assert listed.rows[10][0].mark == ""


def test_the_same_answers_stand_under_each_judge(data: ReportData) -> None:
    table = beside_tables(data)[0]
    assert heads(table)[1:] == ["judge-4o", "judge-4o-again", "lexical"]
    assert [v.text for v in row(table, "chain", "gpt-4o · pass 1")[1:]] == ["82.0%", "82.4%", "62.0%"]
    alone = [r for r in data.tables["accuracy"] if r["judge"] == "lexical"]
    assert beside_tables(with_rows(data, accuracy=alone)) == []


def test_repeated_judging_is_kept_from_agreement_of_judges(data: ReportData) -> None:
    pairs = {repeat: {r[1].text for r in agreement_tables(data, repeat)[0].rows} for repeat in (False, True)}
    assert pairs[True] == {"judge-4o, judge-4o-again"}
    assert pairs[False] == {"judge-4o, lexical", "judge-4o-again, lexical"}
    assert [r[2].text for r in agreement_tables(data, False)[0].rows] == ["all", "all", "temporal", "temporal"]


def test_controls_are_by_arm_and_mark_what_was_missed(data: ReportData) -> None:
    (table,) = control_table(data)
    assert heads(table) == ["arm", "judge-4o", "lexical"]
    vague = row(table, "negative-hard-vague", "should fail")
    assert (vague[1].mark, vague[2].text, vague[2].mark) == ("", "37.5%", "under the bar of 90.0%")
    assert control_table(data._replace(controls={})) == []


def test_recall_and_cost_are_under_the_first_judge_alone(data: ReportData) -> None:
    points = recall_points(data)["recall_all@10"]
    assert {p.row["judge"] for p in points} == {"judge-4o"} and {p.system for p in points} == {
        "chain",
        "rag",
        "chain-oracle",
    }
    (table,) = usage_table(data)
    assert [r[0].text for r in table.rows] == ["chain", "rag", "chain-oracle"]
    assert usage_told(data).startswith("From 8,100 tokens a question (rag, gpt-4o) to 12,400 (chain, gpt-4o)")


def test_a_system_that_packs_anothers_rankings_shows_its_packets_alone(data: ReportData) -> None:
    rows = [*data.tables["retrieval"], *(dict(r) | {"system": "second"} for r in data.tables["retrieval"])]
    rows = [r for r in rows if r["system"] != "rag"]
    second = data._replace(systems={**data.systems, "second": defined() | {"rankings_of": "chain"}})
    chain, other = retrieval_tables(with_rows(second, retrieval=rows))
    assert [r[0].text for r in other.rows] == ["packet"] and "reranked" in [r[0].text for r in chain.rows]


def test_packets_of_all_systems_stand_beside_each_other(data: ReportData) -> None:
    table = {r[0].text: r[1:] for r in packet_table(data)[0].rows}
    assert table["budget"] == [Value("16 slots, 40,000 proxy tokens")] * 2
    assert table["dropped candidates"][0] == Value("7,012", ("12 budget", "7,000 sessions"))
    assert (table["gold-complete"][0], table["turn-complete"][0]) == (
        Value("95.4%", ("n=1,543",)),
        Value("–", ("n=0",)),
    )
    changed = [packets("chain") | {"max_sessions": None, "tokenizer": "some-words"}]
    (other,) = packet_table(with_rows(data, packets=changed))
    assert next(r for r in other.rows if r[0].text == "budget")[1].text == "40,000 tokens of some-words"


def test_support_stands_beside_its_chance_level(data: ReportData) -> None:
    (table,) = support_tables(data)
    assert table.label == "Answer support of chain" and [h.small for h in table.heads[2:]] == [
        "n=400",
        "n=300",
        "n=100",
    ]
    assert table.rows[0][2:4] == [
        Value("50.0%", ("45.0–55.0%", "chance 12.5%")),
        Value("50.0%", ("45.0–55.0%", "chance –")),
    ]


def test_operator_choice_is_shown_once_for_systems_that_choose_alike(data: ReportData) -> None:
    rows = [dict(r) for r in data.tables["triggers"] if r["system"] == "chain"]
    alike = with_rows(data, triggers=rows + [r | {"system": "chain-oracle"} for r in rows])
    (table,) = trigger_tables(alike)
    assert table.label == "Operator choice of chain, chain-oracle (oracle: reads the benchmark's question type)"
    apart = with_rows(data, triggers=rows + [r | {"system": "rag", "fired": 601} for r in rows])
    assert [t.label for t in trigger_tables(apart)] == ["Operator choice of chain", "Operator choice of rag"]


def test_published_figures_that_differ_stand_apart_from_those_that_are_equal(data: ReportData) -> None:
    found = claim_tables(data)
    (apart,), (equal,) = found["apart"], found["equal"]
    assert [(r[0].text, r[0].mark) for r in apart.rows] == [
        ("Human labels", "absent"),
        ("Correct answers, pass 2", "differs"),
    ]
    assert apart.rows[0][3].small == ("system=chain", "paper, table 2") and equal.rows[0][3].small == ()
    assert claims_told(data) == "3 published figures (paper, table 2) beside ours: 1 equal, 1 different, 1 absent."
    assert claim_tables(with_rows(data, claims=[])) == {}


def test_equal_figures_are_grouped_by_what_they_are_of(data: ReportData) -> None:
    row = dict(data.tables["claims"][0])
    named = ("Pass 1, judge x: right of 500", "Pass 1, judge x: right, abstention", "Pass 2: right of 500", "floor")
    found = claim_tables(with_rows(data, claims=[row | {"claim": name} for name in named]))
    assert not found["apart"] and [(t.label, [r[0].text for r in t.rows]) for t in found["equal"]] == [
        ("Pass 1, judge x", ["right of 500", "right, abstention"]), ("Pass 2", ["right of 500"]),
        ("paper, table 2", ["floor"]),
    ]  # fmt: skip


def test_how_far_disputed_rows_reach_is_told_of_every_result(data: ReportData) -> None:
    (table,) = reach_tables(data)
    assert row(table, "chain", "gpt-4o · pass 1 · judge-4o")[1:] == [
        Value("82.0%", ("1,269 of 1,547",)), Value("128"), Value("73.8%", ("1,141 of 1,547",)),
        Value("90.3%", ("1,397 of 1,547",)), Value("82.0%", ("1,164 of 1,419",)),
    ]  # fmt: skip
    assert {r[0].text for r in table.rows} == {"chain", "rag", "chain-oracle", "archivist"}
    plain = [dict(r) | {"disputed_low": None} for r in data.tables["accuracy"]]
    assert reach_tables(with_rows(data, accuracy=plain)) == []


def test_conversations_lead_the_interval_where_they_are_drawn(data: ReportData) -> None:
    drawn = [dict(r) | {"t_low": 0.7, "t_high": 0.9} for r in data.tables["accuracy"]]
    table = type_tables(with_rows(data, accuracy=drawn))[0][1][0]
    assert row(table, "chain", "gpt-4o · pass 1")[1].small[1] == "c 70.0–90.0%"


def test_disputed_rows_are_listed_and_counted(data: ReportData) -> None:
    (table,) = disputed_table(data)
    assert (len(table.rows), table.more) == (MOST_DISPUTED, 70 - MOST_DISPUTED)
    assert {r[3].text for r in table.rows} == {"yes", "no", "unknown"}
    assert disputed_told(data).startswith(
        "70 questions have gold that an invented audit disputes; 47 of them may change"
    )


def test_a_difference_over_conversations_stands_by_t_and_not_by_the_bootstrap() -> None:
    row = {"p_holm": 0.01, "low": 0.003, "high": 0.052, "t_low": -0.002, "t_high": 0.057}
    assert not claimable(row, 0.05)
    assert claimable(row | {"t_low": None, "t_high": None}, 0.05)
    assert claimable(row | {"t_low": 0.001}, 0.05)
