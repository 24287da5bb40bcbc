"""Text: normal form, tokens and stems in both scripts, sizes and hashes."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.text import canonical, language_of, nfc, proxy_tokens, sha256, stem, stems, tokens

LETTERS = st.text(st.sampled_from("abzéïöАбвЁёйЙ 3-_'’.\n"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text('aя"\\\n'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("aбя", max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Max's dog, 3 years-old!", ["max", "dog", "3", "years", "old"]),
        ("don’t snake_case", ["don't", "snake", "case"]),
        ("Ёлка и ЕЛКА", ["елка", "и", "елка"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("—… ❤️", []),
    ],
)
def test_tokens_are_casefolded_words(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@given(LETTERS)
def test_tokens_do_not_depend_on_how_letters_are_composed(text: str) -> None:
    assert tokens(unicodedata.normalize("NFD", text)) == tokens(text)
    assert nfc(unicodedata.normalize("NFD", text)) == nfc(text)


@given(LETTERS)
def test_tokens_do_not_depend_on_case(text: str) -> None:
    assert tokens(text.upper()) == tokens(text.lower())


@pytest.mark.parametrize("forms", [("adopted", "adopting", "adopts"), ("собаку", "собаке", "собака", "собаками")])
def test_inflected_forms_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(f) for f in forms}) == 1


def test_each_token_is_stemmed_by_its_own_script() -> None:
    assert stems("Dogs и собаки, dogs") == ["dog", "и", stem("собака"), "dog"]


@pytest.mark.parametrize(
    ("text", "language"),
    [("Где мой новый iPhone?", "ru"), ("Where is my Жигули?", "en"), ("аб ab", "en"), ("42", "en")],
)
def test_language_is_that_of_most_letters(text: str, language: str) -> None:
    assert language_of(text) == language


@given(st.integers(0, 10**9))
def test_proxy_tokens_are_a_quarter_of_the_characters_rounded_up(chars: int) -> None:
    assert 4 * proxy_tokens(chars) - 4 < chars <= 4 * proxy_tokens(chars)


def test_sha256_is_of_the_utf8_bytes() -> None:
    assert sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sha256("й") == sha256(b"\xd0\xb9")


def test_canonical_json_is_sorted_and_compact() -> None:
    assert canonical({"б": [1, None], "a": {"d": 1.5, "c": True}}) == '{"a":{"c":true,"d":1.5},"б":[1,null]}'
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("nan"))


@given(JSON)
def test_canonical_json_reads_back_and_is_a_fixed_point(value: object) -> None:
    text = canonical(value)
    assert json.loads(text) == value
    assert canonical(json.loads(text)) == text
