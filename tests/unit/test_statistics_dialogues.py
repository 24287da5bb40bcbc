"""Turns to dialogues to the data set: aggregates, labels of dialogues and of turns, and unjudged rows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.errors import InputError
from memtrial.records import Gold, Question, Verdict
from memtrial.statistics import columns, tables
from memtrial.statistics.cells import Cell
from memtrial.statistics.design import design
from memtrial.statistics.dialogues import dialogue_rows

# dialogue, turn, metric, labels, grade. Turn 2 of d1 has two metrics; `kind` is the dialogue's, `task` the turn's.
SCORES: list[tuple[str, str, str, dict[str, str], float | None]] = [
    ("d1", "1", "judge", {"kind": "a", "task": "sum"}, 0.9),
    ("d1", "2", "judge", {"kind": "a", "task": "ner"}, 0.4),
    ("d1", "2", "rule", {"kind": "a", "task": "ner"}, 1.0),
    ("d2", "1", "judge", {"kind": "a"}, 0.8),
    ("d3", "1", "rule", {"kind": "b"}, 0.0),
]


def rows(
    scores: list[tuple[str, str, str, dict[str, str], float | None]] = SCORES,
    aggregates: dict[str, str] | None = None,
    axes: list[str] | None = None,
) -> list[dict[str, Any]]:
    questions, gold, verdicts = [], [], []
    for n, (dialogue, turn, metric, labels, grade) in enumerate(scores):
        questions.append(Question(f"q{n}", dialogue, "?", None, "en", []))
        gold.append(Gold(f"q{n}", ["x"], "t", {"turn": turn, "metric": metric, **labels}, False))
        verdicts.append(verdict(f"q{n}", None if grade is None else grade >= 0.5, grade))
    return made(questions, gold, verdicts, aggregates or {"turn": "mean", "dialogue": "min"}, axes or ["kind", "task"])


def made(
    questions: list[Question], gold: list[Gold], verdicts: list[Verdict], aggregates: dict[str, str], axes: list[str]
) -> list[dict[str, Any]]:
    settings = {"statistics": {"dialogues": aggregates, "axes": axes}}
    shape = design(questions, gold, [], [], None, settings)
    return dialogue_rows(shape, questions, gold, [Cell("s", "r", "1", "j", verdicts)], settings)


def verdict(question_id: str, correct: bool | None, grade: float | None) -> Verdict:
    status = "error" if correct is None else "judged"
    return Verdict(question_id, status, correct, grade, None, "", "m", None, "p", "t", "a", None, 1, None)


def summary(found: list[dict[str, Any]]) -> dict[tuple[str, str, str], tuple[Any, ...]]:
    return {(r["level"], r["axis"], r["slice"]): (r["n"], r["mean"], r["min"], r["max"]) for r in found}


def test_metrics_are_gathered_to_turns_and_turns_to_dialogues() -> None:
    found = summary(rows())
    # Turns: 0.9, (0.4 + 1) / 2, 0.8, 0; dialogues by their worst turn: 0.7, 0.8, 0.
    assert found["turn", "all", "all"] == (4, 0.6, 0.0, 0.9)
    assert found["dialogue", "all", "all"] == (3, 0.5, 0.0, 0.8)


@pytest.mark.parametrize(
    ("turn", "dialogue", "expected"),
    [("min", "min", (3, 0.4, 0.0, 0.8)), ("max", "max", (3, 0.6, 0.0, 1.0)), ("mean", "mean", (3, 0.533333, 0.0, 0.8))],
)
def test_the_aggregates_are_those_of_the_config(turn: str, dialogue: str, expected: tuple[float, ...]) -> None:
    found = rows(aggregates={"turn": turn, "dialogue": dialogue})
    assert {(r["turn_aggregate"], r["dialogue_aggregate"]) for r in found} == {(turn, dialogue)}
    assert summary(found)["dialogue", "all", "all"] == expected


def test_labels_of_dialogues_and_crossings_have_both_levels_those_of_turns_one() -> None:
    found = summary(rows(axes=["kind", "task", "kind*question_type"]))
    assert found["dialogue", "kind", "a"] == (2, 0.75, 0.7, 0.8)
    assert found["turn", "kind", "a"] == (3, 0.8, 0.7, 0.9)
    assert found["dialogue", "kind*question_type", "a × t"] == found["dialogue", "kind", "a"]
    assert found["turn", "task", "ner"] == (1, 0.7, 0.7, 0.7)
    assert ("dialogue", "task", "ner") not in found
    assert {axis for _, axis, _ in found} == {"all", "metric", "kind", "task", "kind*question_type"}


def test_a_metric_is_gathered_over_the_turns_that_have_it() -> None:
    found = summary(rows())
    assert found["turn", "metric", "judge"] == (3, 0.7, 0.4, 0.9)
    assert found["dialogue", "metric", "judge"] == (2, 0.6, 0.4, 0.8)
    assert found["dialogue", "metric", "rule"] == (2, 0.5, 0.0, 1.0)


def test_an_unjudged_row_is_counted_and_leaves_its_means_open() -> None:
    broken = [*SCORES[:2], ("d1", "2", "rule", {"kind": "a", "task": "ner"}, None), *SCORES[3:]]
    found = {(r["level"], r["axis"], r["slice"]): r for r in rows(broken)}
    for key in [("turn", "all", "all"), ("dialogue", "kind", "a"), ("dialogue", "metric", "rule")]:
        assert (found[key]["n_unjudged"], found[key]["mean"], found[key]["min"], found[key]["max"]) == (1, *[None] * 3)
    assert (found["turn", "all", "all"]["n"], found["dialogue", "all", "all"]["n"]) == (4, 3)
    assert (found["dialogue", "kind", "b"]["n_unjudged"], found["dialogue", "kind", "b"]["mean"]) == (0, 0.0)


def test_without_labels_each_question_is_a_turn_and_without_grades_right_is_one() -> None:
    questions = [Question(f"q{n}", f"c{n // 2}", "?", None, "en", []) for n in range(4)]
    gold = [Gold(q.question_id, ["x"], "t", {}, False) for q in questions]
    # One verdict has no grade, so none counts by its grade.
    verdicts = [verdict(f"q{n}", n > 1, None if n == 3 else 0.3) for n in range(4)]
    found = made(questions, gold, verdicts, {"turn": "mean", "dialogue": "mean"}, ["all"])
    assert [(r["level"], r["n"], r["mean"]) for r in found] == [("turn", 4, 0.5), ("dialogue", 2, 0.5)]


QUESTION, GOLD = Question("q", "c", "?", None, "en", []), Gold("q", ["x"], "t", {}, False)


def test_a_benchmark_without_dialogues_has_no_rows() -> None:
    settings = {"statistics": {"dialogues": None}}
    assert dialogue_rows(design([QUESTION], [GOLD], [], [], None, settings), [QUESTION], [GOLD], [], settings) == []


def test_verdicts_that_do_not_match_are_refused() -> None:
    with pytest.raises(InputError, match=r"no row for q"):
        made([QUESTION], [GOLD], [], {"turn": "mean", "dialogue": "min"}, ["all"])


@given(st.permutations(SCORES))
def test_the_order_of_rows_does_not_matter(scores: list[Any]) -> None:
    assert summary(rows(scores)) == summary(rows())


def test_the_rows_have_the_columns_of_the_table(tmp_path: Any) -> None:
    found = rows()
    tables.write_table(tmp_path / "dialogues.parquet", found, columns.DIALOGUES)
    assert tables.read_table(tmp_path / "dialogues.parquet") == found
