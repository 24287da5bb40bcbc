"""Dossiers of disputed gold, on invented objections."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtrial import store
from memtrial.errors import InputError
from memtrial.records import Disputed
from memtrial.statistics.dossier import Dossier, read_dossier

IDS = ["conv-1-q000", "conv-1-q001", "conv-2-q000", "q4"]
OWN = Path(__file__).parents[2] / "resources/disputed/longmemeval.csv"


def told(*rows: dict[str, Any], file: str = "d.json", **spec: Any) -> Dossier:
    return read_dossier({file: json.dumps(rows).encode()}, IDS, {"format": "fields", **spec})


def test_our_own_form_is_a_table_with_comments(tmp_path: Path) -> None:
    content = "# whose\nquestion_id,kind,changes_score,source,detail\nq4,strict,true,them,wrong day\nq4,edge,,them,\n"
    found = read_dossier({"d.csv": content.encode()}, IDS, {"format": "csv", "source": "d.csv"})
    assert found == (
        [Disputed("q4", "them", "strict", True, "wrong day"), Disputed("q4", "them", "edge", None, "")],
        [],
    )
    store.write(tmp_path / "disputed.jsonl", found.rows)
    assert store.read(tmp_path / "disputed.jsonl") == sorted(found.rows, key=lambda d: d.kind)
    with pytest.raises(InputError, match=r"d.csv, row 3, field 'changes_score': expected true, false or nothing"):
        read_dossier({"d.csv": content.replace("true", "yes").encode()}, IDS, {"format": "csv"})


def test_the_locomo_audit_counts_conversations_and_spares_citations() -> None:
    rows = [
        {"question_id": i, "error_type": kind, "correct_answer": "7 May", "reasoning": "D1:3 says so."}
        for i, kind in (
            ("locomo_0_qa1", "WRONG_CITATION"),
            ("locomo_1_qa0", "TEMPORAL_ERROR"),
            ("locomo_0_qa9", "AMBIGUOUS"),
        )
    ]
    found = told(*rows, format="locomo-audit")
    detail = "right by this source: 7 May; D1:3 says so."
    assert found.rows == [
        Disputed("conv-1-q001", "dial481/locomo-audit", "wrong-citation", False, detail),
        Disputed("conv-2-q000", "dial481/locomo-audit", "temporal-error", True, detail),
    ]
    assert found.unknown == ["locomo_0_qa9"]


def test_any_file_is_read_through_a_field_map() -> None:
    rows = [
        {"id": "q4", "fix": "Not enough.", "note": None},
        {"id": "q5", "fix": "two", "note": "x"},
        {"id": "conv-2-q000", "fix": "two", "note": "x"},
        {"id": "conv-1-q000", "fix": None, "note": None},
    ]
    fields = {"question_id": "id", "kind": "fix", "answer": "fix", "detail": "note"}
    kinds = {"not-enough": ["not enough."]}
    only = {"field": "fix", "present": True}
    found = told(*rows, fields=fields, kinds=kinds, kind="corrected", only=only, name="Them", changes_score=True)
    assert found.rows == [
        Disputed("q4", "Them", "not-enough", True, "right by this source: Not enough."),
        Disputed("conv-2-q000", "Them", "corrected", True, "right by this source: two; x"),
    ]
    assert found.unknown == ["q5"]


def test_source_and_kind_have_a_word_where_nothing_says_them() -> None:
    found = told({"id": "q4"}, {"id": "q4"}, file="list.json", fields={"question_id": "id"})
    assert found.rows == [Disputed("q4", "list.json", "disputed", None, "")]


def test_a_dossier_of_another_benchmark_is_refused() -> None:
    with pytest.raises(InputError, match=r"d.json, .*: none of its 2 questions is of the benchmark"):
        told({"id": "x"}, {"id": "y"}, fields={"question_id": "id"})
    with pytest.raises(InputError, match="field 'format': expected one of fields, csv, locomo-audit, found 'pdf'"):
        told({"id": "q4"}, format="pdf")
    with pytest.raises(InputError, match="needs a field map"):
        told({"id": "q4"})


def test_the_dossier_of_longmemeval_is_ten_questions() -> None:
    lines = OWN.read_text(encoding="utf-8").splitlines()
    ids = [line.split(",")[0] for line in lines if not line.startswith("# ")][1:]
    found = read_dossier({OWN.name: OWN.read_bytes()}, ids, {"format": "csv"})
    assert [(d.kind, d.changes_score) for d in found.rows] == [
        ("strict", True), *[("boundary", None)] * 7, *[("resolved", False)] * 2,
    ]  # fmt: skip
    assert len({d.question_id for d in found.rows}) == 10
