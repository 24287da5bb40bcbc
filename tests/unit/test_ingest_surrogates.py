"""Half surrogate pairs: replaced wherever the stream is cut, and nothing else is touched."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.ingest.surrogates import SurrogateRepair

PIECES = st.sampled_from([r"\ud83d", r"\uDE00", r"\\", r"\n", r"\u0041", r"\"", "a", "ud83d", "я", "😀", r"\ufffd"])


def repaired(data: bytes, step: int) -> tuple[bytes, int]:
    repair = SurrogateRepair()
    parts = [repair.feed(data[i : i + step]) for i in range(0, len(data), step)]
    return b"".join([*parts, repair.feed(b"")]), repair.count


def without_halves(text: str) -> str:
    """The text as Python reads it: json joins pairs and leaves halves as they are."""
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)


@pytest.mark.parametrize(
    ("written", "expected", "count"),
    [
        (r"a\ud83db", r"a\ufffdb", 1),
        (r"\uDE00", r"\ufffd", 1),
        (r"\ud83d\ude00", r"\ud83d\ude00", 0),
        (r"\ud83d\ud83d\ude00", r"\ufffd\ud83d\ude00", 1),
        (r"\ud83d\u0041", r"\ufffd\u0041", 1),
        (r"\\ud83d", r"\\ud83d", 0),
        (r"\\\ud83d", r"\\\ufffd", 1),
    ],
)
def test_examples(written: str, expected: str, count: int) -> None:
    assert repaired(written.encode(), 5) == (expected.encode(), count)


@given(st.lists(PIECES, max_size=12).map("".join), st.integers(1, 40))
def test_any_text_in_any_pieces_reads_as_python_reads_it(text: str, step: int) -> None:
    written = f'"{text}"'.encode()
    found, count = repaired(written, step)
    assert len(found) == len(written)
    assert json.loads(found) == without_halves(json.loads(written))
    assert count == sum("\ud800" <= c <= "\udfff" for c in json.loads(written))
