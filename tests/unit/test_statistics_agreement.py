"""Agreement of two judges: counts, kappa, slices, repeated judgings, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from memtrial.errors import InputError
from memtrial.records import Verdict
from memtrial.statistics import columns, tables
from memtrial.statistics.agreement import agreement_rows, is_repeat, kappa
from memtrial.statistics.cells import Cell
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.intervals import wilson

TYPES = {"q1": "a", "q2": "a", "q3": "b", "q4": "b", "q5": "b"}
SLICES = (
    Slice("all", "all", tuple(TYPES)),
    Slice("question_type", "a", ("q1", "q2")),
    Slice("question_type", "b", ("q3", "q4", "q5")),
    Slice("abstention", "true", ("q5",)),
)
JUDGES = {"one": {"model": "m", "draw": 1}, "again": {"model": "m", "draw": 2}, "other": {"model": "n", "draw": 1}}


def verdicts(marks: str, answers: str = "same") -> list[Verdict]:
    """A verdict a question: + right, - wrong, ? unparseable."""
    known = {"+": True, "-": False, "?": None}
    return [verdict(i, known[m], answers) for i, m in zip(TYPES, marks, strict=True)]


def verdict(question_id: str, correct: bool | None, answer: str) -> Verdict:
    status = "unparseable" if correct is None else "judged"
    return Verdict(question_id, status, correct, None, None, "", "m", "m", "p", "t", answer, "r", 1, None)


def cell(judge: str, marks: str, reader_pass: str = "1", answers: str = "same") -> Cell:
    return Cell("chain", "gpt-x", reader_pass, judge, verdicts(marks, answers))


def rows(*cells: Cell, disputed: tuple[str, ...] | None = None) -> list[dict[str, object]]:
    sets = {"published": frozenset(TYPES)}
    if disputed is not None:
        sets["undisputed"] = sets["published"] - set(disputed)
    design = Design(tuple(TYPES), SLICES, sets, {i: i for i in TYPES}, TYPES, frozenset({"q5"}))
    return agreement_rows(design, cells, JUDGES, 0.95)


def test_a_pair_is_counted_overall_and_by_slice() -> None:
    found = {(r["axis"], r["slice"]): r for r in rows(cell("other", "++-?+"), cell("one", "+--+-"))}
    whole = found["all", "all"]
    assert (whole["judge_a"], whole["judge_b"], whole["repeat"]) == ("one", "other", False)
    assert (whole["n"], whole["agree"], whole["n_unjudged"]) == (4, 2, 1)
    assert (whole["both_right"], whole["only_a"], whole["only_b"], whole["both_wrong"]) == (1, 0, 2, 1)
    assert whole["rate"] == 0.5
    assert (whole["wilson_low"], whole["wilson_high"]) == tuple(round(end, 6) for end in wilson(2, 4, 0.95))
    # By hand: agreement by chance is (1 * 3 + 3 * 1) / 16 = 0.375, so kappa is 0.125 / 0.625.
    assert whole["kappa"] == pytest.approx(0.2)
    assert [found["question_type", t]["n"] for t in "ab"] == [2, 2]
    assert found["question_type", "b"]["n_unjudged"] == 1
    assert found["abstention", "true"]["only_b"] == 1


def test_a_repeated_judging_gives_the_flips_of_the_judge() -> None:
    pairs = {(r["judge_a"], r["judge_b"]): r for r in rows(*(cell(j, m) for j, m in
             (("one", "+++--"), ("again", "++---"), ("other", "+++++")))) if r["axis"] == "all"}  # fmt: skip
    assert {pair: r["repeat"] for pair, r in pairs.items()} == {
        ("again", "one"): True,
        ("again", "other"): False,
        ("one", "other"): False,
    }
    assert pairs["again", "one"]["rate"] == 0.8


def test_votes_of_an_imported_judge_are_repeats_wherever_they_are_read_from() -> None:
    vote = {"kind": "import", "source": "a.jsonl", "fields": {"correct": "first"}, "model": "m", "draw": 1}
    other = {**vote, "source": "b.jsonl", "fields": {"correct": "second"}, "draw": 2}
    assert is_repeat(vote, other)
    assert not is_repeat(vote, {**other, "draw": 1})
    assert not is_repeat(vote, {**other, "model": "n"})
    assert not is_repeat(vote, {**other, "protocol": "strict"})
    # People and other judges that name no model are each their own.
    assert not is_repeat(*({k: v for k, v in judge.items() if k != "model"} for judge in (vote, other)))


def test_without_disputed_gold_slices_are_smaller_and_empty_ones_gone() -> None:
    found = [
        r
        for r in rows(cell("one", "+--+-"), cell("other", "++-++"), disputed=("q5", "q1"))
        if r["gold"] == "undisputed"
    ]
    assert [(r["axis"], r["slice"], r["n"], r["only_b"]) for r in found] == [
        ("all", "all", 3, 1),
        ("question_type", "a", 1, 1),
        ("question_type", "b", 2, 0),
    ]


def test_a_judge_that_judged_only_some_rows_counts_on_those() -> None:
    human = [v if n < 2 else v._replace(status="error", correct=None) for n, v in enumerate(verdicts("++---", ""))]
    row = rows(Cell("chain", "gpt-x", "1", "other", human), cell("one", "+-+++"))[0]
    assert (row["n"], row["agree"], row["only_b"], row["n_unjudged"]) == (2, 1, 1, 3)


def test_passes_and_systems_are_apart_and_one_judge_gives_no_rows() -> None:
    found = rows(*(cell(j, "+++++", p) for p in "12" for j in ("one", "other")))
    assert [(r["reader_pass"], r["kappa"]) for r in found if r["axis"] == "all"] == [("1", None), ("2", None)]
    assert rows(cell("one", "+++++")) == []
    assert rows() == []


def test_where_nothing_is_judged_by_both_there_is_no_rate() -> None:
    row = rows(cell("one", "?????"), cell("other", "+++++"))[0]
    assert (row["n"], row["rate"], row["wilson_low"], row["kappa"], row["n_unjudged"]) == (0, None, None, None, 5)


def test_other_answers_a_judge_given_twice_and_missing_rows_are_refused() -> None:
    with pytest.raises(InputError, match="one and other judged different answers"):
        rows(cell("one", "+++++"), cell("other", "+++++", answers="changed"))
    with pytest.raises(InputError, match="judge one of chain, gpt-x, 1 is given twice"):
        rows(cell("one", "+++++"), cell("one", "+++++"))
    with pytest.raises(InputError, match="q5"):
        rows(Cell("chain", "gpt-x", "1", "one", verdicts("+++++")[:4]))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_kappa_equals_that_of_scikit_learn(pairs: list[tuple[bool, bool]]) -> None:
    counts = [pairs.count(p) for p in ((True, True), (True, False), (False, True), (False, False))]
    found = kappa(*counts)
    if len({v for pair in pairs for v in pair}) == 1:
        assert found is None
    else:
        assert found == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True)), abs=1e-12)


def test_the_table_keeps_its_rows(tmp_path: Path) -> None:
    found = rows(cell("one", "+--+-"), cell("other", "++-?+"))
    tables.write_table(tmp_path / "agreement.parquet", found, columns.AGREEMENT)
    assert tables.read_table(tmp_path / "agreement.parquet") == found
    assert all(r.keys() == set(columns.AGREEMENT.names) for r in found)
