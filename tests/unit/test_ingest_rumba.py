"""RUMBA: the hub form and the GitHub form, on invented rows."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memtrial import store
from memtrial.errors import InputError
from memtrial.ingest.build import ingest
from memtrial.records import Evidence

TABLES = ("sessions", "turns", "questions", "gold", "evidence")


def run(tmp_path: Path, rows: list[Any]) -> dict[str, list[Any]]:
    source = tmp_path / "rumba.json"
    source.write_text(json.dumps(rows), encoding="utf-8")  # Russian as \uXXXX escapes
    outputs = {name: tmp_path / "out" / f"{name}.parquet" for name in TABLES}
    outputs["quality"] = tmp_path / "out" / "quality.jsonl"
    ingest(source, {"format": "rumba"}, outputs)
    return {name: store.read(path) for name, path in outputs.items()}


def findings(tables: dict[str, list[Any]], kind: str) -> list[tuple[str, str]]:
    return [(q.where, q.detail) for q in tables["quality"] if q.kind == kind]


def session(idx: int, at: str | None, message: str) -> dict[str, Any]:
    turns = [{"role": "user", "message": message}, {"role": "assistant", "message": "Хорошо."}]
    return {"session_idx": idx, "session_datetime": at, "conversation": turns}


SESSIONS = [
    session(10, "2022-05-22T09:00:00", "Кошка спит."),
    session(1, "2022-05-20T20:09:18Z", "Я завёл кошку."),
    session(2, "2022-05-21T20:09:18", "Купил корм."),
]


def hub(**changes: Any) -> dict[str, Any]:
    return {
        "id": "0|q0",
        "conversation_idx": 0,
        "user_id": "user_0",
        "question": "Кого я завёл?",
        "answer": "Кошку.",
        "category": "StaticUser, single, atemporal",
        "subcategory": "pets",
        "subsubcategory": None,
        "text_temporal_expression": None,
        "evidence": [1],
        "question_date": "2022-07-11T20:09:18",
        "conversation": SESSIONS,
    } | changes


def test_hub_form(tmp_path: Path) -> None:
    tables = run(tmp_path, [hub(), hub(id="0|q1", question="Что я купил?", evidence=[10, 2, 2, 99])])
    assert [(s.conversation_id, s.position, s.source_session_id, s.started_at) for s in tables["sessions"]] == [
        ("0-user_0", 0, "1", datetime(2022, 5, 20, 20, 9, 18)),
        ("0-user_0", 1, "2", datetime(2022, 5, 21, 20, 9, 18)),
        ("0-user_0", 2, "10", datetime(2022, 5, 22, 9)),
    ]
    first, second = tables["questions"]
    assert (first.question_id, first.asked_at, first.language) == ("0|q0", datetime(2022, 7, 11, 20, 9, 18), "ru")
    assert second.question == "Что я купил?"
    gold = tables["gold"][0]
    assert (gold.reference_answers, gold.question_type, gold.abstention) == (
        ["Кошку."],
        "StaticUser, single, atemporal",
        False,
    )
    assert gold.labels == {
        "semantic_type": "StaticUser",
        "scope": "single",
        "temporality": "atemporal",
        "subcategory": "pets",
    }
    assert tables["evidence"] == [
        Evidence("0|q0", 0, None, "1", True),
        Evidence("0|q1", 2, None, "10", True),
        Evidence("0|q1", 1, None, "2", True),
        Evidence("0|q1", None, None, "99", False),
    ]
    assert len(tables["turns"]) == 6
    assert [kind for kind in ("evidence-repaired", "evidence-unresolved") if findings(tables, kind)]
    assert findings(tables, "variant")[0][1].startswith("hub")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("Нет такой информации.", True), (" no such information. ", True), ("Информации нет.", False)],
)
def test_abstention(tmp_path: Path, answer: str, expected: bool) -> None:
    assert run(tmp_path, [hub(answer=answer)])["gold"][0].abstention is expected


def test_other_categories_have_no_parts(tmp_path: Path) -> None:
    assert run(tmp_path, [hub(category="Event", subcategory=None)])["gold"][0].labels == {}


def test_sessions_after_the_question(tmp_path: Path) -> None:
    tables = run(tmp_path, [hub(question_date="2022-05-21T20:09:18")])
    detail = "1 of 3 sessions are later than 2022-05-21 20:09:18"
    assert findings(tables, "session-after-question") == [("0|q0", detail)]


def test_evidence_in_a_blank_session(tmp_path: Path) -> None:
    blank = {"session_idx": 3, "session_datetime": "2022-05-23T09:00:00", "conversation": []}
    tables = run(tmp_path, [hub(evidence=[3], conversation=[*SESSIONS, blank])])
    assert tables["evidence"] == [Evidence("0|q0", None, None, "3", False)]
    assert findings(tables, "evidence-unresolved") == [("0|q0", "'3' is in a blank session")]


def test_a_missing_time_means_session_order(tmp_path: Path) -> None:
    tables = run(tmp_path, [hub(conversation=[SESSIONS[0], session(2, None, "Корм."), SESSIONS[1]])])
    assert [s.source_session_id for s in tables["sessions"]] == ["1", "2", "10"]


def test_a_conversation_must_be_the_same_in_all_its_rows(tmp_path: Path) -> None:
    assert run(tmp_path, [hub(), hub(id="0|q1", conversation=SESSIONS[::-1])])
    with pytest.raises(InputError, match=r"row 0.q1, field 'conversation': expected the same sessions in all"):
        run(tmp_path, [hub(), hub(id="0|q1", conversation=SESSIONS[:2])])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"evidence": ["1"]}, r"evidence\[0\]': expected a session_idx, found '1'"),
        ({"conversation": [SESSIONS[0]] * 2}, r"conversation\[1\].session_idx': expected a number of its own"),
        ({"conversation": [session(1, "скоро", "")]}, r"conversation\[0\].session_datetime': expected a date like"),
        ({"conversation": [{**SESSIONS[0], "conversation": [{"role": "x"}]}]}, r"\[0\].role': expected one"),
        ({"conversation": [{**SESSIONS[0], "conversation": [{"role": "user"}]}]}, r"\[0\].message': missing"),
        ({"question_date": None}, "question_date': expected a date, found null"),
        ({"answer": ""}, "answer': expected an answer that is not blank"),
        ({"subcategory": 3}, "subcategory': expected text, found 3"),
    ],
)
def test_faults_name_file_row_and_field(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        run(tmp_path, [hub(**changes)])
    assert str(caught.value).startswith("rumba.json, row 0|q0, field")


def github(*questions: dict[str, Any]) -> dict[str, Any]:
    said = [("Фёдор", "Я завёл кошку."), ("Бот", "Поздравляю."), ("Фёдор", "Спасибо!")]
    talk: dict[str, Any] = {"speaker_a": "Фёдор", "speaker_b": "Бот"}
    for k in (1, 10, 2):
        talk[f"session_{k}"] = [{"speaker": s, "text": text if k == 1 else f"{k}: {text}"} for s, text in said]
        talk[f"session_{k}_date_time"] = f"2022-05-{k:02d}T10:00:00Z"
    talk["session_10"][2]["text"] = "Спасибо!"
    return {"dialogue_id": 7, "conversation": talk, "qa": list(questions)}


def asked(*contents: str) -> dict[str, Any]:
    evidence = [{"content": content} for content in contents]
    return {"question": "Кого?", "answer": "Кошку.", "evidence": evidence, "category": "Event"}


def test_github_form(tmp_path: Path) -> None:
    tables = run(tmp_path, [github(asked("Я  завёл\nкошку. "), asked("Ничего."), asked("Спасибо!"))])
    assert [s.source_session_id for s in tables["sessions"]] == ["session_1", "session_2", "session_10"]
    assert {(t.role, t.speaker) for t in tables["turns"]} == {("user", ""), ("assistant", "")}
    assert [(q.question_id, q.conversation_id, q.asked_at) for q in tables["questions"]] == [
        ("7-q000", "7", None),
        ("7-q001", "7", None),
        ("7-q002", "7", None),
    ]
    assert tables["evidence"] == [
        Evidence("7-q000", 0, 0, "Я завёл кошку.", True),
        Evidence("7-q001", None, None, "Ничего.", False),
        Evidence("7-q002", 0, 2, "Спасибо!", True),
        Evidence("7-q002", 2, 2, "Спасибо!", True),
    ]
    assert [where for where, _ in findings(tables, "evidence-unresolved")] == ["7-q001"]
    assert [where for where, _ in findings(tables, "evidence-ambiguous")] == ["7-q002"]
    assert findings(tables, "variant")[0][1].startswith("github")


def test_text_is_stored_as_real_characters(tmp_path: Path) -> None:
    run(tmp_path, [github(asked("Ничего."))])
    assert "Ничего." in (tmp_path / "out" / "quality.jsonl").read_text(encoding="utf-8")
