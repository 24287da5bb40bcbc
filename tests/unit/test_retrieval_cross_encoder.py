"""The cross-encoder with a tiny model of random weights: it loads, repeats itself, and reranks end to end."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tiny_models import save_cross_encoder

from memtrial.corpus import Corpus
from memtrial.records import Candidate, Question, Session, Turn
from memtrial.retrieval.cache import ScoreCache, identity_digest
from memtrial.retrieval.cross_encoder import CrossEncoder
from memtrial.retrieval.rerank import rerank_cross

SPEC = {"max_turns": 10, "measured_turns": 3, "date_header": False}
PAIRS = [
    ("where is my dog ?", "user: the red fox"),
    ("where is my dog ?", "user: the dog is late . the dog is late"),
    ("a train ?", "assistant: Riga"),
    ("a train ?", "user: the train is late"),
    ("where is my dog ?", "user: a"),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_cross_encoder(tmp_path_factory.mktemp("reranker"))


@pytest.fixture(scope="module")
def scorer(model: Path) -> CrossEncoder:
    return CrossEncoder(str(model), backend="cpu-fp32", max_tokens=32)


def test_scores_repeat_and_do_not_depend_on_order(model: Path, scorer: CrossEncoder) -> None:
    scores = scorer.scores(PAIRS)
    assert scores.shape == (len(PAIRS),)
    assert len(set(np.round(scores, 6))) == len(PAIRS)
    np.testing.assert_array_equal(CrossEncoder(str(model), backend="cpu-fp32", max_tokens=32).scores(PAIRS), scores)
    np.testing.assert_array_equal(scorer.scores(PAIRS[::-1])[::-1], scores)
    alone = [scorer.scores([pair])[0] for pair in PAIRS]
    np.testing.assert_allclose(alone, scores, rtol=1e-5)  # float32: a batch shows in the last digits


def test_no_pairs_need_no_model(tmp_path: Path) -> None:
    assert CrossEncoder(str(tmp_path), backend="cpu-fp32").scores([]).shape == (0,)


def test_scores_are_those_of_the_model_itself(model: Path, scorer: CrossEncoder) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer, network = AutoTokenizer.from_pretrained(model), AutoModelForSequenceClassification.from_pretrained(model)
    with torch.inference_mode():
        inputs = [tokenizer(*pair, return_tensors="pt", return_token_type_ids=False) for pair in PAIRS]
        expected = [network.eval()(**i).logits.item() for i in inputs]
    np.testing.assert_allclose(scorer.scores(PAIRS), expected, atol=1e-5)


def test_passages_are_cut_at_the_limit(scorer: CrossEncoder) -> None:
    passage = "the dog is late " * 8  # more than 32 tokens, less than the model takes
    cut, longer, other = scorer.scores([("a ?", passage), ("a ?", passage + "Riga"), ("a ?", "Riga " + passage)])
    assert cut == pytest.approx(longer, abs=1e-6)
    assert cut != pytest.approx(other, abs=1e-4)


def test_progress_counts_pairs(scorer: CrossEncoder) -> None:
    seen: list[tuple[int, int]] = []
    scorer.scores(PAIRS, lambda done, total: seen.append((done, total)))
    assert seen == [(5, 5)]


def test_the_identity_names_all_that_moves_a_score(model: Path, scorer: CrossEncoder) -> None:
    assert scorer.identity["backend"] == "flagembedding-cpu-fp32"
    assert scorer.identity["max_tokens"] == 32
    other = CrossEncoder(str(model), backend="cpu-fp32", max_tokens=16)
    assert identity_digest(other.identity) != identity_digest(scorer.identity)
    assert not CrossEncoder(str(model), backend="cpu-bf16").half
    assert CrossEncoder(str(model), backend="cuda-fp16").half


def test_reranking_end_to_end_and_from_the_cache(
    tmp_path: Path, scorer: CrossEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [["the dog", "is late"], ["a red fox", "a cat"], ["the train is late"]]
    turns = [Turn(f"t{i}", j, "user", "", t, None) for i, ts in enumerate(texts) for j, t in enumerate(ts)]
    corpus = Corpus([Session("c", i, "s", f"t{i}", None) for i in range(3)], turns)
    questions = [Question(f"q{n}", "c", q, None, "en", []) for n, q in enumerate(["where is my dog ?", "a train ?"])]
    pool = [
        Candidate(q.question_id, p, p + 1, None, 0, None, 0, None, 0, None, []) for q in questions for p in range(3)
    ]
    rows = list(rerank_cross(questions, corpus, pool, scorer, ScoreCache(tmp_path), SPEC))
    for question in questions:
        mine = [r for r in rows if r.question_id == question.question_id]
        best = [max(scorer.scores([(question.question, f"user: {t}") for t in texts[r.position]])) for r in mine]
        np.testing.assert_allclose([r.score for r in mine], best, atol=1e-5)
        assert [r.rank for r in mine] == [1, 2, 3]
        assert best == sorted(best, reverse=True)
    monkeypatch.setattr(CrossEncoder, "scores", None)
    assert list(rerank_cross(questions, corpus, pool, scorer, ScoreCache(tmp_path), SPEC)) == rows
