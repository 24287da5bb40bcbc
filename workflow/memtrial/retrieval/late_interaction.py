"""Late interaction over the embedder's own word-piece vectors: a reranker that needs no weights of its own.

For each word piece of the question the greatest cosine among a turn's word pieces (MaxSim; Khattab & Zaharia 2020,
ColBERT), here summed with inverse-document-frequency weights instead of equal ones, since a model that was not trained
for late interaction spends as much similarity on "did" as on "dermatologist". Two further steps, both on the same
matrix: a turn may borrow a word's match from its neighbours at a discount (a question and its answer stand in two
turns), and a session has, beside its best turn, a coverage: the weighted sum of each word's best match anywhere in it.
What each step is worth was measured: README.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

NEIGHBOUR_DISCOUNTS = (0.85, 0.7)
CELLS_AT_ONCE = 1 << 26
GRID = 4000
DIGITS = 4


class Interaction(NamedTuple):
    """Scores of one question: `turns` float64 [turns] and `coverage` float64 [sessions]."""

    turns: np.ndarray
    coverage: np.ndarray


def max_cosines(question_pieces: Sequence[np.ndarray], turn_pieces: Sequence[np.ndarray]) -> list[np.ndarray]:
    """For each question [word pieces, d] its greatest cosines float32 [word pieces, turns]: one matrix product for all.

    Rows are unit vectors. A turn without word pieces matches nothing: 0. Work is cut so that no product holds more
    than `CELLS_AT_ONCE` numbers (256 MiB).
    """
    lengths = np.array([len(p) for p in turn_pieces])
    filled = lengths > 0
    starts = (np.cumsum(lengths) - lengths)[filled]
    turns, queries = _on_grid(turn_pieces).T, _on_grid(question_pieces)
    best = np.zeros((len(queries), len(lengths)), np.float32)
    rows_at_once = max(1, CELLS_AT_ONCE // max(1, turns.shape[1]))
    for start in range(0, len(queries), rows_at_once):
        products = queries[start : start + rows_at_once] @ turns
        best[start : start + rows_at_once, filled] = np.maximum.reduceat(products, starts, axis=1)
    sizes = [len(p) for p in question_pieces]
    return np.split(np.round(best / GRID**2, DIGITS), np.cumsum(sizes)[:-1])


def _on_grid(pieces: Sequence[np.ndarray]) -> np.ndarray:
    """Unit rows as whole multiples of 1 / GRID (error of a cosine: about 1e-4), float32.

    A sum of their products is a whole number below 2^24, which float32 holds exactly. So a product does not depend on
    the order of summation, hence on its shape or the number of cores, and what a cache held cannot show in a score.
    """
    return np.asarray(np.round(np.concatenate(pieces).astype(np.float32) * GRID))


def idf_weights(question_ids: Sequence[int], frequency: dict[int, int], turns: int) -> np.ndarray:
    """Weights [word pieces]: ln(1 + (N - n + ½) / (n + ½)), as BM25 has it, over `turns` turns of the conversation."""
    counts = [frequency.get(i, 0) for i in question_ids]
    return np.array([math.log(1 + (turns - n + 0.5) / (n + 0.5)) for n in counts])


def interaction(cosines: np.ndarray, weights: np.ndarray, turns: np.ndarray, session_of: np.ndarray) -> Interaction:
    """Scores from greatest cosines [word pieces, scored turns].

    `turns` [scored turns], ascending, numbers the scored turns among all turns of the view, so that turns are
    neighbours by where they stand and not by which of them were scored; `session_of` [scored turns] is ascending.
    Neighbours lend within a session only; of the borrowed and the own match the greater counts.
    """
    lent = cosines.copy()
    discounts = np.array([*NEIGHBOUR_DISCOUNTS, 0.0])
    for offset in range(1, len(discounts)):
        apart = np.minimum(turns[offset:] - turns[:-offset], len(discounts))
        discount = discounts[apart - 1] * (session_of[offset:] == session_of[:-offset])
        ahead = np.where(discount > 0, cosines[:, offset:] * discount, -1.0)
        behind = np.where(discount > 0, cosines[:, :-offset] * discount, -1.0)
        lent[:, offset:] = np.maximum(lent[:, offset:], behind)
        lent[:, :-offset] = np.maximum(lent[:, :-offset], ahead)
    starts = np.flatnonzero(np.diff(session_of, prepend=-1))
    coverage = weights @ np.maximum.reduceat(cosines, starts, axis=1)
    return Interaction(np.round(weights @ lent, DIGITS), np.round(coverage, DIGITS))
