"""Scaffolds of all LoCoMo questions tell no lie; packets are whole sessions, so that no other stage is needed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from generated_packets import whole_packet

from memtrial import store
from memtrial.controls.truth import examine
from memtrial.corpus import Corpus
from memtrial.ingest.build import ingest
from memtrial.scaffold.build import build_scaffolds

pytestmark = pytest.mark.realdata
OPERATORS = ["dates", "recency", "counting", "comparison"]
NAMES = ("sessions", "turns", "questions", "gold", "evidence")
SESSIONS = 16


def test_scaffolds_of_locomo_do_not_lie(data: Path, tmp_path: Path) -> None:
    outputs = {name: tmp_path / f"{name}.parquet" for name in NAMES} | {"quality": tmp_path / "quality.jsonl"}
    ingest(data / "locomo" / "locomo10.json.gz", {"format": "locomo", "known_files": {}}, outputs)
    corpus = Corpus(store.read(outputs["sessions"]), store.read(outputs["turns"]))
    questions = store.read(outputs["questions"])
    packets = []
    for place, question in enumerate(questions):
        sessions = corpus.conversation(question.conversation_id)
        # Another order for each question: the scaffold must not lean on it.
        turned = [*sessions[place % len(sessions) :], *sessions[: place % len(sessions)]]
        packets.append(whole_packet(question, corpus, turned[:SESSIONS]))
    spec = {"scaffold": {"enabled": True, "max_tokens": 6000, "operators": OPERATORS}}
    lies: list[str] = []
    checked, scaffolds, unchecked = 0, 0, Counter[str]()
    for question, packet, built in zip(
        questions, packets, build_scaffolds(questions, packets, corpus, spec), strict=True
    ):
        found = examine(question, packet, built, corpus)
        lies += [f"{question.question_id}: {fault}" for fault in found.faults]
        checked += found.checked
        scaffolds += bool(built.text)
        unchecked.update(what.split(" said on ")[0] for what in found.unchecked)
    print(f"{scaffolds} scaffolds, {checked} facts checked, {unchecked.total()} unchecked: {unchecked.most_common(20)}")
    assert not lies, f"{len(lies)} lies:\n" + "\n".join(lies[:20])
    assert scaffolds > 500
    assert unchecked.total() <= checked / 100
