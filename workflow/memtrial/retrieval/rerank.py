"""The rerank stage: candidates to a scored order. Only turns of pooled sessions are scored, a bounded number."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from memtrial.corpus import Corpus
from memtrial.records import Candidate, Question, Reranked, TurnScore
from memtrial.retrieval.cache import ScoreCache
from memtrial.retrieval.lanes import ranking
from memtrial.retrieval.late_interaction import idf_weights, interaction, max_cosines
from memtrial.retrieval.pool import RRF_K
from memtrial.retrieval.view import View, views

Progress = Callable[[int, int], None]
PIECES_AT_ONCE = 1 << 20
DIGITS = 6


class PieceEncoder(Protocol):
    """What late interaction needs of an encoder."""

    def piece_ids(self, texts: Sequence[str]) -> list[list[int]]: ...

    def pieces(self, texts: Sequence[str]) -> list[np.ndarray]: ...


class PairScorer(Protocol):
    """A cross-encoder: a score for each (question, passage)."""

    def scores(self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None) -> np.ndarray: ...


class Task(NamedTuple):
    """A question with its candidates (pool order) and the view's turns that are to be scored (ascending)."""

    question: Question
    candidates: list[Candidate]
    turns: np.ndarray


class Scores(NamedTuple):
    """`turns` float64 [scored turns]; `sessions` float64 [candidates], what the candidates are ranked by."""

    turns: np.ndarray
    sessions: np.ndarray


def select_turns(view: View, candidates: list[Candidate], costs: np.ndarray, limit: int) -> np.ndarray:
    """Indices [n] of the turns to score, ascending: as many as cost at most `limit` together.

    First the turns that a lane put forward, by reciprocal rank fusion; then the other turns of the pooled sessions in
    pool order. A turn that no longer fits is passed over, a later one may still fit.
    """
    session_at = {s.position: i for i, s in enumerate(view.sessions)}
    bounds = np.append(view.starts, len(view.texts)).tolist()
    pooled = [session_at[c.position] for c in candidates]
    rest = [n for i in pooled for n in range(bounds[i], bounds[i + 1])]
    if costs[rest].sum() <= limit:
        return np.array(sorted(rest), dtype=int)
    turn_at = {(int(s), int(t)): n for n, (s, t) in enumerate(zip(view.session_of, view.turn_of, strict=True))}
    forward: list[tuple[float, int]] = []
    for candidate in candidates:
        for hit in candidate.turns:
            fused = sum(1 / (RRF_K + r) for r in (hit.dense_rank, hit.keyword_rank) if r)
            forward.append((-round(fused, 12), turn_at[session_at[candidate.position], hit.turn_index]))
    first = [n for _, n in sorted(forward)]
    chosen, spent = [], 0
    for n in dict.fromkeys([*first, *rest]):
        if spent + costs[n] <= limit:
            chosen.append(n)
            spent += costs[n]
    return np.array(sorted(chosen), dtype=int)


def standardised(values: np.ndarray) -> np.ndarray:
    """Values [n] less their mean, by their standard deviation (zeros where they are all equal)."""
    if values.max() == values.min():  # rounding would leave a spread, and make it 1
        return np.zeros_like(values)
    return np.asarray((values - values.mean()) / values.std())


def fused_scores(
    task: Task, turns: np.ndarray, coverage: np.ndarray, session_of: np.ndarray, weights: dict[str, float]
) -> np.ndarray:
    """Session scores [candidates]: best turn + weighted coverage + weighted BM25, each standardised over the pool.

    `turns` [scored turns]; `session_of` [scored turns] and `coverage` [candidates] by index in `task.candidates`. A
    candidate none of whose turns were scored gets the pool's least turn score.
    """
    best = np.full(len(task.candidates), turns.min() if len(turns) else 0.0)
    np.maximum.at(best, session_of, turns)
    keyword = np.array([c.keyword_score or 0.0 for c in task.candidates])
    parts = standardised(best), weights["coverage"] * standardised(coverage), weights["keyword"] * standardised(keyword)
    return np.asarray(np.round(np.sum(parts, axis=0), DIGITS))


