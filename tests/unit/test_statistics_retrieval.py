from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import label_ranking_average_precision_score, ndcg_score

from memtrial.corpus import Corpus
from memtrial.errors import InputError
from memtrial.records import (
    Candidate,
    Evidence,
    Gold,
    Packet,
    Question,
    Reranked,
    Session,
    Slot,
    Turn,
    TurnHit,
    TurnScore,
)
from memtrial.statistics.retrieval import RetrievalCell, measures, padded, rank_rows, rate_rows

SPEC = {"statistics": {"resamples": 400, "seed": 20260830, "confidence": 0.95, "ks": [1, 2, 16]}}


def candidate(
    i: str, position: int, pool: int, dense: int | None, keyword: int | None, hits: list[TurnHit]
) -> Candidate:
    return Candidate(i, position, pool, dense, 1.0, keyword, 1.0, None, None, None, hits)


def packet(i: str, positions: list[int]) -> Packet:
    return showing(i, *(Slot(n, p, "prefix", "whole", None, 0, 1, 1) for n, p in enumerate(positions, 1)))


def showing(i: str, *slots: Slot) -> Packet:
    return Packet(i, "coverage", list(slots[::-1]), [], "", 0, 0, None, "")


def evidence(i: str, position: int | None, turn: int | None = None, resolved: bool = True) -> Evidence:
    return Evidence(i, position, turn, f"D{position}:{turn}", resolved)


QUESTIONS = [Question(i, f"c-{i}", "?", None, "en", []) for i in ("q1", "q2", "q3", "q4")]
GOLD = [Gold("q1", ["x"], "multi", {}, False), Gold("q2", ["x"], "single", {}, False)]
GOLD += [Gold("q3", ["x"], "single", {}, False), Gold("q4", ["x"], "single", {}, True)]
# q1: sessions 5 and 7 (two turns of 5); q2: session 3, no turn; q3: nothing resolves; q4: abstention.
EVIDENCE = [
    evidence("q1", 5, 0),
    evidence("q1", 5, 2),
    evidence("q1", 7, 1),
    evidence("q2", 3),
    evidence("q2", None, None, False),
]
EVIDENCE += [evidence("q3", None, None, False), evidence("q4", 0)]
CANDIDATES = [
    candidate("q1", 5, 1, 1, 2, [TurnHit(2, 1, None), TurnHit(0, 4, 1)]),
    candidate("q1", 9, 2, 2, 1, [TurnHit(0, 2, 2)]),
    candidate("q1", 7, 3, 3, None, [TurnHit(1, 3, 9)]),
    candidate("q2", 8, 1, 1, None, []),
    candidate("q2", 3, 2, None, 1, []),
    candidate("q4", 0, 1, 1, 1, []),
]
RERANKED = [
    Reranked("q1", 7, 1, 3.0, 1, [TurnScore(1, 3.0, 1)]),
    Reranked("q1", 5, 2, 2.0, 2, [TurnScore(2, 2.0, 2), TurnScore(0, 1.0, 3)]),
    Reranked("q2", 3, 1, 1.0, None, []),
    Reranked("q4", 0, 1, 1.0, None, []),
]
PACKETS = [packet("q1", [9, 5, 5, 7]), packet("q2", [8]), packet("q3", []), packet("q4", [0])]
# Every conversation has ten sessions of three turns, the second of two lines: date, turn 0, turn 1 twice, turn 2.
SESSIONS = [Session(q.conversation_id, p, f"s{p}", f"t{p}", None) for q in QUESTIONS for p in range(10)]
TEXTS = ("one", "two\nlines", "three")
TURNS = [Turn(f"t{p}", n, "user", "Ann", text, None) for p in range(10) for n, text in enumerate(TEXTS)]
CORPUS = Corpus(SESSIONS, TURNS)
CELL = RetrievalCell("chain", CORPUS, CANDIDATES, RERANKED, PACKETS)


def values(rows: list[dict[str, Any]]) -> dict[str, float]:
    return {f"{r['stage']} {r['level']} {r['metric']}@{r['k']} {r['slice']}": r["value"] for r in rows}


def rates(
    questions: list[Question], gold: list[Gold], evidence: list[Evidence], cell: RetrievalCell, spec: dict[str, Any]
) -> list[dict[str, Any]]:
    return rate_rows(questions, gold, cell.system, rank_rows(questions, gold, evidence, cell, spec), spec)


def test_ranks_of_the_worked_example() -> None:
    found = {
        (r["question_id"], r["level"], r["stage"]): (r["ranks"], r["n_gold"])
        for r in rank_rows(QUESTIONS, GOLD, EVIDENCE, CELL, SPEC)
    }
    assert found == {
        ("q1", "session", "dense"): ([1, 3], 2),
        ("q1", "session", "keyword"): ([2], 2),
        ("q1", "session", "pool"): ([1, 3], 2),
        ("q1", "session", "reranked"): ([1, 2], 2),
        ("q1", "session", "packet"): ([2, 3], 2),
        ("q2", "session", "dense"): ([], 1),
        ("q2", "session", "keyword"): ([1], 1),
        ("q2", "session", "pool"): ([2], 1),
        ("q2", "session", "reranked"): ([1], 1),
        ("q2", "session", "packet"): ([], 1),
        ("q1", "turn", "dense"): ([1, 3, 4], 3),
        ("q1", "turn", "keyword"): ([1, 9], 3),
        ("q1", "turn", "reranked"): ([1, 2, 3], 3),
        ("q1", "turn", "packet"): ([2, 2, 4], 3),
    }


