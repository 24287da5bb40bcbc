"""The dates operator on real questions whose gold counts days: the interval or offset stands in the scaffold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memtrial import store
from memtrial.corpus import Corpus
from memtrial.ingest.build import ingest
from memtrial.records import Packet, Question, Scaffold, Session, Slot
from memtrial.scaffold.build import build_scaffolds

pytestmark = pytest.mark.realdata
NAMES = ("sessions", "turns", "questions", "gold", "evidence")
SETTINGS = {"scaffold": {"enabled": True, "max_tokens": 6000, "operators": ["dates"]}}
# Golds of these begin with a number of days or weeks; both ways of counting are accepted by them.
COUNTED = re.compile(r"(\d+) (days?|weeks?)\b")
OTHER_SESSIONS = 13


def packet(question: Question, sessions: list[Session]) -> Packet:
    """Sessions whole; the scaffold reads the corpus, so the packet needs no text."""
    slots = [Slot(n, s.position, "prefix", "whole", None, 0, 1, 1) for n, s in enumerate(sessions, 1)]
    return Packet(question.question_id, "coverage", slots, [], "", 0, 0, None, "")


def states(scaffold: Scaffold, count: str, unit: str) -> bool:
    """A distance of so many days or whole weeks stands in the dates or intervals."""
    text = "\n".join(scaffold.text[p.start : p.end] for p in scaffold.parts if p.operator == "dates")
    wanted = rf"\b{count} days\b" if unit.startswith("day") else rf"\b{count} weeks 0 days\b"
    return bool(re.search(wanted, text))


def test_day_counts_of_the_36(data: Path, tmp_path: Path) -> None:
    outputs = {name: tmp_path / f"{name}.parquet" for name in NAMES} | {"quality": tmp_path / "quality.jsonl"}
    source = data / "longmemeval" / "longmemeval_s_cleaned_36.json.gz"
    ingest(source, {"format": "longmemeval", "known_files": {}}, outputs)
    corpus = Corpus(store.read(outputs["sessions"]), store.read(outputs["turns"]))
    questions = {q.question_id: q for q in store.read(outputs["questions"])}
    evidence = {(e.question_id, e.position) for e in store.read(outputs["evidence"])}
    found = {}
    for gold in store.read(outputs["gold"]):
        counted = COUNTED.match(gold.reference_answers[0])
        if gold.question_type != "temporal-reasoning" or not counted:
            continue
        question = questions[gold.question_id]
        every = corpus.conversation(question.conversation_id)
        told = [s for s in every if (gold.question_id, s.position) in evidence]
        others = [s for s in every if s not in told][:OTHER_SESSIONS]
        (scaffold,) = build_scaffolds([question], [packet(question, [*others, *told])], corpus, SETTINGS)
        found[gold.question_id] = states(scaffold, counted[1], counted[2])
    assert len(found) == 3 and all(found.values()), found