def to_records(view: View, task: Task, scores: Scores, measured: int) -> Iterator[Reranked]:
    """Candidates by score; ties keep pool order. Of the scored turns the best `measured` go into the record."""
    by_turn = ranking(scores.turns)
    session_of, turn_of = view.session_of[task.turns][by_turn], view.turn_of[task.turns][by_turn].tolist()
    sessions, firsts = np.unique(session_of, return_index=True)
    best = {view.sessions[i].position: turn_of[n] for i, n in zip(sessions, firsts, strict=True)}
    kept: dict[int, list[TurnScore]] = defaultdict(list)
    for n, score in enumerate(scores.turns[by_turn[:measured]].tolist()):
        kept[view.sessions[session_of[n]].position].append(TurnScore(turn_of[n], round(score, DIGITS), n + 1))
    for rank, c in enumerate(ranking(scores.sessions), 1):
        candidate = task.candidates[c]
        p = candidate.position
        yield Reranked(candidate.question_id, p, rank, float(scores.sessions[c]), best.get(p), sorted(kept[p]))


def _tasks(view: View, by_question: dict[str, list[Candidate]], costs: np.ndarray, limit: int) -> list[Task]:
    return [
        Task(q, by_question[q.question_id], select_turns(view, by_question[q.question_id], costs, limit))
        for q in view.questions
        if by_question.get(q.question_id)
    ]


def grouped(candidates: Iterable[Candidate]) -> dict[str, list[Candidate]]:
    """Candidates by question, in pool order."""
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        groups[candidate.question_id].append(candidate)
    return {q: sorted(group, key=lambda c: c.pool_rank) for q, group in groups.items()}


def rerank_late(
    questions: list[Question],
    corpus: Corpus,
    candidates: Iterable[Candidate],
    encoder: PieceEncoder,
    cache: ScoreCache,
    spec: dict[str, Any],
    progress: Progress | None = None,
) -> Iterator[Reranked]:
    """Late interaction (module of that name). `spec`: `max_pieces` a question, `weights`, `measured_turns`.

    Views are taken together until their word pieces reach a bound of memory, so that turns are encoded in full batches.
    """
    by_question = grouped(candidates)
    done = 0
    for batch in _batches(views(questions, corpus, spec["date_header"]), by_question, encoder, spec["max_pieces"]):
        wanted = {view.texts[n]: None for view, tasks, _ in batch for n in _uncached(view, tasks, encoder, cache)}
        held = dict(zip(wanted, encoder.pieces(list(wanted)), strict=True))
        for view, tasks, ids in batch:
            frequency = Counter(i for turn in ids for i in set(turn))
            found = _cosines(view, tasks, held, encoder, cache)
            asked = encoder.piece_ids([t.question.question for t in tasks])
            for task, cosines, wanted_ids in zip(tasks, found, asked, strict=True):
                weights = idf_weights(wanted_ids, frequency, len(ids))
                yield from to_records(view, task, _scored(view, task, cosines, weights, spec), spec["measured_turns"])
            done += len(view.questions)
            if progress:
                progress(done, len(questions))
        cache.flush()


def _scored(view: View, task: Task, cosines: np.ndarray, weights: np.ndarray, spec: dict[str, Any]) -> Scores:
    index = {c.position: i for i, c in enumerate(task.candidates)}
    of_view = view.session_of[task.turns]
    result = interaction(cosines, weights, task.turns, of_view)
    coverage = np.zeros(len(task.candidates))
    scored = [index[view.sessions[i].position] for i in np.unique(of_view)]
    coverage[scored] = result.coverage
    session_of = np.array([index[view.sessions[i].position] for i in of_view], dtype=int)
    return Scores(result.turns, fused_scores(task, result.turns, coverage, session_of, spec["weights"]))


def _batches(
    all_views: Iterable[View], by_question: dict[str, list[Candidate]], encoder: PieceEncoder, limit: int
) -> Iterator[list[tuple[View, list[Task], list[list[int]]]]]:
    batch: list[tuple[View, list[Task], list[list[int]]]] = []
    pieces = 0
    for view in all_views:
        ids = encoder.piece_ids(view.texts)
        costs = np.array([len(i) for i in ids])
        tasks = _tasks(view, by_question, costs, limit)
        batch.append((view, tasks, ids))
        pieces += int(costs[np.unique(np.concatenate([t.turns for t in tasks]))].sum()) if tasks else 0
        if pieces > PIECES_AT_ONCE:
            yield batch
            batch, pieces = [], 0
    if batch:
        yield batch


