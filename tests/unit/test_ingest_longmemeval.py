"""LongMemEval: order, time, evidence, variants and findings, on invented rows."""

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
from memtrial.text import sha256

TABLES = ("sessions", "turns", "questions", "gold", "evidence")
FLAGGED = [
    {"role": "user", "content": "I own 5 plants.", "has_answer": True},
    {"role": "assistant", "content": "Nice."},
]
OTHER = [{"role": "user", "content": "Any tips?"}, {"role": "assistant", "content": "Water them."}]


def run(tmp_path: Path, rows: list[Any], **spec: Any) -> dict[str, list[Any]]:
    source = tmp_path / "lme.json"
    tmp_path.mkdir(exist_ok=True)
    source.write_text(json.dumps(rows), encoding="utf-8")
    outputs = {name: tmp_path / "out" / f"{name}.parquet" for name in TABLES}
    outputs["quality"] = tmp_path / "out" / "quality.jsonl"
    ingest(source, {"format": "longmemeval", **spec}, outputs)
    return {name: store.read(path) for name, path in outputs.items()}


def question(**changes: Any) -> dict[str, Any]:
    return {
        "question_id": "q1",
        "question_type": "knowledge-update",
        "question": "How many plants do I own?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "answer": "5",
        "answer_session_ids": ["answer_a"],
        "haystack_dates": ["2023/05/22 (Mon) 10:00", "2023/05/20 (Sat) 02:21"],
        "haystack_session_ids": ["answer_a", "b"],
        "haystack_sessions": [FLAGGED, OTHER],
    } | changes


def findings(tables: dict[str, list[Any]], kind: str) -> list[tuple[str, str]]:
    return [(q.where, q.detail) for q in tables["quality"] if q.kind == kind]


def test_a_question_with_its_haystack(tmp_path: Path) -> None:
    tables = run(tmp_path, [question()])
    assert [(s.position, s.source_session_id, s.started_at) for s in tables["sessions"]] == [
        (0, "b", datetime(2023, 5, 20, 2, 21)),
        (1, "answer_a", datetime(2023, 5, 22, 10)),
    ]
    (asked,) = tables["questions"]
    assert (asked.conversation_id, asked.asked_at, asked.language) == ("q1", datetime(2023, 5, 30, 23, 40), "en")
    (gold,) = tables["gold"]
    assert (gold.reference_answers, gold.question_type, gold.abstention) == (["5"], "knowledge-update", False)
    assert tables["evidence"] == [Evidence("q1", 1, 0, "answer_a#0", True)]
    by_id = {(t.content_id, t.turn_index): t for t in tables["turns"]}
    first = by_id[tables["sessions"][1].content_id, 0]
    assert (first.role, first.speaker, first.text, first.caption) == ("user", "", "I own 5 plants.", None)
    assert findings(tables, "unsorted-haystack") == [("q1", "1 of 2 sessions precede the one before")]


def test_the_order_of_a_haystack_does_not_matter(tmp_path: Path) -> None:
    same_time = question(haystack_dates=["2023/05/20 (Sat) 02:21"] * 2)
    turned = same_time | {name: same_time[name][::-1] for name in same_time if name.startswith("haystack_")}
    one, two = run(tmp_path / "1", [same_time]), run(tmp_path / "2", [turned])
    assert [one[t] for t in TABLES] == [two[t] for t in TABLES]


def test_a_missing_time_keeps_the_order_of_the_source(tmp_path: Path) -> None:
    tables = run(tmp_path, [question(haystack_dates=["2023/05/22 (Mon) 10:00", None])])
    assert [(s.source_session_id, s.started_at) for s in tables["sessions"]] == [
        ("answer_a", datetime(2023, 5, 22, 10)),
        ("b", None),
    ]
    detail = "1 of 2 sessions have no time; all stand in the order of the source"
    assert findings(tables, "missing-time") == [("q1", detail)]


def test_equal_sessions_are_stored_once(tmp_path: Path) -> None:
    tables = run(tmp_path, [question(), question(question_id="q2")])
    assert len(tables["sessions"]) == 4
    assert len(tables["turns"]) == 4
    assert len({s.content_id for s in tables["sessions"]}) == 2


@pytest.mark.parametrize("answer", [7, [7, "seven"]])
def test_integer_answers_become_their_digits(tmp_path: Path, answer: Any) -> None:
    tables = run(tmp_path, [question(answer=answer)])
    assert tables["gold"][0].reference_answers == (["7"] if answer == 7 else ["7", "seven"])
    assert [where for where, _ in findings(tables, "integer-answer")] == ["q1"]


