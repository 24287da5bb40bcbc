"""Controls and gates as targets: what they write, and that a failed one fails the target and keeps its evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flow import ASKED, CHAIN, Flow, Ran, config, rows, write_rows

from memtrial import spec

# Two types that give another form of packet each, once the labels are read.
TYPES = ("single-session-user", "multi-session", "temporal-reasoning")
ORACLE = {"layout": "archivist", "form": spec.ORACLE_FORM, "prefix_sessions": 1}
NAMES = (*spec.CONTROLS, "accounting", "leaks", "truth")


@pytest.fixture(scope="module")
def controlled(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> tuple[Flow, Ran]:
    """The controls of a system that reads the labels of the questions, and of one that does not."""
    folder = tmp_path_factory.mktemp("controlled")
    content = [row | {"question_type": name} for row, name in zip(rows(), TYPES, strict=True)]
    systems = {
        "rag": {"kind": "rag", "embedder": CHAIN["embedder"], "packet": {"top_k": 2}},
        "oracle": {**CHAIN, "packet": ORACLE},
    }
    flow = Flow(folder, config(write_rows(folder / "tiny.json", content), systems), repository=repository)
    return flow, flow.run("controls")


def gathered(flow: Flow, system: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(flow.path(f"tiny/{system}/controls.json").read_text(encoding="utf-8"))
    return found


def test_a_system_that_reads_labels_fails_their_permutation_and_no_other_control(controlled: tuple[Flow, Ran]) -> None:
    flow, ran = controlled
    found = gathered(flow, "oracle")
    assert [c["control"] for c in found["controls"] if not c["passed"]] == ["label-permutation"]
    assert not found["passed"]
    assert ran.code != 0
    assert (
        "label-permutation of oracle on tiny: packets.parquet, question q-0: slots[1].form is 'whole', then" in ran.text
    )
    assert "1 controls failed" in ran.text
    assert "oracle on tiny: 7 of 8 controls passed" in ran.text


def test_a_system_that_does_not_read_them_passes_every_control(controlled: tuple[Flow, Ran]) -> None:
    flow, ran = controlled
    found = gathered(flow, "rag")
    assert [(c["control"], c["passed"], c["n"]) for c in found["controls"]] == [(n, True, len(ASKED)) for n in NAMES]
    assert "All 8 controls passed" in flow.path("tiny/rag/controls.html").read_text(encoding="utf-8")
    assert "rag on tiny: 8 of 8 controls passed" in ran.text


def test_evidence_and_receipts_of_failed_controls_are_kept(controlled: tuple[Flow, Ran]) -> None:
    flow, _ = controlled
    page = flow.path("tiny/oracle/controls.html").read_text(encoding="utf-8")
    assert "1 of 8 controls failed" in page
    (failed,) = (c for c in gathered(flow, "oracle")["controls"] if not c["passed"])
    alone = flow.path("tiny/controls/oracle.label-permutation.json").read_text(encoding="utf-8")
    assert json.loads(alone) == failed
    made = [f"tiny/controls/{s}.{n}.json" for s in ("rag", "oracle") for n in NAMES]
    made += [f"tiny/{s}/controls.{end}" for s in ("rag", "oracle") for end in ("json", "html")]
    for name in made:
        assert flow.receipt(name)["artifact"] == f"results/{name}"
        assert flow.receipt(name)["bytes"] == flow.path(name).stat().st_size
    reads_gold = [n for n in made if any("gold.parquet" in i for i in flow.receipt(n)["inputs"])]
    assert reads_gold == [n for n in made if n.endswith(".leaks.json")]


def test_a_failed_target_fails_again_without_making_anything_anew(controlled: tuple[Flow, Ran]) -> None:
    flow, _ = controlled
    assert flow.due("controls") == {"controls"}


def test_a_packet_that_was_tampered_with_fails_the_accounting(controlled: tuple[Flow, Ran], tmp_path: Path) -> None:
    flow = controlled[0].copy(tmp_path / "tampered", controlled[0].config)
    flow.config["systems"]["rag"]["packet"]["top_k"] = 1
    result = "results/tiny/controls/rag.accounting.json"
    # The packets that lie there were made for two passages; touched, they are taken as they are.
    flow.ok("--touch", result)
    flow.ok("--force", result, "--rerun-triggers", "mtime")
    found = json.loads((flow.folder / result).read_text(encoding="utf-8"))
    assert not found["passed"]
    assert found["first"]["what"] == "2 slots are over the budget of 1"


@pytest.fixture(scope="module")
def gates(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> tuple[Flow, Ran]:
    """A change that keeps the newest session alone and one that changes nothing; no model is loaded for them."""
    folder = tmp_path_factory.mktemp("gates")
    systems = {name: {"kind": "full-context"} for name in ("old", "same", "newest")}
    systems["newest"]["packet"] = {"max_tokens": 60}
    given = config(write_rows(folder / "tiny.json", rows()), systems)
    cell = {"incumbent": "old", "reader": "extractive", "judge": "lexical"}
    (folder / "tiny-ids.txt").write_text("# frozen\nq-2\n", encoding="utf-8")
    given["gates"] = {
        "forget": {**cell, "candidate": "newest"},
        "steady": {**cell, "candidate": "same", "questions": str(folder / "{benchmark}-ids.txt")},
    }
    flow = Flow(folder, given, repository=repository)
    return flow, flow.run("gates")


def test_a_gate_that_breaks_a_question_fails_after_all_are_written(gates: tuple[Flow, Ran]) -> None:
    flow, ran = gates
    forget, steady = (json.loads(flow.path(f"tiny/gates/{g}.json").read_text("utf-8")) for g in ("forget", "steady"))
    assert (forget["passed"], forget["broken"], forget["n_controls"]) == (False, ["q-2"], 1)
    assert (steady["passed"], steady["broken"], steady["n_controls"]) == (True, [], 1)
    assert ran.code != 0
    assert "1 of 2 gates failed" in ran.text
    assert "gate forget on tiny: Failed: 1 of 1 control questions broke: q-2." in ran.text
    assert "This control set is small" in flow.path("tiny/gates/steady.txt").read_text(encoding="utf-8")
    assert flow.receipt("tiny/gates/steady.json")["spec"]["gate"]["pass"] == 1
    assert any(name.endswith("tiny-ids.txt") for name in flow.receipt("tiny/gates/steady.json")["inputs"])
    assert flow.due("gates") == {"gates"}
