"""The rerank stage: which turns are scored, how scores become an order, and what the cache may not change."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.corpus import Corpus
from memtrial.records import Candidate, Question, Reranked, Session, Turn, TurnHit, TurnScore
from memtrial.retrieval import rerank as stage
from memtrial.retrieval.cache import ScoreCache
from memtrial.retrieval.rerank import (
    Progress,
    Task,
    fused_scores,
    rerank_cross,
    rerank_late,
    rerank_none,
    select_turns,
    standardised,
)
from memtrial.retrieval.view import View, views

LATE: dict[str, Any] = {
    "max_pieces": 1000, "weights": {"coverage": 0.5, "keyword": 0.5}, "measured_turns": 3, "date_header": False,
}  # fmt: skip
CROSS: dict[str, Any] = {"max_turns": 100, "measured_turns": 3, "date_header": False}
WORDS = [f"w{i}" for i in range(60)]


class WordEncoder:
    """A piece a word, each with a fixed random unit vector; keeps which texts it encoded."""

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def piece_ids(self, texts: Sequence[str]) -> list[list[int]]:
        return [[crc32(w.encode()) for w in t.split()] for t in texts]

    def pieces(self, texts: Sequence[str]) -> list[np.ndarray]:
        self.encoded += texts
        return [np.array([self._vector(i) for i in ids]).reshape(-1, 64) for ids in self.piece_ids(texts)]

    @staticmethod
    def _vector(number: int) -> np.ndarray:
        vector = np.random.default_rng(number).normal(size=64)
        return (vector / np.linalg.norm(vector)).astype(np.float16)


class SharedWords:
    """Scores a pair by the words it shares; keeps the pairs it scored."""

    def __init__(self) -> None:
        self.scored: list[tuple[str, str]] = []

    def scores(self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None) -> np.ndarray:
        self.scored += pairs
        return np.array([len({*q.split()} & {*p.split()}) + len(p) / 3e4 for q, p in pairs])


class Setting:
    """Two conversations of random words, questions on both, every session with a word a candidate."""

    def __init__(self, seed: int = 0, rename: Callable[[str], str] = str) -> None:
        rng = random.Random(seed)
        self.sessions = [Session(c, p, f"s{p}", f"{c}{p}", None) for c in "cd" for p in range(6)]
        self.turns = [
            Turn(s.content_id, j, "user", "", " ".join(rng.choices(WORDS, k=rng.randint(0, 9))), None)
            for s in self.sessions
            for j in range(rng.randint(1, 5))
        ]
        self.corpus = Corpus(self.sessions, self.turns)
        self.questions = [
            Question(rename(f"q{n}"), "cd"[n % 2], " ".join(rng.choices(WORDS, k=4)), None, "en", []) for n in range(6)
        ]
        self.candidates = [c for q in self.questions for c in self._pool(q, rng)]

    def _pool(self, question: Question, rng: random.Random) -> list[Candidate]:
        view = next(views([question], self.corpus))
        order = rng.sample(range(len(view.sessions)), len(view.sessions))
        pool = []
        for rank, i in enumerate(order, 1):
            turns = view.turn_of[view.session_of == i].tolist()
            hits = [TurnHit(t, rng.randint(1, 9), None) for t in turns if rng.random() < 0.4]
            keyword = rng.random() * 4
            p = view.sessions[i].position
            pool.append(Candidate(question.question_id, p, rank, rank, 0.1, None, keyword, None, 0.1, None, hits))
        return pool

    def late(self, cache: Path, encoder: WordEncoder | None = None, **spec: Any) -> list[Reranked]:
        asked, pool, spec = self.questions, self.candidates, {**LATE, **spec}
        return list(rerank_late(asked, self.corpus, pool, encoder or WordEncoder(), ScoreCache(cache), spec))

    def cross(self, cache: Path, scorer: SharedWords | None = None, **spec: Any) -> list[Reranked]:
        asked, pool, spec = self.questions, self.candidates, {**CROSS, **spec}
        return list(rerank_cross(asked, self.corpus, pool, scorer or SharedWords(), ScoreCache(cache), spec))


def small_view() -> tuple[View, list[Candidate]]:
    """Sessions of 2, 3 and 1 turns (view turns 0-1, 2-4, 5); pool order 1, 0; session 2 is not pooled."""
    sizes = [2, 3, 1]
    sessions = [Session("c", i, "s", f"t{i}", None) for i in range(3)]
    turns = [Turn(f"t{i}", j, "user", "", "x", None) for i, n in enumerate(sizes) for j in range(n)]
    view = next(views([Question("q", "c", "?", None, "en", [])], Corpus(sessions, turns)))
    hits = {1: [TurnHit(2, 2, None)], 0: [TurnHit(0, 3, None), TurnHit(1, 5, 1)]}
    return view, [Candidate("q", p, r, r, 0, None, 0, None, 0, None, hits[p]) for r, p in enumerate((1, 0), 1)]


def by_key(rows: list[Reranked]) -> list[Reranked]:
    return sorted(rows, key=lambda r: (r.question_id, r.rank))


@pytest.mark.parametrize(
    ("limit", "chosen"), [(0, []), (1, [1]), (2, [1, 4]), (3, [0, 1, 4]), (4, [0, 1, 2, 4]), (9, [0, 1, 2, 3, 4])]
)
def test_turns_that_a_lane_put_forward_go_first_then_the_pool_in_order(limit: int, chosen: list[int]) -> None:
    view, candidates = small_view()
    assert select_turns(view, candidates, np.ones(6), limit).tolist() == chosen


def test_a_turn_that_does_not_fit_makes_way_for_a_smaller_one() -> None:
    view, candidates = small_view()
    assert select_turns(view, candidates, np.array([1, 8, 2, 2, 3, 1]), 6).tolist() == [0, 2, 4]


@given(st.lists(st.integers(0, 9), min_size=6, max_size=6), st.integers(0, 40))
def test_chosen_turns_are_of_the_pool_within_the_limit_and_no_other_would_fit(costs: list[int], limit: int) -> None:
    view, candidates = small_view()
    chosen = select_turns(view, candidates, np.array(costs), limit).tolist()
    assert chosen == sorted(set(chosen)) and set(chosen) <= set(range(5))
    spent = sum(costs[n] for n in chosen)
    assert spent <= limit
    assert all(spent + costs[n] > limit for n in set(range(5)) - set(chosen))


@given(st.lists(st.integers(-50, 50).map(lambda n: n / 10), min_size=1, max_size=8))
def test_standardised_values_have_mean_nought_and_spread_one(values: list[float]) -> None:
    found = standardised(np.array(values))
    assert found.mean() == pytest.approx(0, abs=1e-9)
    assert found.std() == pytest.approx(float(len(set(values)) > 1), abs=1e-9)


def test_equal_values_standardise_to_noughts() -> None:
    assert standardised(np.array([0.1, 0.1, 0.1])).tolist() == [0, 0, 0]


def test_session_scores_worked_by_hand() -> None:
    keyword = [4.0, None, 2.0, 2.0]
    pool = [Candidate("q", p, p + 1, None, 0, None, k, None, 0, None, []) for p, k in enumerate(keyword)]
    task = Task(Question("q", "c", "?", None, "en", []), pool, np.arange(3))
    turns, of = np.array([3.0, 5.0, 1.0]), np.array([0, 0, 1])
    weights = {"coverage": 0.5, "keyword": 2.0}
    # Best turns 5 and 1; the two of which none was scored get the least, 1. Spreads: √3, √2, √2.
    found = fused_scores(task, turns, np.array([4.0, 2.0, 0.0, 2.0]), of, weights)
    best, key = np.array([3, -1, -1, -1]) / 3**0.5, np.array([2, -2, 0, 0]) / 2**0.5
    cover = np.array([2, 0, -2, 0]) / 2**0.5
    np.testing.assert_allclose(found, best + 0.5 * cover + 2 * key, atol=1e-6)
    nothing = fused_scores(task, turns[:0], np.zeros(4), of[:0], weights)
    np.testing.assert_allclose(nothing, 2 * key, atol=1e-6)


@pytest.mark.parametrize("limit", [1000, 25, 1])
def test_every_candidate_is_ranked_once_and_scores_descend(tmp_path: Path, limit: int) -> None:
    setting = Setting()
    rows = by_key(setting.late(tmp_path, max_pieces=limit))
    for question in setting.questions:
        mine = [r for r in rows if r.question_id == question.question_id]
        pool = [c for c in setting.candidates if c.question_id == question.question_id]
        assert [r.rank for r in mine] == list(range(1, len(pool) + 1))
        assert {r.position for r in mine} == {c.position for c in pool}
        assert [r.score for r in mine] == sorted((r.score for r in mine), reverse=True)
        scored = sorted(t.rank for r in mine for t in r.turns)
        assert scored == list(range(1, len(scored) + 1)) and len(scored) <= LATE["measured_turns"]
        assert all(r.best_chunk in [t.turn_index for t in r.turns] for r in mine if r.turns)


def test_late_interaction_prefers_the_session_that_holds_the_words(tmp_path: Path) -> None:
    texts = [["red fox", "blue"], ["green hill", "a red fox den"], ["sand"]]
    sessions = [Session("c", i, "s", f"t{i}", None) for i in range(3)]
    turns = [Turn(f"t{i}", j, "user", "", t, None) for i, ts in enumerate(texts) for j, t in enumerate(ts)]
    pool = [Candidate("q", p, r, r, 0, None, 0.0, None, 0, None, []) for r, p in enumerate((2, 0, 1), 1)]
    questions = [Question("q", "c", "red fox den", None, "en", [])]
    rows = list(rerank_late(questions, Corpus(sessions, turns), pool, WordEncoder(), ScoreCache(tmp_path), LATE))
    assert [r.position for r in rows] == [1, 0, 2]
    assert [r.best_chunk for r in rows] == [1, 0, 0]
    assert [[(t.turn_index, t.rank) for t in r.turns] for r in rows] == [[(0, 2), (1, 1)], [(0, 3)], []]


def test_late_interaction_does_not_depend_on_order_or_names_of_questions(tmp_path: Path) -> None:
    setting, renamed = Setting(), Setting(rename=lambda q: f"z{9 - int(q[1:])}")
    rows = by_key(setting.late(tmp_path / "a"))
    setting.questions.reverse()
    random.Random(1).shuffle(setting.candidates)
    assert by_key(setting.late(tmp_path / "b")) == rows
    back = {f"z{9 - n}": f"q{n}" for n in range(6)}
    assert by_key([r._replace(question_id=back[r.question_id]) for r in renamed.late(tmp_path / "c")]) == rows


@pytest.mark.parametrize("pieces_at_once", [0, 40, 1 << 20])
def test_what_is_taken_together_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pieces_at_once: int
) -> None:
    rows = by_key(Setting().late(tmp_path / "a"))
    monkeypatch.setattr(stage, "PIECES_AT_ONCE", pieces_at_once)
    assert by_key(Setting().late(tmp_path / "b")) == rows


def test_a_warm_run_gives_the_same_records_and_encodes_nothing(tmp_path: Path) -> None:
    cold, warm = WordEncoder(), WordEncoder()
    rows = Setting().late(tmp_path, cold)
    assert len(cold.encoded) > 10
    assert Setting().late(tmp_path, warm) == rows
    assert warm.encoded == []


def test_a_cache_that_holds_a_part_changes_no_score(tmp_path: Path) -> None:
    rows = Setting().late(tmp_path / "whole")
    part, encoder = Setting(), WordEncoder()
    part.questions = part.questions[:4]
    part.late(tmp_path / "part", max_pieces=20)
    assert Setting().late(tmp_path / "part", encoder) == rows
    assert encoder.encoded != []


def test_questions_without_candidates_or_sessions_yield_nothing(tmp_path: Path) -> None:
    setting = Setting()
    seen: list[tuple[int, int]] = []
    nobody = Question("q9", "nowhere", "w1 w2", None, "en", [])
    asked = [*setting.questions, nobody]
    pool = [c for c in setting.candidates if c.question_id != "q1"]
    cache = ScoreCache(tmp_path)
    rows = list(rerank_late(asked, setting.corpus, pool, WordEncoder(), cache, LATE, lambda *p: seen.append(p)))
    assert {r.question_id for r in rows} == {"q0", "q2", "q3", "q4", "q5"}
    assert seen[-1] == (7, 7)
    assert list(rerank_late(asked, setting.corpus, [], WordEncoder(), cache, LATE)) == []
    assert list(rerank_cross(asked, setting.corpus, [], SharedWords(), cache, CROSS)) == []


def test_a_question_without_word_pieces_keeps_the_order_of_its_keyword_scores(tmp_path: Path) -> None:
    setting = Setting()
    setting.questions = [setting.questions[0]._replace(question="")]
    rows = setting.late(tmp_path)
    pool = [c for c in setting.candidates if c.question_id == "q0"]
    by_keyword = sorted(pool, key=lambda c: -(c.keyword_score or 0))
    assert [r.position for r in rows if r.question_id == "q0"] == [c.position for c in by_keyword]


def test_a_cross_encoder_ranks_sessions_by_their_best_turn_and_the_unscored_last(tmp_path: Path) -> None:
    candidates = small_view()[1]
    texts = [["a b", "a"], ["c", "x", "a c"], ["a b c"]]
    turns = [Turn(f"t{i}", j, "user", "", t, None) for i, ts in enumerate(texts) for j, t in enumerate(ts)]
    corpus = Corpus([Session("c", i, "s", f"t{i}", None) for i in range(3)], turns)
    unscored = candidates[0]._replace(position=2, pool_rank=3, turns=[])
    question = Question("q", "c", "a b c", None, "en", [])
    spec = {**CROSS, "max_turns": 3}
    rows = list(rerank_cross([question], corpus, [*candidates, unscored], SharedWords(), ScoreCache(tmp_path), spec))
    # Scored are turns 0 and 1 of session 0 and turn 2 of session 1; "user: a b" and "user: a c" are equally near.
    assert [(r.position, r.rank, r.best_chunk) for r in rows] == [(1, 1, 2), (0, 2, 0), (2, 3, None)]
    near, far = round(2 + 9 / 3e4, 6), round(1 + 7 / 3e4, 6)
    assert [r.score for r in rows] == pytest.approx([near, near, far - 1], abs=1e-6)
    turn_scores = [[t._replace(score=round(t.score, 5)) for t in r.turns] for r in rows]
    near, far = round(near, 5), round(far, 5)
    assert turn_scores == [[TurnScore(2, near, 2)], [TurnScore(0, near, 1), TurnScore(1, far, 3)], []]


def test_cross_encoder_scores_are_cached_and_each_pair_is_scored_once(tmp_path: Path) -> None:
    cold, warm = SharedWords(), SharedWords()
    rows = Setting().cross(tmp_path, cold)
    assert len(cold.scored) == len(set(cold.scored)) > 10
    assert Setting().cross(tmp_path, warm) == rows
    assert warm.scored == []
    half = Setting()
    half.questions = half.questions[:3]
    half.cross(tmp_path / "half", max_turns=3)
    assert Setting().cross(tmp_path / "half") == rows


def test_a_cross_encoder_does_not_depend_on_the_order_of_questions(tmp_path: Path) -> None:
    setting = Setting()
    rows = by_key(setting.cross(tmp_path / "a"))
    setting.questions.reverse()
    random.Random(1).shuffle(setting.candidates)
    assert by_key(setting.cross(tmp_path / "b")) == rows


def test_without_a_reranker_the_pool_order_stands() -> None:
    setting = Setting()
    rows = list(rerank_none(random.Random(2).sample(setting.candidates, len(setting.candidates))))
    assert by_key(rows) == [
        Reranked(c.question_id, c.position, c.pool_rank, -float(c.pool_rank), None, []) for c in setting.candidates
    ]
