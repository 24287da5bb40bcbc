"""LoCoMo: session numbers, captions, categories and evidence repair, on invented rows."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memtrial import store
from memtrial.errors import InputError
from memtrial.ingest.build import ingest
from memtrial.ingest.locomo import check_official
from memtrial.records import Evidence, Gold
from memtrial.text import sha256

TABLES = ("sessions", "turns", "questions", "gold", "evidence")


def run(tmp_path: Path, rows: list[Any], **spec: Any) -> dict[str, list[Any]]:
    source = tmp_path / "locomo.json"
    source.write_text(json.dumps(rows), encoding="utf-8")
    outputs = {name: tmp_path / "out" / f"{name}.parquet" for name in TABLES}
    outputs["quality"] = tmp_path / "out" / "quality.jsonl"
    ingest(source, {"format": "locomo", **spec}, outputs)
    return {name: store.read(path) for name, path in outputs.items()}


def turn(dia_id: str, text: str = "Hello.", speaker: str = "Ann", **more: Any) -> dict[str, Any]:
    return {"speaker": speaker, "dia_id": dia_id, "text": text, **more}


def qa(evidence: list[Any], category: int = 4, **more: Any) -> dict[str, Any]:
    return {"question": "What?", "evidence": evidence, "category": category, "answer": "A cat"} | more


def conversation(*questions: dict[str, Any], **sessions: Any) -> dict[str, Any]:
    talk = {
        "speaker_a": "Ann",
        "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [turn("D1:1"), turn("D1:2", speaker="Bo")],
        "session_10_date_time": "12:05 am on 1 January, 2024",
        "session_10": [turn("D10:1", "Ten.")],
        "session_2_date_time": "9:00 am on 9 May, 2023",
        "session_2": [turn("D2:1", "Two."), turn("D2:2", "Look!")],
    }
    return {"sample_id": "conv-0", "conversation": talk | sessions, "qa": list(questions)}


def findings(tables: dict[str, list[Any]], kind: str) -> list[tuple[str, str]]:
    return [(q.where, q.detail) for q in tables["quality"] if q.kind == kind]


def test_sessions_stand_in_clock_order_not_in_text_order(tmp_path: Path) -> None:
    tables = run(tmp_path, [conversation(qa(["D10:1"]))])
    assert [(s.position, s.source_session_id, s.started_at) for s in tables["sessions"]] == [
        (0, "session_1", datetime(2023, 5, 8, 13, 56)),
        (1, "session_2", datetime(2023, 5, 9, 9)),
        (2, "session_10", datetime(2024, 1, 1, 0, 5)),
    ]
    assert tables["evidence"] == [Evidence("conv-0-q000", 2, 0, "D10:1", True)]
    assert {(t.role, t.speaker) for t in tables["turns"]} == {("user", "Ann"), ("user", "Bo")}
    (asked,) = tables["questions"]
    assert (asked.question_id, asked.conversation_id, asked.asked_at) == ("conv-0-q000", "conv-0", None)


def test_a_zero_padded_session_key_is_that_session(tmp_path: Path) -> None:
    row = conversation(qa(["D2:1"]))
    talk = row["conversation"]
    talk["session_02"] = talk.pop("session_2")
    tables = run(tmp_path, [row])
    assert [s.source_session_id for s in tables["sessions"]] == ["session_1", "session_02", "session_10"]
    assert tables["sessions"][1].started_at == datetime(2023, 5, 9, 9)
    assert tables["evidence"] == [Evidence("conv-0-q000", 1, 0, "D2:1", True)]


def test_evidence_in_a_blank_turn(tmp_path: Path) -> None:
    session = [turn("D3:1", " "), turn("D3:2", "", blip_caption="a cat"), turn("D3:3")]
    tables = run(
        tmp_path, [conversation(qa(["D3:1", "D3:2"]), session_3=session, session_3_date_time="1:00 pm on 9 May, 2023")]
    )
    assert tables["evidence"] == [
        Evidence("conv-0-q000", 2, None, "D3:1", True),
        Evidence("conv-0-q000", 2, 1, "D3:2", True),
    ]
    assert len(findings(tables, "evidence-repaired")) == 1


def test_without_a_date_sessions_stand_in_number_order(tmp_path: Path) -> None:
    row = conversation()
    del row["conversation"]["session_1_date_time"]
    tables = run(tmp_path, [row])
    assert [s.source_session_id for s in tables["sessions"]] == ["session_1", "session_2", "session_10"]
    assert tables["sessions"][0].started_at is None


def test_a_date_without_a_session_is_listed(tmp_path: Path) -> None:
    tables = run(tmp_path, [conversation(session_23_date_time="9:00 am on 9 May, 2025")])
    assert [where for where, _ in findings(tables, "missing-session")] == ["conv-0/session_23"]
    assert len(tables["sessions"]) == 3


def test_captions_stay_and_annotators_fields_do_not(tmp_path: Path) -> None:
    shared = turn("D3:1", "", blip_caption="a photo of a ginger cat", query="marimba", img_url=["quokka"])
    run(tmp_path, [conversation(qa(["D3:1"]), session_3=[shared])])
    (row,) = [t for t in store.read(tmp_path / "out" / "turns.parquet") if t.caption]
    assert (row.text, row.caption) == ("", "a photo of a ginger cat")
    everything = str([store.read(path) for path in (tmp_path / "out").iterdir()])
    assert "ginger" in everything
    assert "marimba" not in everything
    assert "quokka" not in everything
    assert "blank-turn" not in everything


@pytest.mark.parametrize(
    ("category", "name", "abstention"),
    [
        (1, "multi-hop", False),
        (2, "temporal", False),
        (3, "open-domain", False),
        (4, "single-hop", False),
        (5, "adversarial", True),
    ],
)
def test_categories(tmp_path: Path, category: int, name: str, abstention: bool) -> None:
    (gold,) = run(tmp_path, [conversation(qa(["D1:1"], category))])["gold"]
    assert gold == Gold("conv-0-q000", ["A cat"], name, {"category": str(category)}, abstention)


@pytest.mark.parametrize("answer", [{}, {"answer": None}])
def test_an_adversarial_question_without_answer_has_no_gold(tmp_path: Path, answer: dict[str, Any]) -> None:
    row = qa(["D1:1"], 5, adversarial_answer="A dog")
    del row["answer"]
    (gold,) = run(tmp_path, [conversation(row | answer)])["gold"]
    assert gold.reference_answers == []
    assert gold.labels == {"category": "5", "adversarial_answer": "A dog"}


def test_integer_answers_become_their_digits(tmp_path: Path) -> None:
    tables = run(tmp_path, [conversation(qa(["D1:1"], 2, answer=2016))])
    assert tables["gold"][0].reference_answers == ["2016"]
    assert findings(tables, "integer-answer")


@pytest.mark.parametrize(
    ("evidence", "expected", "repairs", "unresolved"),
    [
        (["D2:1"], [("D2:1", 1, 0)], 0, 0),
        (["D1:2; D2:1"], [("D1:2", 0, 1), ("D2:1", 1, 0)], 1, 0),
        (["D1:2,D2:1 D10:1"], [("D1:2", 0, 1), ("D2:1", 1, 0), ("D10:1", 2, 0)], 1, 0),
        (["D2:02"], [("D2:2", 1, 1)], 1, 0),
        (["D:10:1"], [("D10:1", 2, 0)], 1, 0),
        (["D2:1", "D2:1"], [("D2:1", 1, 0)], 1, 0),
        (["D2:1", "D2:01"], [("D2:1", 1, 0)], 2, 0),
        (["D"], [("D", None, None)], 0, 1),
        ([""], [("", None, None)], 0, 1),
        (["D1:1", "D30:99"], [("D1:1", 0, 0), ("D30:99", None, None)], 0, 1),
    ],
)
def test_evidence_repair(tmp_path: Path, evidence: Any, expected: Any, repairs: int, unresolved: int) -> None:
    tables = run(tmp_path, [conversation(qa(evidence))])
    found = [(e.source_reference, e.position, e.turn_index) for e in tables["evidence"]]
    assert sorted(found, key=str) == sorted(expected, key=str)
    assert all(e.resolved == (e.position is not None) for e in tables["evidence"])
    assert len(findings(tables, "evidence-repaired")) == repairs
    assert len(findings(tables, "evidence-unresolved")) == unresolved


def test_no_evidence_and_repeated_questions_are_listed(tmp_path: Path) -> None:
    tables = run(tmp_path, [conversation(qa([]), qa(["D1:1"], question="what?"))])
    assert [where for where, _ in findings(tables, "no-evidence")] == ["conv-0-q000"]
    assert findings(tables, "repeated-question") == [("conv-0-q001", "the same words as conv-0-q000")]


def test_the_official_counts_are_asserted(tmp_path: Path) -> None:
    gold = [
        Gold(f"{name}{i}", [], name, {}, False)
        for name, count in zip(
            ("multi-hop", "temporal", "open-domain", "single-hop", "adversarial"), (282, 321, 96, 841, 446), strict=True
        )
        for i in range(count)
    ]
    check_official(gold, "locomo10.json")
    with pytest.raises(InputError, match=r"field 'category': expected multi-hop 282.*found multi-hop 281"):
        check_official(gold[1:], "locomo10.json")
    run(tmp_path, [conversation()])
    digest = sha256((tmp_path / "locomo.json").read_bytes())
    with pytest.raises(InputError, match=r"locomo.json, field 'category': expected multi-hop 282"):
        run(tmp_path, [conversation()], known_files={"locomo10": digest})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (conversation(qa(["D1:1"], 6)), "row conv-0-q000, field 'qa.0..category': expected one of 1, 2, 3, 4, 5"),
        (conversation(qa(["D1:1"], category="4")), "category': expected an integer, found '4'"),
        (conversation(qa("D1:1")), "row conv-0-q000, field 'qa.0..evidence': expected a list"),
        (conversation(qa([1])), r"evidence\[0\]': expected text, found 1"),
        (conversation(qa([], answer=None)), "row conv-0-q000, field 'qa.0..answer': expected text, an integer"),
        (conversation(qa([], answer="")), "answer': expected an answer that is not blank"),
        (conversation(session_1=[turn("D1-1")]), r"field 'conversation.session_1\[0\].dia_id': expected an id"),
        (conversation(session_1=[turn("D2:1")]), "dia_id': expected a dialogue id of its own"),
        (conversation(session_1=[turn("D1:1", speaker="Cy")]), "speaker': expected one of Ann, Bo, found 'Cy'"),
        (conversation(session_1=None), "row conv-0, field 'conversation.session_1': expected a list, found null"),
        (conversation(session_01=[]), "field 'conversation.session_01': expected one session 1, found also"),
        (conversation(session_1_date_time="May"), "field 'conversation.session_1_date_time': expected a date like"),
    ],
)
def test_faults_name_file_row_and_field(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        run(tmp_path, [row])
    assert str(caught.value).startswith("locomo.json, row conv-0")
