"""The three lanes. Each gives every session of a view a score; the best of them it nominates.

dense      cosine of question and turn vectors; a session scores as its best turn
keyword    BM25 Okapi (rank-bm25) over stems, both roles; over whole sessions, and over turns for the turn ranking
expansion  nearness of a turn to any of the question's best turns, so that evidence which shares neither words nor
           direction with the question is found through evidence that does (comparison of designs: README.md)
"""

from __future__ import annotations

import numpy as np
from rank_bm25 import BM25Okapi

from memtrial.retrieval.view import View
from memtrial.text import stems

DIGITS = 6


def ranking(scores: np.ndarray) -> np.ndarray:
    """Indices [n] from best to worst; scores are rounded first, ties keep the order of the items (older first)."""
    return np.argsort(-np.round(scores, DIGITS), kind="stable")


def dense_scores(question_vectors: np.ndarray, turn_vectors: np.ndarray) -> np.ndarray:
    """Cosines float64 [questions, turns] of unit vectors."""
    return _cosines(question_vectors, turn_vectors)


def _cosines(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Summed in double precision: in single, the shape of a product shows in the digits that scores are rounded to."""
    return np.asarray(a.astype(np.float64, copy=False) @ b.astype(np.float64, copy=False).T)


class TermScores:
    """BM25 over documents; a term's scores are the same in every question, so they are computed once."""

    def __init__(self, documents: list[list[str]]) -> None:
        self._index = BM25Okapi(documents)
        self._known: dict[str, np.ndarray] = {}

    def __call__(self, query: list[str]) -> np.ndarray:
        """Scores float64 [documents], as `BM25Okapi.get_scores` sums them."""
        total = np.zeros(self._index.corpus_size)
        for term in query:
            if term not in self._known:
                self._known[term] = self._index.get_scores([term])
            total += self._known[term]
        return total


class KeywordIndex:
    """BM25 over a view's sessions and over its turns."""

    def __init__(self, view: View) -> None:
        by_turn = [stems(t) or [""] for t in view.texts]
        by_session: list[list[str]] = [[] for _ in view.sessions]
        for index, words in zip(view.session_of, by_turn, strict=True):
            by_session[index] += words
        self._turns = TermScores(by_turn)
        self._sessions = TermScores(by_session)

    def scores(self, question: str) -> tuple[np.ndarray, np.ndarray]:
        """(session scores [sessions], turn scores [turns]) of a question."""
        query = stems(question)
        return self._sessions(query), self._turns(query)


def expansion_scores(dense: np.ndarray, turn_vectors: np.ndarray, seeds: int) -> np.ndarray:
    """Scores [turns]: the greatest cosine to any of the `seeds` turns nearest to the question (`dense` [turns])."""
    best = ranking(dense)[:seeds]
    return np.asarray(_cosines(turn_vectors, turn_vectors[best]).max(axis=1))