def test_abstention_keeps_the_base_type(tmp_path: Path) -> None:
    (gold,) = run(tmp_path, [question(question_id="q1_abs")])["gold"]
    assert (gold.abstention, gold.question_type) == (True, "knowledge-update")


def test_unflagged_sessions_count_whole_and_missing_ones_are_unresolved(tmp_path: Path) -> None:
    tables = run(tmp_path, [question(answer_session_ids=["b", "nowhere", "b"])])
    assert tables["evidence"] == [Evidence("q1", 0, None, "b", True), Evidence("q1", None, None, "nowhere", False)]
    assert findings(tables, "evidence-unresolved") == [("q1", "'nowhere' is not in the conversation")]
    assert findings(tables, "evidence-repaired") == [("q1", "'b' is named 2 times; counted once")]
    assert findings(run(tmp_path, [question(answer_session_ids=[])]), "no-evidence")


@pytest.mark.parametrize(("second", "expected"), [(OTHER, [(1, 0)]), (FLAGGED, [(0, 0), (1, 0)])])
def test_a_session_id_that_occurs_twice(tmp_path: Path, second: Any, expected: list[Any]) -> None:
    row = question(haystack_session_ids=["answer_a"] * 2, haystack_sessions=[FLAGGED, second])
    tables = run(tmp_path, [row])
    assert [(e.position, e.turn_index) for e in tables["evidence"]] == expected
    assert [where for where, _ in findings(tables, "repeated-session-id")] == ["q1/answer_a"]


def test_an_unflagged_id_that_occurs_twice_means_both(tmp_path: Path) -> None:
    tables = run(tmp_path, [question(haystack_session_ids=["answer_a"] * 2, haystack_sessions=[OTHER, OTHER])])
    assert [(e.position, e.turn_index) for e in tables["evidence"]] == [(0, None), (1, None)]


def test_blank_turns_and_sessions_stay(tmp_path: Path) -> None:
    blank = [{"role": "user", "content": " "}, {"role": "assistant", "content": "Yes?", "has_answer": True}]
    tables = run(tmp_path, [question(haystack_sessions=[blank, []])])
    assert len(tables["sessions"]) == 2
    assert [(t.turn_index, t.text) for t in tables["turns"]] == [(0, " "), (1, "Yes?")]
    assert tables["evidence"][0].turn_index == 1
    assert [where for where, _ in findings(tables, "blank-turn")] == ["q1/answer_a#0"]
    assert [where for where, _ in findings(tables, "blank-session")] == ["q1/b"]


def test_evidence_in_a_blank_turn_counts_its_session_and_in_a_blank_session_nothing(tmp_path: Path) -> None:
    blank = {"role": "user", "content": " ", "has_answer": True}
    tables = run(tmp_path, [question(haystack_sessions=[[blank, *OTHER], OTHER])])
    assert tables["evidence"] == [Evidence("q1", 1, None, "answer_a#0", True)]
    assert findings(tables, "evidence-repaired") == [("q1", "'answer_a#0' is a blank turn; its session counts whole")]
    for sessions in ([[blank], OTHER], [[], OTHER]):
        tables = run(tmp_path, [question(haystack_sessions=sessions)])
        assert [(e.position, e.turn_index, e.resolved) for e in tables["evidence"]] == [(None, None, False)]
        assert findings(tables, "evidence-unresolved")[0][1].endswith("is in a blank session")
    twice = question(haystack_session_ids=["answer_a"] * 2, haystack_sessions=[[blank], [blank]])
    assert len(run(tmp_path, [twice])["evidence"]) == 1


def test_flagged_turns_of_other_sessions_are_listed(tmp_path: Path) -> None:
    tables = run(tmp_path, [question(answer_session_ids=["b"])])
    assert tables["evidence"] == [Evidence("q1", 0, None, "b", True)]
    assert [where for where, _ in findings(tables, "evidence-unnamed")] == ["q1"]


def test_an_empty_haystack(tmp_path: Path) -> None:
    row = question(haystack_dates=[], haystack_session_ids=[], haystack_sessions=[])
    tables = run(tmp_path, [row])
    assert (tables["sessions"], tables["turns"], len(tables["questions"])) == ([], [], 1)
    assert [e.resolved for e in tables["evidence"]] == [False]


