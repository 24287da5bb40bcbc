from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_score, recall_score

from memtrial.errors import InputError
from memtrial.records import Gold, Scaffold
from memtrial.statistics.columns import TRIGGERS
from memtrial.statistics.triggers import OPERATORS, labelled_needs, needs_by_type, trigger_rows

TABLE = "benchmark,question_id,operators\nmine,q1,dates counting\nmine,q2,\nother,q1,recency\n"


def scaffold(i: str, *operators: str) -> Scaffold:
    return Scaffold(i, list(operators), {}, "1", [], "", "", "")


def gold(i: str, kind: str) -> Gold:
    return Gold(i, ["x"], kind, {}, False)


GOLD = [gold("q1", "when"), gold("q2", "when"), gold("q3", "what"), gold("q4", "what"), gold("q5", "what")]
SCAFFOLDS = [scaffold("q1", "chronology", "dates", "matching"), scaffold("q2"), scaffold("q3", "dates")]
SCAFFOLDS += [scaffold("q4", "dates", "counting")]


def rows(needs: Any = None) -> dict[tuple[str, str], dict[str, Any]]:
    found = trigger_rows("chain", SCAFFOLDS, GOLD, needs)
    assert all(list(r) == TRIGGERS.names for r in found)
    return {(r["operator"], r["slice"]): r for r in found}


def test_rates_need_no_labels() -> None:
    found = rows()
    assert {operator for operator, _ in found} == set(OPERATORS)
    row = found["dates", "all"]
    assert (row["n"], row["fired"], row["rate"], row["labelled"], row["tp"]) == (4, 3, 0.75, 0, None)
    assert found["dates", "question_type=when"]["rate"] == 0.5
    assert found["recency", "all"]["fired"] == 0


def test_precision_and_recall_of_the_labelled_questions() -> None:
    found = rows({"dates": {"q1": True, "q2": True, "q3": False}, "recency": {"q1": False}})
    row = found["dates", "all"]
    assert (row["n"], row["labelled"], row["needed"]) == (4, 3, 2)
    assert (row["tp"], row["fp"], row["fn"], row["precision"], row["recall"]) == (1, 1, 1, 0.5, 0.5)
    unused = found["recency", "all"]
    assert (unused["labelled"], unused["precision"], unused["recall"], unused["fn"]) == (1, None, None, 0)
    assert found["counting", "all"]["tp"] is None, "nobody says who needs it"


def test_needs_by_type() -> None:
    assert needs_by_type(GOLD[1:3], {"dates": ("when",)}) == {"dates": {"q2": True, "q3": False}}


def test_needs_from_a_table() -> None:
    needs = labelled_needs(TABLE, "mine")
    assert needs["dates"] == needs["counting"] == {"q1": True, "q2": False}
    assert needs["recency"] == needs["comparison"] == {"q1": False, "q2": False}
    with pytest.raises(InputError, match=r"row 3, field 'operators': .*'time'"):
        labelled_needs(TABLE.replace("q2,", "q2,time"), "other")
    with pytest.raises(InputError, match=r"row 3, field 'question_id': q1 is labelled twice"):
        labelled_needs(TABLE.replace("q2", "q1"), "mine")
    with pytest.raises(InputError, match="expected the columns"):
        labelled_needs("question,operators\n", "mine")


def test_a_scaffold_without_gold_is_refused() -> None:
    with pytest.raises(InputError, match=r"gold\.parquet: no gold row for q4"):
        trigger_rows("chain", SCAFFOLDS, GOLD[:3])


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_precision_and_recall_equal_scikit_learn(cases: list[tuple[bool, bool]]) -> None:
    made = [scaffold(f"q{n}", *(["counting"] if fired else [])) for n, (fired, _) in enumerate(cases)]
    needs = {"counting": {f"q{n}": needed for n, (_, needed) in enumerate(cases)}}
    found = trigger_rows("chain", made, [gold(s.question_id, "t") for s in made], needs)
    row = next(r for r in found if (r["operator"], r["slice"]) == ("counting", "all"))
    fired, needed = zip(*cases, strict=True)
    assert row["precision"] == (pytest.approx(precision_score(needed, fired), abs=1e-6) if any(fired) else None)
    assert row["recall"] == (pytest.approx(recall_score(needed, fired), abs=1e-6) if any(needed) else None)
