"""The retrieve stage: questions and corpus to candidates, for the chain and for plain passage RAG."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from memtrial.corpus import Corpus
from memtrial.records import Candidate, Question, TurnHit
from memtrial.retrieval.lanes import KeywordIndex, dense_scores, expansion_scores, ranking
from memtrial.retrieval.passages import Passage, passages
from memtrial.retrieval.pool import Pool, build_pool
from memtrial.retrieval.view import View, views

Embed = Callable[[Sequence[str]], np.ndarray]
Progress = Callable[[int, int], None]
SCORE_DIGITS = 6


def retrieve(
    questions: list[Question], corpus: Corpus, embed: Embed, spec: dict[str, Any], progress: Progress | None = None
) -> Iterator[Candidate]:
    """Candidates of all questions, in no particular order. `embed` gives unit vectors [n, d] of texts.

    `spec["kind"]`: `chain` (three lanes) or `rag` (pairs of turns by dense score). All texts go to `embed` in one call,
    so that it can batch by length across the corpus.
    """
    lanes = spec["lanes"]
    groups = list(views(questions, corpus, lanes["date_header"]))
    paired = [passages(view, corpus) for view in groups] if spec["kind"] == "rag" else None
    texts = [t for view in groups for t in view.texts] if paired is None else [p.text for ps in paired for p in ps]
    known = dict.fromkeys([*texts, *(q.question for view in groups for q in view.questions)])
    matrix = embed(list(known))
    row = {text: i for i, text in enumerate(known)}
    done = 0
    for number, view in enumerate(groups):
        asked = matrix[[row[q.question] for q in view.questions]]
        if paired is None:
            yield from _chain(view, asked, matrix[[row[t] for t in view.texts]], lanes)
        else:
            yield from _rag(view, asked, matrix[[row[p.text] for p in paired[number]]], paired[number], lanes)
        done += len(view.questions)
        if progress:
            progress(done, len(questions))


def _chain(view: View, asked: np.ndarray, turns: np.ndarray, lanes: dict[str, Any]) -> Iterator[Candidate]:
    if not view.sessions:
        return
    turns = turns.astype(np.float64)  # once a view, not once a question
    dense = dense_scores(asked, turns)
    best = view.best_per_session(dense)
    index = KeywordIndex(view)
    for question, by_turn, by_session in zip(view.questions, dense, best, strict=True):
        keyword, keyword_turns = index.scores(question.question)
        near = view.best_per_session(expansion_scores(by_turn, turns, lanes["expansion"]["seeds"]))
        pool = build_pool(
            by_session, keyword, near, nominations=lanes["nominations"], expansion_limit=lanes["expansion"]["limit"]
        )
        hits = _hits(view, by_turn, keyword_turns, lanes["measured_turns"])
        yield from _candidates(view, question, pool, (by_session, keyword, near), by_turn, hits)


def _hits(view: View, dense: np.ndarray, keyword: np.ndarray, limit: int) -> dict[int, list[TurnHit]]:
    """Turns among the first `limit` of a turn-level lane, by session index."""
    by_dense = {int(t): r for r, t in enumerate(ranking(dense)[:limit], 1)}
    by_keyword = {int(t): r for r, t in enumerate(ranking(keyword)[:limit], 1) if keyword[t] > 0}
    hits: dict[int, list[TurnHit]] = {}
    for t in sorted(by_dense.keys() | by_keyword.keys()):
        hit = TurnHit(int(view.turn_of[t]), by_dense.get(t), by_keyword.get(t))
        hits.setdefault(int(view.session_of[t]), []).append(hit)
    return hits


def _candidates(
    view: View,
    question: Question,
    pool: Pool,
    scores: tuple[np.ndarray, np.ndarray, np.ndarray],
    by_turn: np.ndarray,
    hits: dict[int, list[TurnHit]],
) -> Iterator[Candidate]:
    dense, keyword, expansion = scores
    bounds = np.append(view.starts, len(view.texts))
    for rank, i in enumerate(pool.order, 1):
        best = bounds[i] + ranking(by_turn[bounds[i] : bounds[i + 1]])[0]
        yield Candidate(
            question_id=question.question_id,
            position=view.sessions[i].position,
            pool_rank=rank,
            dense_rank=pool.dense.get(i),
            dense_score=_rounded(dense[i]),
            keyword_rank=pool.keyword.get(i),
            keyword_score=_rounded(keyword[i]),
            expansion_rank=pool.expansion.get(i),
            expansion_score=_rounded(expansion[i]),
            best_turn=int(view.turn_of[best]),
            turns=hits.get(i, []),
        )


def _rounded(score: Any) -> float:
    return round(float(score), SCORE_DIGITS)


def _rag(
    view: View, asked: np.ndarray, vectors: np.ndarray, pairs: list[Passage], lanes: dict[str, Any]
) -> Iterator[Candidate]:
    """Candidates of the dense lane over passages: a session ranks by its best one, turns of a pair share its rank."""
    for question, scores in zip(view.questions, dense_scores(asked, vectors), strict=True):
        by_session: dict[int, list[tuple[int, int]]] = {}
        for rank, p in enumerate(ranking(scores)[: lanes["measured_turns"]], 1):
            by_session.setdefault(pairs[p].session, []).append((rank, int(p)))
        for session_rank, (i, found) in enumerate(by_session.items(), 1):
            best = pairs[found[0][1]]
            yield Candidate(
                question_id=question.question_id,
                position=view.sessions[i].position,
                pool_rank=session_rank,
                dense_rank=session_rank,
                dense_score=_rounded(scores[found[0][1]]),
                keyword_rank=None,
                keyword_score=None,
                expansion_rank=None,
                expansion_score=None,
                best_turn=best.turns[0],
                turns=sorted(TurnHit(t, rank, None) for rank, p in found for t in pairs[p].turns),
            )
