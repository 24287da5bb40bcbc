"""The stand-in for RUMBA: its shape, both languages and both published forms through ingest."""

from __future__ import annotations

from pathlib import Path

import planted
import pytest
from rumba import CATEGORIES, FORMS, SUBCATEGORIES, TAGS, conversations, write

from memtrial import store
from memtrial.ingest.build import ingest

TABLES = ("sessions", "turns", "questions", "gold", "evidence")


def test_the_stand_in_has_the_shape_of_the_published_file() -> None:
    made = conversations(seed=5)
    asked = [q for c in made for q in c.questions]
    sizes = [len(c.sessions) for c in made]
    assert (len(made), len(asked), min(sizes), max(sizes)) == (85, 1543, 12, 85)
    assert {q.category for q in asked} == set(CATEGORIES)
    assert len(CATEGORIES) == 32
    assert {q.subcategory for q in asked} == {None, *SUBCATEGORIES}
    assert {q.tag for q in asked} == {None, *TAGS}
    assert len({q.subsubcategory for q in asked}) == 12
    assert {len(q.evidence) for q in asked} == set(range(1, 8))
    assert len({q.question_id for q in asked}) == 1543
    assert made == conversations(seed=5) != conversations(seed=6)


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("form", sorted(FORMS))
def test_both_forms_are_read_without_a_loss(tmp_path: Path, form: str, language: str) -> None:
    made = conversations(seed=2, n=3, questions=40, sessions=(12, 14))
    write(tmp_path / "source.json.gz", made, language, form)
    outputs = {name: tmp_path / f"{name}.parquet" for name in TABLES} | {"quality": tmp_path / "quality.jsonl"}
    ingest(tmp_path / "source.json.gz", {"format": "rumba"}, outputs)
    questions, gold, evidence = (store.read(outputs[name]) for name in ("questions", "gold", "evidence"))
    assert all(e.resolved for e in evidence)
    expected_questions, expected_gold = planted.records(made, language)
    if form == "hub":
        assert sorted(gold) == sorted(expected_gold)
        assert sorted(questions) == sorted(expected_questions)
        assert len(evidence) == sum(len(q.evidence) for c in made for q in c.questions)
    else:  # which has no ids, dates and finer labels of questions
        assert sorted(q.question for q in questions) == sorted(q.question for q in expected_questions)
        assert sorted(g.question_type for g in gold) == sorted(g.question_type for g in expected_gold)
        assert {q.language for q in questions} == {language}


def test_the_same_arguments_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / f"{name}.json.gz", conversations(seed=2, n=3, questions=40), "ru")
    assert (tmp_path / "one.json.gz").read_bytes() == (tmp_path / "two.json.gz").read_bytes()
