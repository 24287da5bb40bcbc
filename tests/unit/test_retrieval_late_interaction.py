"""Late interaction: against a loop over word pieces, worked by hand, and exact whatever is computed together."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.retrieval import late_interaction
from memtrial.retrieval.late_interaction import idf_weights, interaction, max_cosines

SIZES = st.lists(st.integers(0, 4), min_size=1, max_size=5)


def units(rng: np.random.Generator, rows: int, width: int = 16) -> np.ndarray:
    vectors = rng.normal(size=(rows, width))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float16)


def naive(question: np.ndarray, turns: list[np.ndarray]) -> list[list[float]]:
    """The greatest cosine by three loops; 0 where a turn has no word pieces."""
    return [
        [max((float(np.dot(a.astype(float), b.astype(float))) for b in turn), default=0.0) for turn in turns]
        for a in question
    ]


@given(SIZES, SIZES, st.integers(0, 2**32 - 1))
def test_greatest_cosines_are_those_of_a_loop(asked: list[int], sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    questions, turns = [units(rng, n) for n in asked], [units(rng, n) for n in sizes]
    found = max_cosines(questions, turns)
    assert [f.shape for f in found] == [(n, len(sizes)) for n in asked]
    for question, cosines in zip(questions, found, strict=True):
        np.testing.assert_allclose(cosines, np.reshape(naive(question, turns), cosines.shape), atol=1e-3)
        assert cosines.dtype == np.float32


def test_a_turn_without_word_pieces_matches_nothing_and_spoils_no_neighbour() -> None:
    one, other, none = np.array([[1.0, 0.0]]), np.array([[0.6, 0.8]]), np.zeros((0, 2))
    question = np.array([[0.0, 1.0], [-1.0, 0.0]])
    expected = [[0, 0, 0, 0.8, 0], [0, -1, 0, -0.6, 0]]
    np.testing.assert_allclose(max_cosines([question], [none, one, none, other, none])[0], expected, atol=1e-4)
    assert max_cosines([question, none], [none])[0].tolist() == [[0], [0]]
    assert max_cosines([none], [one])[0].shape == (0, 1)


def test_cosines_are_the_same_bits_whatever_is_computed_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    questions, turns = [units(rng, n, 384) for n in (9, 14, 1)], [units(rng, n, 384) for n in range(1, 120)]
    together = max_cosines(questions, turns)
    for number, question in enumerate(questions):
        np.testing.assert_array_equal(max_cosines([question], turns)[0], together[number])
        np.testing.assert_array_equal(max_cosines([question], turns[50:57])[0], together[number][:, 50:57])
    for cells in (1, 3 * sum(map(len, turns))):
        monkeypatch.setattr(late_interaction, "CELLS_AT_ONCE", cells)
        for a, b in zip(max_cosines(questions, turns), together, strict=True):
            np.testing.assert_array_equal(a, b)


def test_equal_pieces_match_wholly_and_products_stay_exact() -> None:
    pieces = units(np.random.default_rng(2), 50, 384)
    diagonal = np.diag(max_cosines([pieces], [p[None] for p in pieces])[0])
    np.testing.assert_allclose(diagonal, 1, atol=1e-3)
    longest = np.abs(late_interaction._on_grid([pieces])).astype(np.int64)
    assert (longest**2).sum(axis=1).max() < 2**24  # beyond, float32 no longer holds every whole number


@given(st.lists(st.integers(0, 9), max_size=5), st.dictionaries(st.integers(0, 9), st.integers(1, 20)))
def test_weights_are_those_of_bm25(question: list[int], frequency: dict[int, int]) -> None:
    expected = [math.log(1 + (20 - frequency.get(i, 0) + 0.5) / (frequency.get(i, 0) + 0.5)) for i in question]
    np.testing.assert_allclose(idf_weights(question, frequency, 20), expected)


def test_a_rare_piece_weighs_more_than_a_common_one_and_none_weighs_less_than_nothing() -> None:
    rare, common, everywhere = idf_weights([1, 2, 3], {1: 1, 2: 50, 3: 100}, 100)
    assert rare > common > everywhere > 0
    assert rare == pytest.approx(math.log(1 + 99.5 / 1.5))


def test_interaction_worked_by_hand() -> None:
    cosines = np.array([[1.0, 0.2, 0.1, 0.4], [0.0, 0.5, 0.6, 0.3]])
    found = interaction(cosines, np.array([2.0, 1.0]), np.arange(4), np.array([0, 0, 0, 1]))
    # First piece: 1, 1 × .85, 1 × .7, .4. Second: .5 × .85 (more than .6 × .7), .6 × .85, .6, .3.
    np.testing.assert_allclose(found.turns, [2 + 0.425, 1.7 + 0.51, 1.4 + 0.6, 0.8 + 0.3])
    np.testing.assert_allclose(found.coverage, [2 * 1.0 + 0.6, 0.8 + 0.3])


@pytest.mark.parametrize(
    ("turns", "expected"), [([0, 1, 2], [1, 0.85, 0.7]), ([0, 2, 3], [1, 0.7, 0]), ([0, 3, 9], [1, 0, 0])]
)
def test_neighbours_are_those_in_the_conversation_not_among_the_scored(turns: list[int], expected: list[float]) -> None:
    found = interaction(np.array([[1.0, 0, 0]]), np.ones(1), np.array(turns), np.zeros(3, int))
    np.testing.assert_allclose(found.turns, expected)


def test_nothing_is_lent_between_sessions() -> None:
    cosines = np.array([[0.9, -0.5, -0.2]])
    found = interaction(cosines, np.ones(1), np.arange(3), np.arange(3))
    np.testing.assert_allclose(found.turns, cosines[0])
    np.testing.assert_allclose(found.coverage, cosines[0])


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_turns_than_neighbours(count: int) -> None:
    found = interaction(np.ones((2, count)), np.ones(2), np.arange(count), np.zeros(count, int))
    assert found.turns.tolist() == [2.0] * count
    assert found.coverage.tolist() == [2.0] * min(count, 1)


def test_a_question_without_word_pieces_scores_nothing() -> None:
    found = interaction(np.zeros((0, 3)), idf_weights([], {}, 3), np.arange(3), np.array([0, 0, 1]))
    assert found.turns.tolist() == [0, 0, 0]
    assert found.coverage.tolist() == [0, 0]


@given(st.integers(1, 4), st.integers(1, 7), st.integers(0, 2**32 - 1))
def test_lending_never_lowers_a_turn_nor_lifts_it_above_its_session(pieces: int, turns: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cosines = rng.uniform(-1, 1, (pieces, turns))
    session_of = np.sort(rng.integers(0, 3, turns))
    numbers = np.sort(rng.choice(20, turns, replace=False))
    weights = rng.uniform(0, 3, pieces)
    found = interaction(cosines, weights, numbers, session_of)
    assert (found.turns >= weights @ cosines - 1e-4).all()
    for session, coverage in zip(np.unique(session_of), found.coverage, strict=True):
        best = np.maximum(cosines[:, session_of == session].max(axis=1), 0)
        assert (found.turns[session_of == session] <= weights @ best + 1e-4).all()
        assert coverage == pytest.approx(weights @ cosines[:, session_of == session].max(axis=1), abs=1e-4)