def _uncached(view: View, tasks: list[Task], encoder: PieceEncoder, cache: ScoreCache) -> list[int]:
    """Turns of a view that some question still needs scored."""
    keys = ScoreCache.passage_keys(view.texts)
    needed: set[int] = set()
    for task, ids in zip(tasks, encoder.piece_ids([t.question.question for t in tasks]), strict=True):
        held = cache.get(task.question.question, keys[task.turns], len(ids))
        needed.update(task.turns[np.isnan(held).any(axis=1)].tolist())
    return sorted(needed)


def _cosines(
    view: View, tasks: list[Task], held: dict[str, np.ndarray], encoder: PieceEncoder, cache: ScoreCache
) -> list[np.ndarray]:
    """Greatest cosines [word pieces, scored turns] of each task: from the cache, else one product for the view."""
    keys = ScoreCache.passage_keys(view.texts)
    asked = encoder.piece_ids([t.question.question for t in tasks])
    known = [cache.get(t.question.question, keys[t.turns], len(ids)) for t, ids in zip(tasks, asked, strict=True)]
    open_tasks = [n for n, k in enumerate(known) if np.isnan(k).any()]
    if open_tasks:
        turns = np.unique(np.concatenate([tasks[n].turns[np.isnan(known[n]).any(axis=1)] for n in open_tasks]))
        at = {int(t): i for i, t in enumerate(turns)}
        questions = encoder.pieces([tasks[n].question.question for n in open_tasks])
        for n, cosines in zip(open_tasks, max_cosines(questions, [held[view.texts[t]] for t in turns]), strict=True):
            missing = np.isnan(known[n]).any(axis=1)
            fresh = cosines[:, [at[int(t)] for t in tasks[n].turns[missing]]].T.astype(np.float32)
            cache.put(tasks[n].question.question, keys[tasks[n].turns[missing]], fresh)
            known[n][missing] = fresh
    return [k.T.astype(np.float64) for k in known]


def rerank_cross(
    questions: list[Question],
    corpus: Corpus,
    candidates: Iterable[Candidate],
    scorer: PairScorer,
    cache: ScoreCache,
    spec: dict[str, Any],
    progress: Progress | None = None,
) -> Iterator[Reranked]:
    """A cross-encoder over the first `max_turns` turns of each question; a session scores as its best turn.

    Candidates none of whose turns were scored follow in pool order, below the least score.
    """
    by_question = grouped(candidates)
    todo: list[tuple[View, Task, np.ndarray]] = []
    missing: dict[tuple[str, str], None] = {}
    for view in views(questions, corpus, spec["date_header"]):
        keys = ScoreCache.passage_keys(view.texts)
        for task in _tasks(view, by_question, np.ones(len(view.texts)), spec["max_turns"]):
            held = cache.get(task.question.question, keys[task.turns], 1)[:, 0]
            missing.update({(task.question.question, view.texts[n]): None for n in task.turns[np.isnan(held)]})
            todo.append((view, task, held))
    pairs = list(missing)
    fresh = dict(zip(pairs, np.round(scorer.scores(pairs, progress), DIGITS).tolist(), strict=True)) if pairs else {}
    for view, task, held in todo:
        new = np.isnan(held)
        texts = [view.texts[n] for n in task.turns[new]]
        if texts:
            held[new] = [fresh[task.question.question, t] for t in texts]
            cache.put(task.question.question, ScoreCache.passage_keys(texts), held[new][:, None])
        yield from to_records(view, task, _cross_scored(view, task, held.astype(np.float64)), spec["measured_turns"])
    cache.flush()


def _cross_scored(view: View, task: Task, turns: np.ndarray) -> Scores:
    index = {c.position: i for i, c in enumerate(task.candidates)}
    floor = (turns.min() if len(turns) else 0.0) - 1.0
    best = np.full(len(task.candidates), floor)
    np.maximum.at(best, [index[view.sessions[i].position] for i in view.session_of[task.turns]], turns)
    return Scores(turns, np.round(best, DIGITS))


def rerank_none(candidates: Iterable[Candidate]) -> Iterator[Reranked]:
    """Pool order kept: for systems without a reranker."""
    for group in grouped(candidates).values():
        for candidate in group:
            rank = candidate.pool_rank
            yield Reranked(candidate.question_id, candidate.position, rank, -float(rank), candidate.best_turn, [])
