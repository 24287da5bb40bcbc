"""The lanes: worked examples, BM25 against its formula, and the tie rules."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.corpus import Corpus
from memtrial.records import Question, Session, Turn
from memtrial.retrieval.lanes import KeywordIndex, dense_scores, expansion_scores, ranking
from memtrial.retrieval.view import View, views
from memtrial.text import stems

PETS = [
    ["My neighbour sold his old boat.", "A fine day for it."],
    ["We adopted a grey dog, and the dog sleeps.", "Dogs do."],
    ["The train to Riga was late.", "Sorry to hear that.", "Next time I fly."],
    ["I planted tomatoes.", "Water them."],
]


def view_of(sessions: Sequence[Sequence[str]]) -> View:
    rows = [Session("c", i, f"s{i}", f"t{i}", None) for i in range(len(sessions))]
    turns = [Turn(f"t{i}", j, "user", "", t, None) for i, texts in enumerate(sessions) for j, t in enumerate(texts)]
    return next(views([Question("q", "c", "?", None, "en", [])], Corpus(rows, turns)))


def bm25(documents: list[list[str]], query: list[str], k1: float = 1.5, b: float = 0.75) -> list[float]:
    """Okapi BM25 by its formula; a negative idf is replaced by a quarter of the mean idf."""
    n, mean = len(documents), sum(map(len, documents)) / len(documents)
    counts = {w: sum(w in d for d in documents) for d in documents for w in d}
    raw = {w: math.log((n - c + 0.5) / (c + 0.5)) for w, c in counts.items()}
    floor = 0.25 * sum(raw.values()) / len(raw)
    idf = {w: floor if v < 0 else v for w, v in raw.items()}
    return [
        sum(idf.get(w, 0) * d.count(w) * (k1 + 1) / (d.count(w) + k1 * (1 - b + b * len(d) / mean)) for w in query)
        for d in documents
    ]


def test_dense_scores_are_cosines_and_a_session_scores_as_its_best_turn() -> None:
    turns = np.array([[1, 0], [0.6, 0.8], [0, 1]], np.float32)
    scores = dense_scores(np.array([[0.8, 0.6], [0, 1]], np.float32), turns)
    np.testing.assert_allclose(scores, [[0.8, 0.96, 0.6], [0, 0.8, 1]], atol=1e-6)
    view = view_of([["a", "b"], ["c"]])
    np.testing.assert_allclose(view.best_per_session(scores), [[0.96, 0.6], [0.8, 1]], atol=1e-6)


def test_a_cosine_does_not_depend_on_the_shape_of_its_product() -> None:
    rng = np.random.default_rng(0)
    questions, turns = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in rng.normal(size=(2, 300, 384)))
    q, t = questions.astype(np.float32), turns.astype(np.float32)
    together = np.round(dense_scores(q, t), 6)
    for rows, columns in ((1, 300), (7, 45), (300, 1)):
        np.testing.assert_array_equal(np.round(dense_scores(q[:rows], t[:columns]), 6), together[:rows, :columns])


@pytest.mark.parametrize("question", ["Which dog did we adopt?", "train to Riga, train", "user", "zebra"])
def test_bm25_scores_follow_the_formula(question: str) -> None:
    view = view_of(PETS)
    sessions, turns = KeywordIndex(view).scores(question)
    by_turn = [stems(f"user: {t}") for s in PETS for t in s]
    by_session = [[w for t in s for w in stems(f"user: {t}")] for s in PETS]
    np.testing.assert_allclose(turns, bm25(by_turn, stems(question)), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(sessions, bm25(by_session, stems(question)), rtol=1e-12, atol=1e-12)


def test_the_keyword_lane_finds_words_across_russian_inflection() -> None:
    view = view_of([["Поезд опоздал."], ["Я гулял с собакой в парке."], ["Купил новые лыжи."]])
    sessions, turns = KeywordIndex(view).scores("Когда я завёл собаку?")
    assert sessions.argmax() == turns.argmax() == 1
    assert (sessions > 0).tolist() == [False, True, False]


def test_texts_without_any_token_are_scored_nothing() -> None:
    rows = [Turn("t", j, "…", "…", text, None) for j, text in enumerate(["!", "?"])]
    view = next(views([Question("q", "c", "?", None, "en", [])], Corpus([Session("c", 0, "s", "t", None)], rows)))
    sessions, turns = KeywordIndex(view).scores("anything?")
    assert sessions.tolist() == [0]
    assert turns.tolist() == [0, 0]
    assert KeywordIndex(view).scores("!")[1].tolist() == [0, 0]


def test_expansion_finds_what_lies_near_the_best_turn_but_not_near_the_question() -> None:
    question = np.array([[1.0, 0, 0]])
    turns = np.array([[0.8, 0.6, 0], [0, 1, 0], [0.1, 0, 0.995]])
    dense = dense_scores(question, turns)[0]
    assert ranking(dense).tolist() == [0, 2, 1]
    near = expansion_scores(dense, turns, seeds=1)
    np.testing.assert_allclose(near, [1, 0.6, 0.08], atol=1e-12)
    assert ranking(near).tolist() == [0, 1, 2]


def test_expansion_takes_the_nearest_of_several_seeds() -> None:
    turns = np.array([[1.0, 0], [0, 1], [0.6, 0.8]])
    near = expansion_scores(np.array([0.9, 0.8, 0.1]), turns, seeds=2)
    np.testing.assert_allclose(near, [1, 1, 0.8])


def test_ties_go_to_the_older_and_differences_below_rounding_are_ties() -> None:
    assert ranking(np.array([0.5, 0.7, 0.5, 0.7])).tolist() == [1, 3, 0, 2]
    assert ranking(np.array([0.3, 0.3 + 4e-7])).tolist() == [0, 1]
    assert ranking(np.array([0.3, 0.3 + 2e-6])).tolist() == [1, 0]
    assert ranking(np.array([])).tolist() == []


@given(st.lists(st.integers(-3, 3)))
def test_a_ranking_is_a_stable_descending_sort(scores: list[int]) -> None:
    assert ranking(np.array(scores, float)).tolist() == sorted(range(len(scores)), key=lambda i: (-scores[i], i))
