"""Ingest of the real files, against counts that were taken from them by other means."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from memtrial import store
from memtrial.ingest.build import ingest

pytestmark = pytest.mark.realdata
REGISTRY = Path(__file__).parents[2] / "resources" / "benchmarks.yaml"
NAMES = ("sessions", "turns", "questions", "gold", "evidence")


def run(source: Path, out: Path, form: str) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    entries = yaml.safe_load(REGISTRY.read_text(encoding="utf-8"))
    known = {name: entry["sha256"] for name, entry in entries.items() if entry["format"] == form and entry["sha256"]}
    outputs = {name: out / f"{name}.parquet" for name in NAMES} | {"quality": out / "quality.jsonl"}
    report = ingest(source, {"format": form, "known_files": known}, outputs)
    return report, {name: store.read(path) for name, path in outputs.items()}


def test_locomo(data: Path, tmp_path: Path) -> None:
    report, tables = run(data / "locomo" / "locomo10.json.gz", tmp_path, "locomo")
    assert report["variant"].startswith("locomo10")
    assert report["bytes"] == 2_805_274
    assert [len(tables[name]) for name in ("questions", "sessions", "turns")] == [1986, 272, 5882]
    assert Counter(g.question_type for g in tables["gold"]) == {
        "multi-hop": 282,
        "temporal": 321,
        "open-domain": 96,
        "single-hop": 841,
        "adversarial": 446,
    }
    assert len({e.question_id for e in tables["evidence"] if e.resolved}) == 1982
    assert Counter(q.kind for q in tables["quality"]) == {
        "integer-answer": 6,
        "no-evidence": 4,
        "evidence-unresolved": 3,
        "missing-session": 16,
        "repeated-question": 12,
        "variant": 1,
        "evidence-repaired": 7,  # 4 of several ids, 2 malformed, 1 named twice
    }
    assert {q.where for q in tables["quality"] if q.kind == "evidence-unresolved"} == {
        "conv-42-q058",
        "conv-47-q038",
        "conv-42-q088",
    }
    assert sum(g.abstention and not g.reference_answers for g in tables["gold"]) == 444
    assert all(g.reference_answers for g in tables["gold"] if not g.abstention)
    assert sum(t.caption is not None for t in tables["turns"]) == 1226


def test_longmemeval_36(data: Path, tmp_path: Path) -> None:
    report, tables = run(data / "longmemeval" / "longmemeval_s_cleaned_36.json.gz", tmp_path, "longmemeval")
    assert report["variant"] == "S: by shape, median 47.5 sessions a haystack"
    assert Counter(g.question_type for g in tables["gold"]) == {
        "multi-session": 14,
        "temporal-reasoning": 9,
        "single-session-preference": 7,
        "knowledge-update": 4,
        "single-session-user": 2,
    }
    assert sum(g.abstention for g in tables["gold"]) == 4
    assert len(tables["sessions"]) == 1725
    turns = Counter(t.content_id for t in tables["turns"])
    assert sum(turns[s.content_id] for s in tables["sessions"]) == 17_860
    assert sum(e.turn_index is not None for e in tables["evidence"]) == 82
    with_turns = {e.question_id for e in tables["evidence"] if e.turn_index is not None}
    assert len({g.question_id for g in tables["gold"]} - with_turns) == 3
    assert Counter(q.kind for q in tables["quality"]) == {
        "unsorted-haystack": 13,
        "integer-answer": 6,
        "session-after-question": 5,
        "repeated-session-id": 1,
        "blank-turn": 1,
        "variant": 1,
    }
    later = [q.detail.split()[0] for q in tables["quality"] if q.kind == "session-after-question"]
    assert sum(map(int, later)) == 111
    assert [q.where for q in tables["quality"] if q.kind == "repeated-session-id"] == ["gpt4_c27434e8_abs/8c64ce26_3"]