def test_rank_rows_tell_every_recall() -> None:
    row = next(
        r for r in rank_rows(QUESTIONS, GOLD, EVIDENCE, CELL, SPEC) if r["stage"] == "dense" and r["level"] == "session"
    )
    assert (row["rank_first"], row["rank_all"]) == (1, 3)
    missed = next(
        r
        for r in rank_rows(QUESTIONS, GOLD, EVIDENCE, CELL, SPEC)
        if r["question_id"] == "q2" and r["stage"] == "packet"
    )
    assert (missed["rank_first"], missed["rank_all"]) == (None, None)


@pytest.mark.parametrize(
    ("form", "kept", "chars", "shown"),
    [
        ("whole", None, 99, {0, 1, 2}),
        ("extracted", [0, 1, 3, 4], 99, {0, 2}),
        ("turns", [0, 2, 3], 99, {1}),
        ("cut", [0, 1, 2, 3], 37, {0, 1}),  # 13 + 1 + 8 + 1 + 8 + 1 + 5 characters are 37: "lines" is whole
        ("cut", [0, 1, 2, 3], 36, {0}),
        ("cut", [0, 1, 2], 30, {0}),
        ("cut", [0, 2, 3], 29, set()),  # with lines elided before it, the last line counts as broken
    ],
)
def test_a_packet_shows_the_turns_that_stand_in_a_slot_whole(
    form: str, kept: list[int] | None, chars: int, shown: set[int]
) -> None:
    slot = Slot(1, 5, "prefix", form, kept, 0, chars, 99)
    for turn in range(3):
        cell = RetrievalCell("chain", CORPUS, [], [], [showing("q1", slot)])
        (row,) = (
            r for r in rank_rows(QUESTIONS, GOLD[:1], [evidence("q1", 5, turn)], cell, SPEC) if r["level"] == "turn"
        )
        assert row["ranks"] == ([1] if turn in shown else []), turn


def test_the_first_slot_that_shows_a_turn_ranks_it_and_a_blank_turn_is_never_shown() -> None:
    slots = [Slot(1, 5, "passage", "turns", [0, 1], 3, 9, 99), Slot(2, 5, "passage", "turns", [0, 1, 4], 2, 9, 99)]
    cell = RetrievalCell("rag", CORPUS, [], [], [showing("q1", *slots)])
    needed = [evidence("q1", 5, 0), evidence("q1", 5, 2)]
    row = rank_rows(QUESTIONS, GOLD[:1], needed, cell, SPEC)[-1]
    assert (row["stage"], row["level"], row["ranks"], row["rank_all"]) == ("packet", "turn", [1, 2], 2)
    blank = Corpus(SESSIONS, [t._replace(text=" ") if t.turn_index == 0 else t for t in TURNS])
    cell = RetrievalCell("chain", blank, [], [], [packet("q1", [5])])
    row = rank_rows(QUESTIONS, GOLD[:1], needed, cell, SPEC)[-1]
    assert (row["ranks"], row["rank_all"]) == ([1], None)


def test_turns_of_a_packet_have_no_ndcg_since_they_share_ranks() -> None:
    rows = rates(QUESTIONS, GOLD, EVIDENCE, CELL, SPEC)
    found = values(rows)
    assert found["packet turn gold_complete@None all"] == found["packet turn recall_all@16 all"] == 1.0
    assert found["packet turn recall_any@1 all"] == found["packet turn recall_all@2 all"] == 0.0
    assert not any(r["metric"] == "ndcg" for r in rows if (r["stage"], r["level"]) == ("packet", "turn"))


def test_rates_of_the_worked_example() -> None:
    rows = rates(QUESTIONS, GOLD, EVIDENCE, CELL, SPEC)
    found = values(rows)
    assert found["dense session recall_any@1 all"] == 0.5
    assert found["dense session recall_all@2 all"] == 0.0
    assert found["pool session recall_all@16 all"] == 1.0
    assert found["reranked session mrr@16 all"] == 1.0
    assert found["pool session mrr@2 question_type=single"] == 0.5
    assert found["dense session ndcg@16 question_type=multi"] == pytest.approx(
        (1 + 1 / 2) / (1 + 1 / np.log2(3)), abs=1e-6
    )
    assert found["packet session recall_all@16 all"] == found["packet session gold_complete@None all"] == 0.5
    assert found["packet session recall_all@2 question_type=multi"] == 0.0
    assert found["reranked turn recall_all@2 all"] == 0.0
    assert found["reranked turn recall_all@16 all"] == 1.0
    assert {(r["level"], r["slice"], r["n"]) for r in rows} == {
        ("session", "all", 2), ("session", "question_type=multi", 1), ("session", "question_type=single", 1),
        ("turn", "all", 1), ("turn", "question_type=multi", 1),
    }  # fmt: skip
    assert not any("expansion" in name for name in found)
    assert all(r["ci_low"] <= r["value"] <= r["ci_high"] for r in rows)
    assert list(rows[0]) == ["system", "stage", "level", "metric", "k", "slice", "n", "value", "ci_low", "ci_high"]


