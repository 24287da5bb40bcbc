"""Questions and gold without history, through a field map, on invented rows."""

from __future__ import annotations

import gzip
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memtrial import store
from memtrial.errors import InputError
from memtrial.ingest.build import ingest
from memtrial.records import Evidence, Gold, Question

TABLES = ("sessions", "turns", "questions", "gold", "evidence")
FIELDS: dict[str, Any] = {
    "question_id": "id",
    "question": "ask",
    "reference_answers": "gold",
    "question_type": "kind",
    "conversation_id": "talk",
    "abstention": "none_there",
    "asked_at": "at",
    "evidence": "from",
    "labels": {"scope": "tags.scope?", "level": "tags.level?"},
}
ROWS: list[dict[str, Any]] = [
    {
        "id": "q1", "ask": "Which lamp?", "gold": ["the blue one", 7], "kind": "single", "talk": "t1",
        "none_there": False, "at": "2023/05/30 (Tue) 23:40", "from": ["s2", "s1", "s2"], "tags": {"scope": "own"},
    },
    {
        "id": "q2", "ask": "Какая лампа?", "gold": None, "kind": "multi", "talk": "t1",
        "none_there": True, "at": None, "from": [], "tags": {"scope": None, "level": 3},
    },
]  # fmt: skip


def run(tmp_path: Path, rows: list[dict[str, Any]], **spec: Any) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    source = tmp_path / "labels.jsonl"
    source.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return read([source], tmp_path, **spec)


def read(sources: list[Path], tmp_path: Path, **spec: Any) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    outputs = {name: tmp_path / "out" / f"{name}.parquet" for name in TABLES}
    outputs["quality"] = tmp_path / "out" / "quality.jsonl"
    facts = ingest(sources, {"format": "labels", "fields": FIELDS, **spec}, outputs)
    return facts, {name: store.read(path) for name, path in outputs.items()}


def test_rows_become_questions_gold_and_evidence(tmp_path: Path) -> None:
    facts, tables = run(tmp_path, ROWS)
    assert facts["variant"] == "labels: no history, 2 questions of 1 conversations"
    assert tables["questions"] == [
        Question("q1", "t1", "Which lamp?", datetime(2023, 5, 30, 23, 40), "en", []),
        Question("q2", "t1", "Какая лампа?", None, "ru", []),
    ]
    assert tables["gold"] == [
        Gold("q1", ["the blue one", "7"], "single", {"scope": "own"}, False),
        Gold("q2", [], "multi", {"level": "3"}, True),
    ]
    assert [(s.conversation_id, s.position, s.source_session_id) for s in tables["sessions"]] == [
        ("t1", 0, "s1"),
        ("t1", 1, "s2"),
    ]
    assert tables["evidence"] == [Evidence("q1", 0, None, "s1", True), Evidence("q1", 1, None, "s2", True)]
    assert tables["turns"] == []
    assert [(q.kind, q.where) for q in tables["quality"]] == [
        ("integer-answer", "q1"), ("no-evidence", "q2"), ("variant", "labels"),
    ]  # fmt: skip


def test_the_id_alone_is_enough(tmp_path: Path) -> None:
    _, tables = run(tmp_path, [{"id": 7}, {"id": "q8"}], fields={"question_id": "id"})
    assert tables["questions"] == [Question("7", "7", "", None, "", []), Question("q8", "q8", "", None, "", [])]
    assert tables["gold"] == [Gold("7", [], "all", {}, False), Gold("q8", [], "all", {}, False)]
    assert tables["evidence"] == tables["sessions"] == []


def test_the_order_of_rows_and_of_their_files_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(json.dumps(ROWS[1:]).encode()))
    (tmp_path / "b.json").write_text(json.dumps(ROWS[0], indent=1), encoding="utf-8")
    facts, tables = read([tmp_path / "a.json.gz", tmp_path / "b.json"], tmp_path)
    assert tables == run(tmp_path, ROWS)[1]
    other, _ = read([tmp_path / "b.json"], tmp_path)
    assert len(facts["sha256"]) == 64
    assert facts["sha256"] != other["sha256"]
    assert facts["bytes"] == len(json.dumps(ROWS[1:])) + other["bytes"]


def test_words_of_the_source_become_ours(tmp_path: Path) -> None:
    fields = {
        "question_id": "id",
        "question_type": "kind",
        "language": "lang",
        "abstention": {"field": "kind", "equals": [5]},
    }
    values = {"question_type": {"single-hop": [4], "adversarial": [5]}, "language": {"en": ["english"]}}
    rows: list[dict[str, Any]] = [{"id": 1, "kind": 4, "lang": "English"}, {"id": 2, "kind": 5, "lang": "english"}]
    _, tables = run(tmp_path, rows, fields=fields, values=values)
    assert [(g.question_type, g.abstention) for g in tables["gold"]] == [("single-hop", False), ("adversarial", True)]
    assert {q.language for q in tables["questions"]} == {"en"}
    with pytest.raises(
        InputError, match="row 1, field 'question_type': '3' stands under none of single-hop, adversarial"
    ):
        run(tmp_path, [{"id": 1, "kind": 3, "lang": "english"}], fields=fields, values=values)


def test_only_the_question_types_that_are_named_are_kept(tmp_path: Path) -> None:
    _, tables = run(tmp_path, ROWS, question_types=["single"])
    assert [q.question_id for q in tables["questions"]] == [g.question_id for g in tables["gold"]] == ["q1"]
    assert {e.question_id for e in tables["evidence"]} == {"q1"}
    assert [q.where for q in tables["quality"]] == ["q1", "labels"]
    with pytest.raises(InputError, match=r"labels.jsonl, field 'question_types': no question is of type triple"):
        run(tmp_path, ROWS, question_types=["single", "triple"])


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"none_there": "perhaps"}, "row 1, field 'abstention': expected true or false, found 'perhaps'"),
        ({"gold": 1.5}, "row q1, field 'reference_answers': expected text, an integer"),
        ({"gold": {"a": 1}}, "row q1, field 'reference_answers': expected text"),
        ({"from": {"s": 1}}, "row 1, field 'evidence': expected ids of sessions"),
        ({"from": [["s1"]]}, "row 1, field 'evidence': expected ids of sessions"),
        ({"at": "soon"}, "row q1, field 'asked_at'"),
        ({"talk": None}, "row 1, field 'talk': expected text or a whole number"),
        ({"id": "q2"}, "row q2, field 'question_id': expected each question id once"),
    ],
)
def test_bad_values_are_named(tmp_path: Path, changed: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=f"labels.jsonl, {told}"):
        run(tmp_path, [ROWS[0] | changed, ROWS[1]])


def test_no_rows_are_refused_and_so_are_several_files_of_conversations(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"labels.jsonl: expected at least one row"):
        run(tmp_path, [])
    with pytest.raises(InputError, match="a benchmark of format locomo is one file"):
        read([tmp_path / "a.json", tmp_path / "b.json"], tmp_path, format="locomo")
