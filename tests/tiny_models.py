"""Models of random weights, small enough to be made by a test: they prove loading and repetition, not quality."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

WORDS = [
    *("user", "assistant", ":", "?", "."),
    *("a", "the", "dog", "cat", "red", "fox", "train", "late", "Riga", "where", "is", "my"),
]


def save_cross_encoder(folder: Path, words: Sequence[str] = WORDS) -> Path:
    """A tiny XLM-R classifier with a tokenizer of whole words (others are unknown) saved to `folder`."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, XLMRobertaConfig, XLMRobertaForSequenceClassification

    special = ["<s>", "<pad>", "</s>", "<unk>"]
    vocabulary = {w: i for i, w in enumerate([*special, *dict.fromkeys(words)])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    names = {"bos_token": "<s>", "eos_token": "</s>", "cls_token": "<s>", "sep_token": "</s>"}
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", unk_token="<unk>", model_max_length=64, **names
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = XLMRobertaConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=80, pad_token_id=1, bos_token_id=0, eos_token_id=2, num_labels=1, initializer_range=0.5,
    )  # fmt: skip
    XLMRobertaForSequenceClassification(config).save_pretrained(folder)
    return folder
