"""The sections of the page in their order: what each says in one sentence, and why one that has nothing is left out."""

from __future__ import annotations

from typing import Any, NamedTuple

from memtrial.report import (
    accuracy_views,
    audit_views,
    comparison_views,
    cost_views,
    evidence_views,
    judge_views,
    scaffold_views,
    stability_views,
)  # fmt: skip
from memtrial.report.data import ReportData, in_order

# What has nothing to show where there are rankings alone.
_OF_ANSWERS = (
    "accuracy",
    "slices",
    "comparisons",
    "contrasts",
    "passes",
    "judges",
    "readers",
    "recall",
    "cost",
    "tells",
)


class Section(NamedTuple):
    """`name` is its place on the page and its template; `why` is empty for one that is shown."""

    name: str
    title: str
    told: str = ""
    shown: Any = None
    why: str = ""


def sections(data: ReportData) -> list[Section]:
    """Every section, those without rows with the reason."""
    found = [*_results(data), *_judging(data), *_evidence(data), *_audits(data), *_always(data)]
    if data.rows("accuracy"):
        return found
    return [s._replace(why="no answers have been judged") if s.why and s.name in _OF_ANSWERS else s for s in found]


def _results(data: ReportData) -> list[Section]:
    slices = accuracy_views.slice_tables(data)
    return [
        _section("accuracy", "Accuracy by type", accuracy_views.type_tables(data), accuracy_views.types_told(data),
                 "no reader has been judged"),
        _section("slices", "Slices", slices, accuracy_views.slices_told(data), "no reader has been judged"),
        _section("comparisons", "Paired comparisons", comparison_views.comparison_tables(data),
                 comparison_views.told(data, "comparisons"), "there is one cell alone, or no pair is asked for"),
        _section("contrasts", "Families and contrasts", comparison_views.contrast_tables(data),
                 comparison_views.told(data, "contrasts"), "the config states no block of contrasts"),
    ]  # fmt: skip


def _judging(data: ReportData) -> list[Section]:
    passes = {
        "stability": stability_views.stability_tables(data, "passes"), "flips": stability_views.flip_tables(data),
        "rows": stability_views.flip_rows(data),
    }  # fmt: skip
    judges = {
        "beside": judge_views.beside_tables(data), "agreement": judge_views.agreement_tables(data, repeat=False),
        "repeated": judge_views.agreement_tables(data, repeat=True),
        "judgings": stability_views.stability_tables(data, "judgings"), "controls": judge_views.control_table(data),
        "replies": judge_views.disagreement_table(data),
    }  # fmt: skip
    readers = in_order(r["reader"] for r in cost_views.reader_rows(data))
    return [
        _section("passes", "Passes and flips", passes if passes["stability"] or passes["flips"] else [],
                 stability_views.told(data), "each reader has one pass, so nothing can flip"),
        _section("judges", "Judges", judges if any(judges.values()) else [], judge_views.told(data),
                 "no answers were judged twice and no controls are here"),
        _section("readers", "Readers", cost_views.reader_tables(data) if len(readers) > 1 else [],
                 f"The same questions, read by {len(readers)} readers.", "there is one reader"),
    ]  # fmt: skip


def _evidence(data: ReportData) -> list[Section]:
    scaffold = {"support": scaffold_views.support_tables(data), "triggers": scaffold_views.trigger_tables(data)}
    external = bool(data.systems) and all(data.is_external(s) for s in data.systems)
    outside = "all systems are external" if external else "no system has any"
    return [
        _section("retrieval", "Retrieval", evidence_views.retrieval_tables(data), 
                 evidence_views.retrieval_told(data), outside),
        _section("recall", "Evidence against accuracy", cost_views.recall_table(data),
                 "What the ranking and the packet hold of the gold evidence, and how much of it becomes right answers.",
                 "no system has both packets and an accuracy"),
        _section("cost", "Tokens and dollars", cost_views.usage_table(data), cost_views.usage_told(data),
                 "no answer carries a count of tokens"),
        _section("packets", "Packets", evidence_views.packet_table(data), evidence_views.packets_told(data), outside),
        _section("scaffold", "Scaffold", scaffold if any(scaffold.values()) else [], scaffold_views.told(data),
                 "no system here has a scaffold"),
    ]  # fmt: skip


def _audits(data: ReportData) -> list[Section]:
    tells = {
        "discriminability": audit_views.discriminability_tables(data),
        "correlations": audit_views.correlation_tables(data),
    }
    disputed = {"reach": audit_views.reach_tables(data), "rows": audit_views.disputed_table(data)}
    return [
        _section("published", "Published figures", audit_views.claim_tables(data), audit_views.claims_told(data),
                 "the config names none"),
        _section("disputed", "Disputed gold", disputed if data.rows("disputed") else [],
                 audit_views.disputed_told(data),
                 "no dossier of disputed gold was given"),
        _section("dialogues", "Dialogues", audit_views.dialogue_tables(data), audit_views.dialogues_told(data),
                 "the benchmark does not score turns of a dialogue"),
        _section("tells", "Can it tell systems apart?", tells if any(tells.values()) else [],
                 audit_views.discriminability_told(data), "it takes three systems or more"),
    ]  # fmt: skip


def _always(data: ReportData) -> list[Section]:
    found = audit_views.findings(data)
    told = (
        "What ingest found in the source. Nothing was corrected in silence; references that lead nowhere are counted "
        "out of the retrieval denominators."
    )
    return [
        _section("quality", "Data quality", found, told, "ingest found nothing to report"),
        Section("verify", "How to verify", shown=True),
        Section("definitions", "Definitions", shown=True),
    ]


def _section(name: str, title: str, shown: Any, told: str, why: str) -> Section:
    return Section(name, title, told, shown) if shown else Section(name, title, why=why)
