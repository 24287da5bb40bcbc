"""Somebody else's answers and verdicts at the place of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtrial import store
from memtrial.errors import InputError
from memtrial.judging.imported import import_verdicts
from memtrial.reading.imported import import_answers
from memtrial.records import Answer, Gold, Question, Verdict
from memtrial.text import sha256

IDS = ("q1", "q2", "q3")
QUESTIONS = [Question(i, "c1", "Which lamp?", None, "en", []) for i in IDS]
GOLD = [Gold(i, ["the blue one"], "single", {}, False) for i in IDS]
READER: dict[str, Any] = {"kind": "import", "fields": {"question_id": "id", "answer": "response"}}
JUDGE: dict[str, Any] = {"kind": "import", "fields": {"question_id": "id", "correct": "right"}}


def lines(*rows: dict[str, Any]) -> bytes:
    return "\n".join(json.dumps(r) for r in rows).encode()


def answers(*rows: dict[str, Any], **spec: Any) -> list[Answer]:
    named = [{"id": i} | row for i, row in zip(IDS, rows, strict=False)]
    return import_answers({"theirs.jsonl": lines(*reversed(named))}, QUESTIONS, {**READER, **spec})


def verdicts(*rows: dict[str, Any], given: list[Answer] | None = None, **spec: Any) -> list[Verdict]:
    named = [{"id": i} | row for i, row in zip(IDS, rows, strict=False)]
    ours = given or answers(*[{"response": "blue"}] * 3)
    return import_verdicts({"theirs.jsonl": lines(*reversed(named))}, GOLD, ours, {**JUDGE, **spec})


def test_answers_enter_in_question_order_as_they_stand(tmp_path: Path) -> None:
    found = answers({"response": "I think\nAnswer: blue"}, {"response": "<think>Hm.</think> Red."}, {"response": 7})
    assert [(a.question_id, a.status, a.answer) for a in found] == [
        ("q1", "ok", "I think\nAnswer: blue"),
        ("q2", "ok", "Red."),
        ("q3", "ok", "7"),
    ]
    assert (found[1].raw, found[1].reasoning) == ("<think>Hm.</think> Red.", "Hm.")
    assert {(a.model_requested, a.request_sha256, a.packet_sha256, a.attempts) for a in found} == {
        ("unknown", "", "", 0)
    }
    store.write(tmp_path / "answers.jsonl", found)
    assert store.read(tmp_path / "answers.jsonl") == found


def test_the_answer_line_is_looked_for_on_request() -> None:
    found = answers(*[{"response": "Let me see.\n\n**Answer:** blue"}] * 3, answer_line=True)
    assert {a.answer for a in found} == {"blue"}


def test_an_empty_answer_keeps_its_row_with_the_status_that_is_set_for_it() -> None:
    rows = ({"response": "blue"}, {"response": " "}, {"response": None})
    assert [(a.status, a.answer) for a in answers(*rows)] == [("ok", "blue"), ("error", ""), ("error", "")]
    refused = answers(*rows, empty="refused")
    assert [a.status for a in refused] == ["ok", "refused", "refused"]
    assert refused[1].error == "the source's answer is empty"


def test_statuses_and_errors_are_the_sources_in_our_words() -> None:
    fields = {**READER["fields"], "status": "state", "error": "trouble", "model": "by", "model_resolved": "echo"}
    rows = (
        {"response": "blue", "state": "done", "trouble": "", "by": "m", "echo": "m-1"},
        {"response": "bl", "state": "CUT", "trouble": None, "by": "m", "echo": None},
        {"response": "", "state": "done", "trouble": "timeout", "by": "m", "echo": None},
    )
    found = answers(*rows, fields=fields, statuses={"ok": ["done"], "truncated": ["cut"]})
    assert [(a.status, a.answer, a.raw, a.error) for a in found] == [
        ("ok", "blue", "blue", None),
        ("truncated", "", "bl", None),
        ("error", "", "", "timeout"),
    ]
    assert [(a.model_requested, a.model_resolved) for a in found] == [("m", "m-1"), ("m", None), ("m", None)]
    with pytest.raises(InputError, match=r"theirs.jsonl, row 3, field 'state': 'done' stands under none of .* ok"):
        answers(*rows, fields=fields)


def test_answers_of_other_questions_are_refused_with_the_difference() -> None:
    with pytest.raises(InputError, match=r"theirs.jsonl, .*1 missing \(first 'q3'\)"):
        answers({"response": "a"}, {"response": "b"})


def test_verdicts_enter_in_gold_order(tmp_path: Path) -> None:
    fields = {"question_id": "id", "correct": "label.value", "raw": "said", "grade": "points", "model": "by"}
    rows = [
        {"label": {"value": v}, "said": s, "points": p, "by": "judge-x"}
        for v, s, p in ((1, "Yes.", "2.5"), (0, "No", 0), (None, "??", None))
    ]
    found = verdicts(*rows, fields=fields, values={"correct": [1], "wrong": [0]}, protocol="theirs-v1")
    assert [(v.question_id, v.status, v.correct, v.grade, v.raw) for v in found] == [
        ("q1", "judged", True, 2.5, "Yes."),
        ("q2", "judged", False, 0.0, "No"),
        ("q3", "unparseable", None, None, "??"),
    ]
    assert {(v.model_requested, v.protocol, v.answer_sha256) for v in found} == {
        ("judge-x", "theirs-v1", sha256("blue"))
    }
    store.write(tmp_path / "verdicts.jsonl", found)
    assert store.read(tmp_path / "verdicts.jsonl") == found


def test_booleans_need_no_values_and_other_values_are_refused() -> None:
    assert [v.correct for v in verdicts({"right": True}, {"right": "False"}, {"right": "true"})] == [True, False, True]
    for odd in ("yes", 1, "", "maybe"):
        with pytest.raises(InputError, match=r"row 1, field 'right': '.*' is listed neither as correct nor as wrong"):
            verdicts({"right": True}, {"right": True}, {"right": odd})


def test_a_value_cannot_be_right_and_wrong() -> None:
    with pytest.raises(InputError, match="'Yes' is listed as correct and as wrong"):
        verdicts({"question_id": "q1", "correct": "yes"}, values={"correct": ["no", "Yes"], "wrong": ["yes"]})


def test_what_was_never_judged_is_no_wrong_answer() -> None:
    rows = ({"right": True, "tries": 1}, {"right": False, "tries": 0}, {"right": False, "tries": 2})
    found = verdicts(*rows, unjudged={"field": "tries", "equals": [0]})
    assert [(v.status, v.correct) for v in found] == [("judged", True), ("error", None), ("judged", False)]
    assert found[1].error == "the source did not judge it: tries is 0"


def test_a_verdict_on_an_answer_that_is_not_there_counts_for_nothing() -> None:
    ours = answers({"response": "blue"}, {"response": ""}, {"response": "red"})
    found = verdicts(*[{"right": False}] * 3, given=ours)
    assert [(v.status, v.correct) for v in found] == [("judged", False), ("unanswered", None), ("judged", False)]


def test_verdicts_stand_where_only_the_texts_of_the_answers_were_not_released() -> None:
    ours = answers(*[{}] * 3, fields={"question_id": "id", "answer": None})
    assert {(a.status, a.error) for a in ours} == {("error", "the source holds no answer texts")}
    found = verdicts(*[{"right": True}] * 3, given=ours)
    assert [(v.correct, v.answer_sha256) for v in found] == [(True, "")] * 3


def test_verdicts_on_other_answers_are_refused() -> None:
    fields = {**JUDGE["fields"], "answer": "response"}
    rows = [{"right": True, "response": r} for r in ("blue", "blue ", "Blue")]
    with pytest.raises(InputError, match=r"1 of 3 verdicts are on other answers than those here \(first 'q3'\)"):
        verdicts(*rows, fields=fields)
    rows[2]["response"] = "blue"
    assert len(verdicts(*rows, fields=fields)) == 3


def test_what_most_votes_say_counts_and_their_share_is_the_grade() -> None:
    fields = {"question_id": "id", "correct": ["a", "b", "c"]}
    rows = [
        {"a": True, "b": True, "c": False},
        {"a": False, "b": None, "c": False},
        {"a": True, "b": None, "c": False},
    ]
    found = verdicts(*rows, fields=fields)
    assert [(v.status, v.correct, v.grade) for v in found] == [
        ("judged", True, 0.666667),
        ("judged", False, 0.0),
        ("unparseable", None, None),
    ]
    assert found[0].raw == "[true,true,false]"
    listed = [{"right": list(row.values())} for row in rows]
    assert [v.correct for v in verdicts(*listed)] == [True, False, None]


def test_a_score_is_right_from_a_number_on_and_is_the_grade() -> None:
    rows = [{"right": 1}, {"right": "0.75"}, {"right": None}]
    found = verdicts(*rows, values={"at_least": 0.8})
    assert [(v.status, v.correct, v.grade) for v in found] == [
        ("judged", True, 1.0),
        ("judged", False, 0.75),
        ("unparseable", None, None),
    ]
    with pytest.raises(InputError, match="row 3, field 'right': expected a finite number, found 'good'"):
        verdicts({"right": "good"}, *rows[:2], values={"at_least": 0.8})


def test_human_labels_of_a_part_leave_the_others_unjudged() -> None:
    files = {"labels.csv": b"id,right\nq2,true\n"}
    ours = answers(*[{"response": "blue"}] * 3)
    with pytest.raises(InputError, match="2 missing"):
        import_verdicts(files, GOLD, ours, JUDGE)
    found = import_verdicts(files, GOLD, ours, {**JUDGE, "missing": "unjudged"})
    assert [(v.status, v.correct) for v in found] == [("error", None), ("judged", True), ("error", None)]
    assert found[0].error == "the source did not judge it: it has no such question"
    with pytest.raises(InputError, match="1 unknown"):
        import_verdicts({"labels.csv": b"id,right\nq9,true\n"}, GOLD, ours, {**JUDGE, "missing": "unjudged"})
    with pytest.raises(InputError, match="none of the benchmark's questions"):
        import_verdicts({"labels.csv": b"id,right\n"}, GOLD, ours, {**JUDGE, "missing": "unjudged"})


def test_answers_and_verdicts_may_lie_in_several_files() -> None:
    parts = {f"{i}.json": json.dumps({"id": i, "response": i, "right": i != "q2"}).encode() for i in reversed(IDS)}
    ours = import_answers(parts, QUESTIONS, READER)
    assert [a.answer for a in ours] == list(IDS)
    assert [v.correct for v in import_verdicts(parts, GOLD, ours, JUDGE)] == [True, False, True]
    with pytest.raises(InputError, match=r"^q3.json and 1 more, field 'question_id': .* 1 missing \(first 'q1'\)"):
        import_answers({k: v for k, v in parts.items() if k != "q1.json"}, QUESTIONS, READER)


@pytest.mark.parametrize("grade", ["high", "nan", True, [1]])
def test_a_grade_is_a_number(grade: Any) -> None:
    fields = {**JUDGE["fields"], "grade": "points"}
    with pytest.raises(InputError, match=r"row 1, field 'points': expected a finite number"):
        verdicts(*[{"right": True, "points": 1}] * 2, {"right": True, "points": grade}, fields=fields)


def test_a_changed_map_is_another_template() -> None:
    rows = [{"right": True, "wrong": False}] * 3
    here, there = verdicts(*rows), verdicts(*rows, fields={"question_id": "id", "correct": "wrong"})
    assert here[0].template_sha256 != there[0].template_sha256
    with pytest.raises(InputError, match="no field for correct"):
        verdicts(*rows, fields={"question_id": "id"})