def test_sessions_after_the_question_and_wrong_weekdays_are_listed(tmp_path: Path) -> None:
    tables = run(tmp_path, [question(question_date="2023/05/22 (Sun) 09:00")])
    assert findings(tables, "session-after-question") == [("q1", "1 of 2 sessions are later than 2023-05-22 09:00:00")]
    assert findings(tables, "weekday-mismatch") == [
        ("q1 question_date", "2023/05/22 (Sun) 09:00 is read as 2023/05/22 (Mon) 09:00")
    ]


def test_unknown_fields_are_listed(tmp_path: Path) -> None:
    extra = [[{**FLAGGED[0], "mood": "glad"}], OTHER]
    tables = run(tmp_path, [question(haystack_sessions=extra, source="web")])
    assert [where for where, _ in findings(tables, "unread-field")] == ["haystack_sessions[][].mood", "source"]


@pytest.mark.parametrize(
    ("sizes", "evidence", "expected"),
    [
        (2, ["s0", "s1"], "oracle: by shape"),
        (60, ["s0"], "S: by shape, median 60"),
        (29, ["s0"], "unknown: by shape, median 29"),
        (500, ["s0"], "M: by shape, median 500"),
        (0, [], "unknown: by shape"),
    ],
)
def test_the_variant_by_shape(tmp_path: Path, sizes: int, evidence: list[str], expected: str) -> None:
    row = question(
        answer_session_ids=evidence,
        haystack_dates=["2023/05/20 (Sat) 02:21"] * sizes,
        haystack_session_ids=[f"s{i}" for i in range(sizes)],
        haystack_sessions=[OTHER] * sizes,
    )
    ((_, detail),) = findings(run(tmp_path, [row]), "variant")
    assert detail.startswith(expected)


def test_the_variant_by_hash(tmp_path: Path) -> None:
    source = tmp_path / "lme.json"
    run(tmp_path, [question()])
    digest = sha256(source.read_bytes())
    tables = run(tmp_path, [question()], known_files={"other": "0" * 64, "ours": digest})
    assert findings(tables, "variant") == [("longmemeval", "ours: the content's SHA-256 is registered")]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"question": None}, "row q1, field 'question': expected text, found null"),
        ({"question": " "}, "row q1, field 'question': expected text that is not blank"),
        ({"answer": ""}, "row q1, field 'answer': expected an answer that is not blank"),
        ({"answer": None}, "row q1, field 'answer': expected text, an integer or a list of these, found null"),
        ({"answer": True}, "field 'answer': expected text, an integer or a list"),
        ({"answer": 1.5}, "field 'answer': expected text, an integer or a list of these, found 1.5"),
        ({"answer": []}, "field 'answer': expected an answer, found an empty list"),
        ({"answer": [None]}, "field 'answer': expected text or an integer, found null"),
        ({"question_date": "soon"}, "row q1, field 'question_date': expected a date like"),
        ({"haystack_dates": ["x", "y"]}, r"row q1, field 'haystack_dates\[0\]': expected a date like"),
        ({"haystack_dates": []}, "field 'haystack_sessions': expected parallel lists of equal length, found 0 dates"),
        ({"haystack_session_ids": [1, 2]}, r"field 'haystack_session_ids\[0\]': expected text, found 1"),
        ({"haystack_sessions": ["x", []]}, r"field 'haystack_sessions\[0\]': expected a list of turns, found 'x'"),
        ({"haystack_sessions": [["x"], []]}, r"field 'haystack_sessions\[0\]\[0\]': expected an object, found 'x'"),
        ({"haystack_sessions": [[{"role": "user"}], []]}, r"haystack_sessions\[0\]\[0\].content': missing"),
        ({"haystack_sessions": [[{"role": "bot", "content": ""}], []]}, r"\[0\]\[0\].role': expected one of"),
        (
            {"haystack_sessions": [[{"role": "user", "content": "", "has_answer": "yes"}], []]},
            r"\[0\]\[0\].has_answer': expected true or false, found 'yes'",
        ),
        ({"answer_session_ids": "answer_a"}, "field 'answer_session_ids': expected a list, found 'answer_a'"),
    ],
)
def test_faults_name_file_row_and_field(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        run(tmp_path, [question(**changes)])
    assert str(caught.value).startswith("lme.json, row q1")
    assert not list((tmp_path / "out").iterdir())


def test_a_missing_field(tmp_path: Path) -> None:
    row = question()
    del row["haystack_dates"]
    with pytest.raises(InputError, match=r"lme.json, row q1, field 'haystack_dates': missing; expected a list"):
        run(tmp_path, [row])


def test_a_question_id_that_occurs_twice(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"lme.json, row q1, field 'question_id': expected each question id once"):
        run(tmp_path, [question(), question()])
