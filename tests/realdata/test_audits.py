"""The presets that audit published runs, by the workflow itself: printed figures equal, and what was not printed."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from flow import NOTHING, REPOSITORY, Flow

pytestmark = [pytest.mark.realdata, pytest.mark.slow]
Rows = list[dict[str, str]]
Audit = Callable[[str], Flow]


@pytest.fixture(scope="module")
def audit(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """Run a preset once, whole."""
    done: dict[str, Flow] = {}

    def run(preset: str) -> Flow:
        if preset not in done:
            config = yaml.safe_load((REPOSITORY / f"config/presets/{preset}.yaml").read_text(encoding="utf-8"))
            done[preset] = Flow(tmp_path_factory.mktemp(preset), config, repository=REPOSITORY)
            done[preset].ok("--quiet", "rules")
        return done[preset]

    return run


def table(flow: Flow, benchmark: str, name: str, **wanted: str) -> Rows:
    with flow.path(f"{benchmark}/statistics/{name}.csv").open(encoding="utf-8", newline="") as file:
        return [r for r in csv.DictReader(file) if all(r[k] == v for k, v in wanted.items())]


@pytest.mark.parametrize(
    ("preset", "benchmark", "claims"),
    [
        ("audit-archivist", "longmemeval-gold", 146),
        ("audit-longmemeval", "longmemeval-logs", 4),
        ("audit-locomo", "locomo-answerable", 14),
        ("audit-unidial", "unidial", 72),
    ],
)
def test_every_published_figure_is_equal(audit: Audit, preset: str, benchmark: str, claims: int) -> None:
    rows = table(audit(preset), benchmark, "claims")
    assert len(rows) == claims
    assert [r for r in rows if r["outcome"] != "equal"] == []


def test_a_second_audit_has_nothing_to_do(audit: Audit) -> None:
    assert NOTHING in audit("audit-archivist").ok()


def test_the_two_passes_do_not_differ_and_neither_does_a_second_judging(audit: Audit) -> None:
    flow = audit("audit-archivist")
    rows = table(flow, "longmemeval-gold", "comparisons", gold="published", reader="opus")
    (passes,) = [r for r in rows if r["compare"] == "passes" and r["judge"] == "gpt-4o"]
    assert (passes["only_a"], passes["only_b"], passes["mcnemar_p"]) == ("6", "2", "0.2890625")
    (again,) = [r for r in rows if r["compare"] == "judges" and (r["a"], r["b"]) == ("gpt-4o", "gpt-4o-again")]
    assert (again["only_a"], again["only_b"], again["mcnemar_p"]) == ("2", "1", "1")
    assert all(float(r["p_holm"]) > 0.05 for r in rows)
    # Nobody published the answers, so nobody can say which flips are the judge's.
    assert {r["cause"] for r in table(flow, "longmemeval-gold", "flips")} == {"unknown"}


def test_disputed_gold_could_move_a_pass_by_more_than_any_of_its_differences(audit: Audit) -> None:
    flow = audit("audit-archivist")
    first = {"axis": "all", "reader": "opus", "reader_pass": "1", "judge": "gpt-4o"}
    (published,) = table(flow, "longmemeval-gold", "accuracy", gold="published", **first)
    (undisputed,) = table(flow, "longmemeval-gold", "accuracy", gold="undisputed", **first)
    n = int(published["n_disputed"])
    assert (published["n"], int(undisputed["n"])) == ("500", 500 - n)
    # 57 rows that one source corrects, 8 that the release itself disputes; some are the same.
    assert 57 <= n <= 65
    low, high = float(published["disputed_low"]), float(published["disputed_high"])
    assert low == pytest.approx(int(undisputed["correct"]) / 500) and high == pytest.approx(low + n / 500)


def test_four_official_logs_differ_pair_by_pair(audit: Audit) -> None:
    rows = table(audit("audit-longmemeval"), "longmemeval-logs", "comparisons", gold="published", compare="systems")
    assert len(rows) == 6
    (closest,) = [r for r in rows if (r["a"], r["b"]) == ("s-rag", "s-rag-timefiltered")]
    assert (closest["only_a"], closest["only_b"]) == ("17", "6")
    assert all(float(r["p_holm"]) < 0.05 for r in rows)


def test_the_locomo_audit_with_and_without_its_disputed_gold(audit: Audit) -> None:
    flow = audit("audit-locomo")
    wanted = {"axis": "all", "reader": "gpt-4-1-mini-cot", "judge": "majority"}
    (published,) = table(flow, "locomo-answerable", "accuracy", gold="published", **wanted)
    (undisputed,) = table(flow, "locomo-answerable", "accuracy", gold="undisputed", **wanted)
    assert (published["correct"], published["n"], published["n_disputed"]) == ("1427", "1540", "99")
    assert undisputed["n"] == "1441"
    splits = table(flow, "locomo-answerable", "stability", gold="published", kind="judgings", bar_name="")
    told = {r["reader"]: r["unstable"] for r in splits if r["reader"].startswith("gpt")}
    assert told == {
        "gpt-4-1-mini-cot": "10",
        "gpt-4-1-mini-memos": "14",
        "gpt-4o-mini-cot": "12",
        "gpt-4o-mini-memos": "17",
    }


def test_unidial_minimum_of_a_dialogue(audit: Audit) -> None:
    rows = table(audit("audit-unidial"), "unidial", "dialogues", level="dialogue", axis="all")
    (row,) = rows
    assert [float(row[k]) for k in ("n", "mean", "min", "max")] == [10, 0.71, 0, 1]


def test_published_retrieval_logs_are_scored_from_their_ids(audit: Audit) -> None:
    flow = audit("audit-retrieval")
    wanted = {"level": "session", "stage": "pool", "slice": "all", "k": "5"}
    (log,) = table(flow, "longmemeval-log", "retrieval", metric="recall_any", **wanted)
    assert (log["n"], log["value"]) == ("20", "1.000000")
    (locomo,) = table(flow, "locomo-log", "retrieval", metric="recall_any", **{**wanted, "k": "10"})
    assert locomo["n"] == "1982" and 0.9 < float(locomo["value"]) < 1