def test_abstention_questions_count_only_if_asked() -> None:
    spec = {"statistics": {**SPEC["statistics"], "retrieval_abstention": "include"}}
    rows = rates(QUESTIONS, GOLD, EVIDENCE, CELL, spec)
    assert {r["n"] for r in rows if r["level"] == "session" and r["slice"] == "all"} == {3}


def test_row_order_changes_nothing() -> None:
    shuffled = RetrievalCell("chain", CORPUS, CANDIDATES[::-1], RERANKED[::-1], PACKETS[::-1])
    there = rates(QUESTIONS, GOLD, EVIDENCE, CELL, SPEC)
    assert there == rates(QUESTIONS[::-1], GOLD[::-1], EVIDENCE[::-1], shuffled, SPEC)


def test_intervals_cluster_by_conversation() -> None:
    """Four conversations found, four missed, ten questions each: a resample holds eight conversations whole."""
    ids = [f"q{n:02}" for n in range(80)]
    gold = [Gold(i, ["x"], "single", {}, False) for i in ids]
    needed = [evidence(i, 1) for i in ids]
    packets = [packet(i, [1] if i < "q40" else [2]) for i in ids]
    together = [Question(i, f"c{i[1]}", "?", None, "en", []) for i in ids]
    apart = [Question(i, i, "?", None, "en", []) for i in ids]
    wide, narrow = (
        rates(q, gold, needed, RetrievalCell("full-context", Corpus([], []), [], [], packets), SPEC)[-1]
        for q in (together, apart)
    )
    assert (wide["value"], wide["ci_low"], wide["ci_high"]) == (0.5, 1 / 8, 7 / 8)
    assert 0.35 < narrow["ci_low"] < narrow["ci_high"] < 0.65


def test_faults_are_named() -> None:
    with pytest.raises(InputError, match=r"chain/packets\.parquet: no packet for q2"):
        rank_rows(QUESTIONS, GOLD, EVIDENCE, CELL._replace(packets=PACKETS[:1]), SPEC)
    with pytest.raises(InputError, match=r"chain/reranked\.parquet.*q4"):
        rank_rows(QUESTIONS, GOLD, EVIDENCE, CELL._replace(reranked=RERANKED[:-1]), SPEC)
    with pytest.raises(InputError, match=r"evidence\.parquet, row q1"):
        rank_rows(QUESTIONS, GOLD, [evidence("q1", None)], CELL, SPEC)
    with pytest.raises(InputError, match="count from 1, found 0"):
        rank_rows(
            QUESTIONS,
            GOLD,
            EVIDENCE,
            CELL._replace(candidates=[CANDIDATES[0]._replace(dense_rank=0), *CANDIDATES[1:]]),
            SPEC,
        )


@given(
    st.integers(2, 30).flatmap(lambda n: st.tuples(st.permutations(range(1, n + 1)), st.integers(1, n))),
    st.integers(1, 35),
)
def test_ndcg_and_mrr_equal_scikit_learn(ranking: tuple[list[int], int], k: int) -> None:
    """`ranking`: the rank of each of n items, the first `gold` of which are relevant."""
    ranks, gold = ranking
    relevant = np.zeros((1, len(ranks)))
    relevant[0, :gold] = 1
    scores = -np.array([ranks], dtype=float)
    found = measures(padded([sorted(ranks[:gold])]), np.array([gold]), k)[0]
    assert found[2] == pytest.approx(ndcg_score(relevant, scores, k=k), abs=1e-12)
    # With a single relevant item the average precision of a ranking is its reciprocal rank.
    alone = np.zeros((1, len(ranks)))
    alone[0, 0] = 1
    reciprocal = label_ranking_average_precision_score(alone, scores)
    assert measures(padded([[ranks[0]]]), np.array([1]), len(ranks))[0, 3] == pytest.approx(reciprocal)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=6, unique=True), st.integers(0, 3))
def test_laws_of_the_measures(found: list[int], missing: int) -> None:
    n_gold = np.array([len(found) + missing])
    at = [measures(padded([sorted(found)]), n_gold, k)[0] for k in range(1, 45)]
    for any_, all_, ndcg, mrr in at:
        assert all_ <= any_ and 0 <= ndcg <= 1 + 1e-12 and mrr <= any_
    for column in (0, 1, 3):
        assert all(a[column] <= b[column] for a, b in pairwise(at))
    assert at[-1][1] == (missing == 0)
