"""Caches: what was put comes back, from this instance, another one or a later one; the encoder asks them first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from memtrial.retrieval.cache import RaggedCache, ScoreCache, digest, identity_digest
from memtrial.retrieval.embedding import CachedEncoder
from memtrial.retrieval.encoder import Encoded, Progress

FLOAT16 = arrays(np.float16, array_shapes(min_dims=1, max_dims=1, min_side=0, max_side=5).map(lambda s: (*s, 3)))
TEXTS = st.text("abя\0 ", max_size=4)


class CountingEncoder:
    """Two numbers a text, one piece a word; keeps what it was asked to encode."""

    dimension = 2
    identity: dict[str, Any] = {"model": "fake"}  # noqa: RUF012

    def __init__(self) -> None:
        self.encoded: list[list[str]] = []

    def piece_ids(self, texts: Sequence[str]) -> list[list[int]]:
        return [[len(w) for w in t.split()] for t in texts]

    def encode(self, texts: Sequence[str], progress: Progress | None = None, pieces: bool = False) -> Encoded:
        self.encoded.append(list(texts))
        vectors = np.array([[len(t), t.count("a")] for t in texts], np.float32)
        parts = [np.full((len(t.split()), 2), len(t) % 100, np.float16) for t in texts]
        return Encoded(vectors, parts if pieces else None)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(st.dictionaries(TEXTS, FLOAT16, max_size=4), max_size=3))
def test_arrays_come_back_bit_by_bit_from_every_part(
    tmp_path_factory: pytest.TempPathFactory, parts: list[dict[str, np.ndarray]]
) -> None:
    folder = tmp_path_factory.mktemp("ragged")
    written = RaggedCache(folder)
    for part in parts:
        written.put([digest(t) for t in part], part.values())
    for cache in (written, RaggedCache(folder)):
        for text in {t for part in parts for t in part}:
            held = [a.tobytes() for a in cache.all(digest(text))]
            assert sorted(held) == sorted(part[text].tobytes() for part in parts if text in part)
            assert cache[digest(text)].dtype == np.float16
            assert cache[digest(text)].shape[1] == 3
        assert digest("absent") not in cache
        assert list(cache.all(digest("absent"))) == []


def test_two_writers_do_not_disturb_one_another(tmp_path: Path) -> None:
    one, two = RaggedCache(tmp_path), RaggedCache(tmp_path)
    one.put([digest("a"), digest("b")], [np.ones((1, 2)), np.ones((2, 2))])
    two.put([digest("a"), digest("b")], [np.ones((1, 2)), np.ones((2, 2))])
    two.put([digest("c")], [np.zeros((0, 2))])
    assert digest("c") not in one
    later = RaggedCache(tmp_path)
    assert [len(list(later.all(digest(t)))) for t in "abc"] == [2, 2, 1]
    assert later[digest("c")].shape == (0, 2)


def test_a_draft_that_a_killed_job_left_is_no_part(tmp_path: Path) -> None:
    (tmp_path / ".1234-dead").mkdir()
    (tmp_path / ".1234-dead" / "keys.npy").write_bytes(b"half")
    assert digest("a") not in RaggedCache(tmp_path)


def test_a_failed_put_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="dimension"):
        RaggedCache(tmp_path).put([digest("a"), digest("b")], [np.zeros((1, 2)), np.zeros((1, 3))])
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_put_writes_nothing(tmp_path: Path) -> None:
    RaggedCache(tmp_path / "x").put([], [])
    assert not (tmp_path / "x").exists()


@settings(max_examples=40, deadline=None)
@given(
    width=st.integers(1, 4),
    blocks=st.lists(st.tuples(st.sampled_from("pq"), st.lists(TEXTS, min_size=1, max_size=5, unique=True)), max_size=4),
    asked=st.lists(TEXTS, max_size=6),
)
def test_scores_come_back_by_question_and_passage_and_are_nan_where_not_held(
    tmp_path_factory: pytest.TempPathFactory, width: int, blocks: list[tuple[str, list[str]]], asked: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("scores")
    cache = ScoreCache(folder)
    held = {}
    for question, passages in blocks:
        scores = np.array([[crc32(f"{question} {p} {w}".encode()) for w in range(width)] for p in passages], np.float32)
        held.update({(question, p): s.tobytes() for p, s in zip(passages, scores, strict=True)})
        cache.put(question, ScoreCache.passage_keys(passages), scores)
        if len(passages) % 2:
            cache.flush()
    cache.flush()
    nothing = np.full(width, np.nan, np.float32).tobytes()
    for question in "pq":
        found = ScoreCache(folder).get(question, ScoreCache.passage_keys(asked), width)
        assert found.shape == (len(asked), width)
        assert [row.tobytes() for row in found] == [held.get((question, p), nothing) for p in asked]


def test_a_question_may_be_held_in_part_and_passages_may_repeat(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path)
    cache.put("q", ScoreCache.passage_keys(["a", "a", "b"]), np.array([[1], [1], [2]]))
    cache.flush()
    found = cache.get("q", ScoreCache.passage_keys(["b", "c", "a", "a"]), 1)[:, 0]
    np.testing.assert_array_equal(found, [2, np.nan, 1, 1])
    np.testing.assert_array_equal(cache.get("other", ScoreCache.passage_keys(["a"]), 1), [[np.nan]])


def test_scores_are_written_by_flush_once(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path)
    cache.put("q", ScoreCache.passage_keys(["a"]), np.ones((1, 1)))
    assert np.isnan(ScoreCache(tmp_path).get("q", ScoreCache.passage_keys(["a"]), 1)).all()
    cache.flush()
    cache.flush()
    assert len(list(tmp_path.iterdir())) == 1


def test_two_score_writers_are_read_together(tmp_path: Path) -> None:
    for passage, score in (("a", 1.0), ("b", 2.0)):
        cache = ScoreCache(tmp_path)
        cache.put("q", ScoreCache.passage_keys([passage]), np.array([[score]]))
        cache.flush()
    assert ScoreCache(tmp_path).get("q", ScoreCache.passage_keys(["a", "b"]), 1).tolist() == [[1.0], [2.0]]


def test_another_identity_is_another_folder() -> None:
    assert identity_digest({"a": 1, "b": 2}) == identity_digest({"b": 2, "a": 1})
    assert identity_digest({"a": 1, "b": 2}) != identity_digest({"a": 1, "b": 3})


def test_a_text_is_encoded_once_wherever_it_occurs(tmp_path: Path) -> None:
    encoder = CountingEncoder()
    cached = CachedEncoder(encoder, tmp_path, piece_cache_mib=1)
    first = cached.vectors(["a cat", "a dog!", "a cat", "a cat"])
    assert first.tolist() == [[5, 2], [6, 1], [5, 2], [5, 2]]
    assert first.dtype == np.float32
    assert cached.vectors(["a dog!", "new"]).tolist() == [[6, 1], [3, 0]]
    assert encoder.encoded == [["a cat", "a dog!"], ["new"]]


def test_a_second_run_encodes_nothing(tmp_path: Path) -> None:
    texts = ["one two", "three", ""]
    first = CachedEncoder(CountingEncoder(), tmp_path, piece_cache_mib=1)
    vectors, pieces = first.vectors(texts), first.pieces(texts)
    encoder = CountingEncoder()
    again = CachedEncoder(encoder, tmp_path, piece_cache_mib=1)
    np.testing.assert_array_equal(again.vectors(texts), vectors)
    for a, b, n in zip(again.pieces(texts), pieces, (2, 1, 0), strict=True):
        assert a.shape == b.shape == (n, 2)
        np.testing.assert_array_equal(a, b)
    assert encoder.encoded == []


@pytest.mark.parametrize(("words", "kept"), [(1 << 18, True), ((1 << 18) + 1, False)])
def test_pieces_are_kept_only_if_all_of_a_call_fit(tmp_path: Path, words: int, kept: bool) -> None:
    text = "a " * words  # two float16 a word: 2^18 words fill a mebibyte
    CachedEncoder(CountingEncoder(), tmp_path, piece_cache_mib=1).vectors([text])
    encoder = CountingEncoder()
    CachedEncoder(encoder, tmp_path, piece_cache_mib=1).pieces([text])
    assert encoder.encoded == ([] if kept else [[text]])


def test_pieces_of_cached_and_new_texts_come_in_the_order_asked(tmp_path: Path) -> None:
    encoder = CountingEncoder()
    cached = CachedEncoder(encoder, tmp_path, piece_cache_mib=1)
    cached.vectors(["held text"])
    found = cached.pieces(["new", "held text", "new", "newer"])
    assert [(len(p), float(p[0, 0])) for p in found] == [(1, 3), (2, 9), (1, 3), (1, 5)]
    assert encoder.encoded == [["held text"], ["new", "newer"]]
    assert cached.piece_ids(["ab c"]) == [[2, 1]]


def test_no_texts_need_no_encoder(tmp_path: Path) -> None:
    encoder = CountingEncoder()
    cached = CachedEncoder(encoder, tmp_path, piece_cache_mib=1)
    assert cached.vectors([]).shape == (0, 2)
    assert cached.pieces([]) == []
    assert encoder.encoded == []
