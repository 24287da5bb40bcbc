"""What the chain reaches on real data, from process start to the tables; the bounds are what the design asks for."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
import yaml
from flow import REPOSITORY, Flow

LAYOUTS = ["chain", "chain-archivist", "chain-archivist-whole"]
pytestmark = [pytest.mark.realdata, pytest.mark.slow]


def table(flow: Flow, benchmark: str, name: str) -> list[dict[str, str]]:
    """Rows of a statistics table."""
    with flow.path(f"{benchmark}/statistics/{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def rates(flow: Flow, benchmark: str) -> dict[tuple[str, str, str, str], dict[str, str]]:
    """The chain's rows of retrieval.csv over all questions, by stage, level, metric and k."""
    rows = [r for r in table(flow, benchmark, "retrieval") if (r["system"], r["slice"]) == ("chain", "all")]
    return {(r["stage"], r["level"], r["metric"], r["k"]): r for r in rows}


def check_packets(flow: Flow, benchmark: str) -> None:
    """No packet over budget, and none of the released layout's allocations complete more often than ours."""
    packets = {r["system"]: r for r in table(flow, benchmark, "packets")}
    assert set(packets) == {"chain", "chain-archivist", "chain-archivist-whole"}
    assert {r["over_budget"] for r in packets.values()} == {"0"}
    for measure in ("gold_complete", "turn_complete"):
        found = {name: float(r[measure]) for name, r in packets.items()}
        assert found["chain"] == max(found.values()), measure


def test_the_locomo_preset_runs_all_questions_to_a_report(data: Path, tmp_path: Path) -> None:
    preset: dict[str, Any] = yaml.safe_load((REPOSITORY / "config/presets/locomo.yaml").read_text(encoding="utf-8"))
    own = tmp_path / "resources/benchmarks/own"
    own.mkdir(parents=True)
    (own / "locomo10.json.gz").symlink_to(data / "locomo/locomo10.json.gz")
    flow = Flow(tmp_path, preset, repository=REPOSITORY)
    flow.config["run"]["systems"] = LAYOUTS
    flow.ok()
    flow.ok("verify")
    check_packets(flow, "locomo")
    dated = [
        r
        for r in table(flow, "locomo", "support")
        if (r["system"], r["operator"], r["slice"]) == ("chain", "dates", "question_type=temporal")
        and r["kind"] in ("day", "interval")
    ]
    n, supported = (sum(int(r[column]) for r in dated) for column in ("n", "supported"))
    assert n == 253, "temporal questions whose gold resolves to a date"
    assert supported >= 0.8 * n
    assert flow.path("locomo/report/index.html").exists()
    assert flow.receipt("locomo/chain/reader=extractive/pass=1/judge=lexical/verdicts.jsonl")["rows"] == 1986
    found = rates(flow, "locomo")
    least = {
        ("reranked", "session", "recall_any", "1"): 0.72,
        ("reranked", "session", "recall_any", "10"): 0.973,
        ("reranked", "session", "recall_all", "10"): 0.905,
        ("reranked", "session", "recall_all", "16"): 0.945,
        ("packet", "session", "gold_complete", ""): 0.945,
        ("reranked", "turn", "recall_any", "10"): 0.72,
    }
    for key, bound in least.items():
        assert found[key]["n"] == "1982"
        assert float(found[key]["value"]) >= bound, key


def test_packets_of_longmemeval_s_hold_the_gold_sessions(data: Path, tmp_path: Path) -> None:
    source = data / "longmemeval/longmemeval_s_cleaned_36.json.gz"
    config = {
        "benchmarks": {"lme-36": {"format": "longmemeval", "source": str(source)}},
        "run": {"benchmarks": ["lme-36"], "systems": LAYOUTS},
    }
    flow = Flow(tmp_path, config, repository=REPOSITORY)
    flow.ok()
    row = rates(flow, "lme-36")["packet", "session", "gold_complete", ""]
    assert row["n"] == "32"
    assert float(row["value"]) >= 0.95
    check_packets(flow, "lme-36")
