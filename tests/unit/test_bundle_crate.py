"""The RO-Crate of a bundle: the library reads it back, and it has what its profiles say that it must have.

Workflow Run Crate 0.6 and Process Run Crate 0.6, Workflow RO-Crate 1.1, RO-Crate 1.3.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from bundle_cases import LICENSED, ROOT, Run
from rocrate.rocrate import ROCrate

from memtrial.bundle.verify import verify_bundle

PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.6",
    "https://w3id.org/ro/wfrun/workflow/0.6",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.1",
}


@pytest.fixture(scope="module", params=["whole", "withheld", "unregistered"])
def packed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param)
    given = {"redistribute": True} if request.param == "whole" else {}
    Run(folder).pack(folder / "bundle.zip", registry=None if request.param == "unregistered" else LICENSED, **given)
    return folder / "bundle.zip"


@pytest.fixture(scope="module")
def crate(packed: Path) -> ROCrate:
    return ROCrate(packed)


@pytest.fixture(scope="module")
def graph(crate: ROCrate) -> dict[str, dict[str, Any]]:
    told = json.loads((Path(crate.source) / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    assert told["@context"] == "https://w3id.org/ro/crate/1.3/context"
    identifiers = [entity["@id"] for entity in told["@graph"]]
    assert len(identifiers) == len(set(identifiers))
    return {entity["@id"]: entity for entity in told["@graph"]}


def types(entity: dict[str, Any]) -> set[str]:
    given = entity["@type"]
    return {given} if isinstance(given, str) else set(given)


def references(value: Any) -> list[str]:
    """All ids that a property refers to."""
    values = value if isinstance(value, list) else [value]
    return [v["@id"] for v in values if isinstance(v, dict)]


def test_the_library_reads_what_was_written(crate: ROCrate, graph: dict[str, Any]) -> None:
    assert {e.id for e in crate.get_entities()} == set(graph)
    assert {e.id: e.properties() for e in crate.get_entities()} == graph
    assert crate.mainEntity.id == "Snakefile" and crate.name == "memtrial evidence release: talks"


def test_ro_crate_descriptor_and_root(graph: dict[str, Any]) -> None:
    descriptor, root = graph["ro-crate-metadata.json"], graph["./"]
    assert descriptor["@type"] == "CreativeWork" and descriptor["about"] == {"@id": "./"}
    assert descriptor["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.3"}
    assert types(root) == {"Dataset"} and root["name"] and root["description"]
    assert root["datePublished"] == "2026-11-30"
    licence = graph[root["license"]["@id"]]
    assert licence["name"] == "MIT License" and licence["description"]


def test_every_file_is_a_part_that_lies_there(crate: ROCrate, graph: dict[str, Any]) -> None:
    files = [e for e in graph.values() if "File" in types(e) and not e["@id"].startswith("#")]
    assert {e["@id"] for e in files} == set(references(graph["./"]["hasPart"]))
    for entity in files:
        assert re.fullmatch(r"[0-9a-f]{64}", entity["sha256"]) and entity["contentSize"].isdigit()
        if not entity["@id"].startswith("https:"):
            path = Path(crate.source) / unquote(entity["@id"])
            assert path.stat().st_size == int(entity["contentSize"])


def test_every_reference_leads_to_an_entity(graph: dict[str, Any]) -> None:
    abroad = {"https://w3id.org/ro/crate/1.3"}
    named = {i for e in graph.values() for v in e.values() for i in references(v)}
    outside = {i for i in named - set(graph) - abroad if not i.startswith(("https://doi.org", "https://snakemake"))}
    assert outside == set()


def test_profiles_are_named_and_described(graph: dict[str, Any]) -> None:
    assert set(references(graph["./"]["conformsTo"])) == PROFILES
    for profile in PROFILES:
        assert "CreativeWork" in types(graph[profile]) and graph[profile]["version"] == profile.rpartition("/")[2]


def test_workflow_ro_crate(graph: dict[str, Any]) -> None:
    main = graph[graph["./"]["mainEntity"]["@id"]]
    assert types(main) >= {"File", "SoftwareSourceCode", "ComputationalWorkflow"}
    language = graph[main["programmingLanguage"]["@id"]]
    assert types(language) == {"ComputerLanguage"} and language["name"] == "Snakemake"
    readme = graph["README.md"]
    assert readme["about"] == {"@id": "./"} and readme["encodingFormat"] == "text/markdown"


def test_run_crates(graph: dict[str, Any]) -> None:
    actions = [e for e in graph.values() if "CreateAction" in types(e)]
    assert set(references(graph["./"]["mentions"])) == {a["@id"] for a in actions}
    for action in actions:
        instrument = graph[action["instrument"]["@id"]]
        assert types(instrument) & {"SoftwareApplication", "SoftwareSourceCode", "ComputationalWorkflow"}
        assert action["name"] and references(action["result"]) and references(action["object"])
    run = graph["#run"]
    assert run["instrument"] == graph["./"]["mainEntity"]
    results = {unquote(i) for i in references(run["result"])}
    assert {f"{ROOT}/statistics/accuracy.csv", f"{ROOT}/chain/reader=model/pass=1/answers.jsonl"} <= results
    assert not any(name.endswith(".receipt.json") for name in results)
    source, config = (graph[i] for i in references(run["object"]))
    assert (source["sha256"], source["contentSize"]) == ("5" * 64, "321")
    assert config["@id"] == "config.resolved.yaml"


def test_readers_and_judges_are_the_instruments_of_their_cells(graph: dict[str, Any]) -> None:
    software = {e["@id"]: e["name"] for e in graph.values() if "SoftwareApplication" in types(e)}
    assert software == {
        "#judge-strict": "judge strict: maker/judge-1",
        "#reader-floor": "reader floor: extractive",
        "#reader-model": "reader model: maker/reader-1",
    }
    judging = [e for e in graph.values() if references(e.get("instrument")) == ["#judge-strict"]]
    assert len(judging) == 2
    for action in judging:
        read = {unquote(i).rpartition("/")[2].split(".")[0] for i in references(action["object"])}
        assert read == {"requests", "answers"}


def test_only_files_with_the_benchmarks_text_are_under_its_licence(packed: Path, graph: dict[str, Any]) -> None:
    licensed = {unquote(e["@id"]) for e in graph.values() if references(e.get("license")) not in ([], ["LICENSE"])}
    assert verify_bundle(packed).problems == []
    if f"{ROOT}/corpus/turns.parquet" in map(unquote, graph):
        assert {f"{ROOT}/corpus/turns.parquet", f"{ROOT}/report/index.html"} <= licensed
        assert f"{ROOT}/statistics/accuracy.csv" not in licensed and "Snakefile" not in licensed
    else:
        assert licensed == set()
