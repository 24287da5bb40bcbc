"""Retrieval logs of others as candidates, on invented rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtrial import store
from memtrial.errors import InputError
from memtrial.records import Question, Session
from memtrial.retrieval.imported import Rankings, import_rankings

QUESTIONS = [
    Question("q1", "c1", "Which lamp?", None, "en", []),
    Question("q2", "c1", "Which  desk?", None, "en", []),
    Question("q3", "c2", "Which lamp?", None, "en", []),
]
SESSIONS = [Session("c1", 0, "s1", "", None), Session("c1", 1, "s2", "", None), Session("c2", 0, "s1", "", None)]
FIELDS = {"question_id": "id", "ranked": "found"}
BY_TEXT = {"conversation_id": "talk", "question": "ask", "ranked": "found"}


def rankings(*rows: dict[str, Any], sessions: list[Session] = SESSIONS, **spec: Any) -> Rankings:
    content = "\n".join(json.dumps(r) for r in rows).encode()
    return import_rankings({"log.jsonl": content}, QUESTIONS, sessions, {"fields": FIELDS, **spec})


def ranks(found: Rankings) -> list[tuple[str, int, int]]:
    return [(c.question_id, c.position, c.pool_rank) for c in found.candidates]


def test_a_known_session_stands_at_its_published_rank(tmp_path: Path) -> None:
    rows = (
        {"id": "q2", "found": ["x", "s2", "y", "s1"]},
        {"id": "q1", "found": []},
        {"id": "q3", "found": ["s2", "s1"]},
    )
    found = rankings(*rows)
    assert ranks(found) == [("q2", 1, 2), ("q2", 0, 4), ("q3", 0, 2)]
    assert found[1:] == (["q1", "q2", "q3"], [], 6, 3, 0)
    assert {(c.dense_rank, c.keyword_rank, c.expansion_rank, c.best_turn) for c in found.candidates} == {(None,) * 4}
    store.write(tmp_path / "candidates.parquet", found.candidates)
    assert store.read(tmp_path / "candidates.parquet") == found.candidates


def test_ranked_objects_have_their_id_in_a_field() -> None:
    items = [{"of": {"sid": "s2"}, "text": "…"}, {"of": {"sid": "s1"}}, {"of": {"sid": "s2"}}]
    fields = {**FIELDS, "item": "of.sid"}
    found = rankings(*({"id": q.question_id, "found": items} for q in QUESTIONS[:2]), fields=fields, missing="miss")
    assert ranks(found) == [("q1", 1, 1), ("q1", 0, 2), ("q2", 1, 1), ("q2", 0, 2)]
    assert found.items == 4
    with pytest.raises(InputError, match=r"log.jsonl, row 1, field 'of.sid': the row has no such field"):
        rankings({"id": "q1", "found": [{}]}, fields=fields, missing="miss")


def test_questions_without_a_ranking_are_named_and_never_lost() -> None:
    row = {"id": "q2", "found": ["s1"]}
    with pytest.raises(InputError, match=r"log.jsonl, .*2 of 3 questions have no ranking \(first 'q1'\)"):
        rankings(row)
    assert rankings(row, missing="skip")[:3] == (rankings(row, missing="miss").candidates, ["q2"], ["q1", "q3"])
    with pytest.raises(InputError, match=r"1 unknown \(first 'q9'\)"):
        rankings({"id": "q9", "found": []}, missing="skip")


def test_a_question_is_found_by_its_text_in_its_conversation() -> None:
    rows = [
        {"talk": "c1", "ask": "Which lamp?", "found": ["s1"]},
        {"talk": "c2", "ask": "Which lamp?", "found": ["s2", "s1"]},
        {"talk": "c1", "ask": " Which desk?", "found": ["s2"]},
    ]
    assert ranks(rankings(*rows, fields=BY_TEXT)) == [("q1", 0, 1), ("q2", 1, 1), ("q3", 0, 2)]
    assert ranks(rankings(*rows, rows[0], fields=BY_TEXT)) == ranks(rankings(*rows, fields=BY_TEXT))
    with pytest.raises(InputError, match=r"row 4, field 'ranked': ranks otherwise than row 1 of log.jsonl"):
        rankings(*rows, rows[0] | {"found": ["s2"]}, fields=BY_TEXT)
    with pytest.raises(InputError, match="row 1, field 'ask': 1 questions are not in the benchmark"):
        rankings({"talk": "c9", "ask": "Which lamp?", "found": []}, fields=BY_TEXT, missing="skip")


def test_an_id_of_several_sessions_counts_as_the_earliest() -> None:
    sessions = [*SESSIONS, Session("c1", 2, "s1", "", None)]
    found = rankings({"id": "q1", "found": ["s1"]}, sessions=sessions, missing="skip")
    assert (ranks(found), found.repeated) == ([("q1", 0, 1)], 1)


@pytest.mark.parametrize("ranked", ["s1", None, {"s1": 1}, [["s1"]], [1.5], [True]])
def test_what_is_no_list_of_ids_is_refused(ranked: Any) -> None:
    with pytest.raises(InputError, match=r"log.jsonl, row 1, field 'found': expected"):
        rankings({"id": "q1", "found": ranked}, missing="skip")
