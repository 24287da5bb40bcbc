"""The retrieve stage end to end, with vectors of words in the embedder's place."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from memtrial.corpus import Corpus
from memtrial.records import Candidate, Question, Session, Turn, TurnHit
from memtrial.retrieval.retrieve import retrieve
from memtrial.retrieval.view import views
from memtrial.text import stems

START = datetime(2024, 1, 1, 9)
LANES: dict[str, Any] = {
    "nominations": 2, "expansion": {"seeds": 2, "limit": 1}, "date_header": False, "measured_turns": 3,
}  # fmt: skip
CHAIN, RAG = {"kind": "chain", "lanes": LANES}, {"kind": "rag", "lanes": LANES}
HISTORY = [
    ["My boat leaks.", "Patch it with resin."],
    [" ", "\n"],
    ["", "Dogs need walks.", "", "I adopted a grey dog named Rex."],
    [],
    ["The train to Riga was late.", "", "Trains are."],
    ["Rex chased a cat.", "Rex is quick."],
    ["I planted tomatoes.", "Water them."],
]


def sessions_of(name: str, history: Sequence[Sequence[str]]) -> tuple[list[Session], list[Turn]]:
    sessions = [Session(name, i, f"s{i}", f"{name}{i}", START + timedelta(days=i)) for i in range(len(history))]
    turns = [
        Turn(f"{name}{i}", j, ("user", "assistant")[j % 2], "", text, None)
        for i, texts in enumerate(history)
        for j, text in enumerate(texts)
    ]
    return sessions, turns


def question(number: int, text: str, conversation: str = "c", day: int = 100) -> Question:
    return Question(f"q{number}", conversation, text, START + timedelta(days=day), "en", [])


def embed(texts: Sequence[str]) -> np.ndarray:
    """Unit vectors: the sum of a fixed random vector a stem, the role left out."""
    out = np.zeros((len(texts), 256), np.float32)
    for row, text in zip(out, texts, strict=True):
        for word in stems(text.split(": ", 1)[-1]):
            row += np.random.default_rng(crc32(word.encode())).normal(size=256)
        row /= np.linalg.norm(row) or 1
    return out


def by_question(candidates: Any) -> dict[str, list[Candidate]]:
    groups: dict[str, list[Candidate]] = {}
    for c in sorted(candidates, key=lambda c: (c.question_id, c.pool_rank)):
        groups.setdefault(c.question_id, []).append(c)
    return groups


def test_the_chain_finds_the_session_and_its_turn_with_indices_of_the_source() -> None:
    asked = question(0, "Did I adopt a grey dog named Rex?")
    found = by_question(retrieve([asked], Corpus(*sessions_of("c", HISTORY)), embed, CHAIN))
    first = found["q0"][0]
    assert (first.position, first.best_turn, first.dense_rank, first.keyword_rank) == (2, 3, 1, 1)
    assert TurnHit(3, 1, 1) in first.turns
    assert [c.pool_rank for c in found["q0"]] == list(range(1, len(found["q0"]) + 1))
    assert {c.position for c in found["q0"]} <= {0, 2, 4, 5, 6}


def test_every_pooled_session_has_all_scores_and_the_ranks_of_the_lanes_that_named_it() -> None:
    candidates = list(retrieve([question(0, "Which dog is Rex?")], Corpus(*sessions_of("c", HISTORY)), embed, CHAIN))
    assert 3 <= len(candidates) <= 5
    for c in candidates:
        assert None not in (c.dense_score, c.keyword_score, c.expansion_score, c.best_turn)
        assert c.dense_rank or c.keyword_rank or c.expansion_rank
        assert c.dense_score == round(c.dense_score or 0, 6)
    added = [c for c in candidates if c.expansion_rank]
    assert [c.expansion_rank for c in added] == [1]
    assert added[0].pool_rank == len(candidates)
    assert added[0].dense_rank is None and added[0].keyword_rank is None


def test_expansion_finds_a_session_that_shares_nothing_with_the_question() -> None:
    question_vector, anchor, evidence, noise = [1, 0, 0, 0], [0.8, 0.6, 0, 0], [0, 1, 0, 0], [0.1, 0, 0.995, 0]
    history = [["noise one"], ["evidence"], ["anchor"]]
    vectors = {
        "user: noise one": noise, "user: evidence": evidence, "user: anchor": anchor, "Question?": question_vector,
    }  # fmt: skip
    lanes = {**LANES, "nominations": 1, "expansion": {"seeds": 1, "limit": 1}}
    candidates = list(
        retrieve(
            [question(0, "Question?")],
            Corpus(*sessions_of("c", history)),
            lambda texts: np.array([vectors[t] for t in texts], np.float32),
            {"kind": "chain", "lanes": lanes},
        )
    )
    assert [(c.position, c.dense_rank, c.expansion_rank) for c in candidates] == [(2, 1, None), (1, None, 1)]
    assert candidates[1].dense_score == 0
    assert candidates[1].expansion_score == 0.6


def test_turn_hits_are_the_first_turns_of_each_lane_over_the_whole_conversation() -> None:
    lanes = {**LANES, "nominations": 7, "measured_turns": 2}
    corpus = Corpus(*sessions_of("c", HISTORY))
    candidates = list(retrieve([question(0, "Did Rex chase a cat?")], corpus, embed, {"kind": "chain", "lanes": lanes}))
    hits = [(c.position, h) for c in candidates for h in c.turns]
    assert sorted(h.dense_rank for _, h in hits if h.dense_rank) == [1, 2]
    assert sorted(h.keyword_rank for _, h in hits if h.keyword_rank) == [1, 2]
    assert next(p for p, h in hits if h.keyword_rank == 1) == 5
    asked = embed(["Did Rex chase a cat?"])[0]
    texts = [t for session in HISTORY for t in session if t.strip()]
    nearest = max(texts, key=lambda t: float(embed([t])[0] @ asked))
    position, hit = next((p, h) for p, h in hits if h.dense_rank == 1)
    assert HISTORY[position][hit.turn_index] == nearest


def test_rag_ranks_pairs_of_turns_and_gives_both_turns_the_rank() -> None:
    corpus = Corpus(*sessions_of("c", HISTORY))
    candidates = list(retrieve([question(0, "Did Rex chase a cat?")], corpus, embed, RAG))
    assert len(candidates) == 3
    assert (candidates[0].position, candidates[0].best_turn) == (5, 0)
    assert candidates[0].turns == [TurnHit(0, 1, None), TurnHit(1, 1, None)]
    assert [c.pool_rank for c in candidates] == [c.dense_rank for c in candidates] == [1, 2, 3]
    scores = [c.dense_score or 0 for c in candidates]
    assert scores == sorted(scores, reverse=True)
    assert all(c.keyword_rank is c.keyword_score is c.expansion_rank is c.expansion_score is None for c in candidates)


def test_rag_takes_a_session_once_with_all_its_passages() -> None:
    corpus = Corpus(*sessions_of("c", [["red fox", "red", "red fox den", "fox"], ["blue"]]))
    first = next(iter(retrieve([question(0, "red fox")], corpus, embed, RAG)))
    assert [h.turn_index for h in first.turns] == [0, 1, 2, 3]
    assert {h.dense_rank for h in first.turns} == {1, 2}


@pytest.mark.parametrize("spec", [CHAIN, RAG])
def test_later_sessions_are_hidden_from_all_lanes_on_request(spec: dict[str, Any]) -> None:
    rows = sessions_of("c", HISTORY)
    asked = question(0, "Did Rex chase a cat?", day=4)
    kept = {c.position for c in retrieve([asked], Corpus(*rows, "keep"), embed, spec)}
    assert 5 in kept
    dropped = list(retrieve([asked], Corpus(*rows, "drop"), embed, spec))
    shortened = list(retrieve([asked], Corpus(*sessions_of("c", HISTORY[:5])), embed, spec))
    assert dropped == shortened


@pytest.mark.parametrize("spec", [CHAIN, RAG])
def test_neither_the_order_of_rows_nor_other_questions_move_a_candidate(spec: dict[str, Any]) -> None:
    texts = ["Did Rex chase a cat?", "Which train was late?", "What leaks?", "What leaks?", "Wie geht es?"]
    rng = random.Random(5)
    (sessions, turns), (more_sessions, more_turns) = sessions_of("c", HISTORY), sessions_of("d", HISTORY[::-1])
    sessions, turns = sessions + more_sessions, turns + more_turns
    questions = [question(i, t, "cd"[i % 2]) for i, t in enumerate(texts)]
    found = by_question(retrieve(questions, Corpus(sessions, turns), embed, spec))
    assert set(found) == {q.question_id for q in questions}
    mixed = Corpus(rng.sample(sessions, len(sessions)), rng.sample(turns, len(turns)))
    assert by_question(retrieve(questions[::-1], mixed, embed, spec)) == found
    for q in questions:
        assert by_question(retrieve([q], mixed, embed, spec)) == {q.question_id: found[q.question_id]}


@pytest.mark.parametrize("spec", [CHAIN, RAG])
def test_a_conversation_without_a_word_gives_no_candidates(spec: dict[str, Any]) -> None:
    progress: list[tuple[int, int]] = []
    sessions, turns = sessions_of("c", [[" ", ""], []])
    more_sessions, more_turns = sessions_of("d", [["A red fox."]])
    corpus = Corpus(sessions + more_sessions, turns + more_turns)
    questions = [question(0, "Anything?"), question(1, "A fox?", "d")]
    candidates = list(retrieve(questions, corpus, embed, spec, lambda done, of: progress.append((done, of))))
    assert [(c.question_id, c.position) for c in candidates] == [("q1", 0)]
    assert progress == [(1, 2), (2, 2)]


def test_all_texts_are_embedded_in_one_call_and_each_once() -> None:
    calls: list[list[str]] = []

    def counting(texts: Sequence[str]) -> np.ndarray:
        calls.append(list(texts))
        return embed(texts)

    (sessions, turns), (more_sessions, more_turns) = sessions_of("c", HISTORY), sessions_of("d", HISTORY)
    questions = [question(0, "What leaks?"), question(1, "What leaks?", "d")]
    list(retrieve(questions, Corpus(sessions + more_sessions, turns + more_turns), counting, CHAIN))
    assert len(calls) == 1
    assert sorted(calls[0]) == sorted({*calls[0]})
    assert calls[0].count("user: My boat leaks.") == calls[0].count("What leaks?") == 1


def test_a_date_header_is_embedded_with_each_turn_on_request() -> None:
    corpus = Corpus(*sessions_of("c", [["Hi.", "Ho."]]))
    view = next(views([question(0, "?")], corpus, date_header=True))
    assert view.texts == ["date: 2024/01/01 (Mon) 09:00\nuser: Hi.", "date: 2024/01/01 (Mon) 09:00\nassistant: Ho."]


def test_questions_that_see_the_same_sessions_share_a_view() -> None:
    corpus = Corpus(*sessions_of("c", HISTORY), "drop")
    questions = [question(0, "b", day=3), question(1, "a", day=9), question(2, "a", day=8), question(3, "c", day=3)]
    groups = list(views(questions, corpus))
    assert [[q.question_id for q in v.questions] for v in groups] == [["q0", "q3"], ["q1", "q2"]]
    assert [[s.position for s in v.sessions] for v in groups] == [[0, 2], [0, 2, 4, 5, 6]]
    assert groups[0].session_of.tolist() == [0, 0, 1, 1]
    assert groups[0].turn_of.tolist() == [0, 1, 1, 3]
    assert groups[0].starts.tolist() == [0, 2]
