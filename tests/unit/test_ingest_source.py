"""Files as such: unreadable ones, unknown layouts, streaming, progress and the order of rows."""

from __future__ import annotations

import gzip
import json
import random
import tracemalloc
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial import store
from memtrial.errors import InputError
from memtrial.ingest.build import ingest
from memtrial.ingest.conversation import in_clock_order, session
from memtrial.ingest.corpus_writer import BUCKETS
from memtrial.ingest.source import Source
from memtrial.text import sha256

NAMES = ("sessions", "turns", "questions", "gold", "evidence")
TEXTS = st.text(max_size=4)


def outputs(folder: Path) -> dict[str, Path]:
    return {name: folder / f"{name}.parquet" for name in NAMES} | {"quality": folder / "quality.jsonl"}


def row(i: int, text: str = "Hello.") -> dict[str, Any]:
    return {
        "question_id": f"q{i}",
        "question_type": "multi-session",
        "question": f"Number {i % 3}?",
        "question_date": "2023/05/20 (Sun) 02:21",
        "answer": i,
        "answer_session_ids": [f"s{i}"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21"] * 2,
        "haystack_session_ids": [f"s{i}", "x"],
        "haystack_sessions": [[{"role": "user", "content": f"{text} {i}"}], [{"role": "user", "content": " "}]],
    }


def test_row_order_does_not_matter(tmp_path: Path) -> None:
    rows = [row(i) for i in range(20)]
    written = []
    for seed in (0, 1):
        random.Random(seed).shuffle(rows)
        source = tmp_path / f"{seed}.json"
        source.write_text(json.dumps(rows))
        ingest(source, {"format": "longmemeval"}, outputs(tmp_path / str(seed)))
        written.append({name: path.read_bytes() for name, path in outputs(tmp_path / str(seed)).items()})
    assert written[0] == written[1]
    assert sorted(p.name for p in (tmp_path / "0").iterdir()) == sorted(p.name for p in outputs(tmp_path).values())


def test_gzip_gives_the_same_and_progress_ends_at_its_total(tmp_path: Path) -> None:
    plain, zipped = tmp_path / "a.json", tmp_path / "b.json.gz"
    plain.write_text(json.dumps([row(1), row(2)]))
    zipped.write_bytes(gzip.compress(plain.read_bytes()))
    steps: list[tuple[int, int | None]] = []
    one = ingest(plain, {"format": "longmemeval"}, outputs(tmp_path / "1"))
    spec = {"format": "longmemeval"}
    two = ingest(zipped, spec, outputs(tmp_path / "2"), lambda done, total: steps.append((done, total)))
    assert one == two
    assert one["sha256"] == sha256(plain.read_bytes())
    assert one["rows"]["questions"] == 2
    assert steps == sorted(steps)
    assert steps[-1][0] == steps[-1][1]


@pytest.mark.parametrize("content", ['[{"a": 1},\n {"b": }]', '[{"a": 1},\n {"b": '])
@pytest.mark.parametrize("rows_before", [0, 3000])
def test_broken_json_is_named_with_its_byte(tmp_path: Path, content: str, rows_before: int) -> None:
    padding = '{"pad": "xxxxxxxxxxxxxxxxxxxxxxxxxxxx"},'
    before = "[" + padding * rows_before
    text = before + content[1:]
    path = tmp_path / "x.json"
    path.write_text(text)
    at = text.index('"b": ') + len('"b": ')
    with pytest.raises(InputError, match=f"x.json: not valid JSON at byte {at}, after {rows_before + 1} whole rows"):
        list(Source(path).rows("none"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.json", b"", "x.json: not valid JSON at byte 0"),
        ("x.json", b"[]", "x.json: expected at least one row, found an empty list"),
        ("x.json", b"[] {", "x.json: not valid JSON at byte 3"),
        ("x.json", b'["\xff"]', "x.json: not valid JSON at byte 2"),
        ("x.json", b"[NaN]", "x.json: not valid JSON"),
        ("x.json", b"[7]", "x.json, row 0: expected an object, found 7"),
        ("x.json", b'"hello"', "x.json: expected a JSON list, found"),
        ("x.json", b'{"version": 1, "data": [{"id": 2}]}', "x.json: unknown layout: an object with the keys ver"),
        ("x.json", b'[{"id": 1, "data": 2}]', "x.json, row 0: unknown layout: an object with id, data; known: "),
        ("x.json", b'["\xed\xa0\x80"]', "x.json: not valid JSON at byte 5, after 0 whole rows: 'utf-8' codec can't"),
        ("x.json", b'{"a": "\xed\xa0\x80"}', "x.json: unknown layout: an object with the keys "),
        ("x.json", b"\xef\xbb\xbf[]", "x.json: expected UTF-8 without a byte order mark"),
        ("x.json", "[]".encode("utf-16"), "x.json: expected UTF-8 without a byte order mark"),
        ("x.json.gz", b"[]", "x.json.gz: expected gzipped content"),
        ("x.json.gz", gzip.compress(b"[" + bytes(range(256)) * 9)[:-20], "x.json.gz: "),
        ("x.json.gz", b"\x1f\x8bnot gzip at all", "x.json.gz: cannot be read"),
    ],
)
def test_unreadable_files(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as caught:
        ingest(tmp_path / name, {"format": "longmemeval"}, outputs(tmp_path / "out"))
    assert str(caught.value).startswith(message)
    assert not list((tmp_path / "out").iterdir())


@pytest.mark.parametrize("place", ["outer", "inner"])
def test_a_key_that_stands_twice_in_an_object_is_an_error(tmp_path: Path, place: str) -> None:
    key = {"outer": '"answer"', "inner": '"role"'}[place]
    text = json.dumps([row(1), row(2), row(3)])
    second = text.index('"q2"')
    at = text.index(key, second)
    (tmp_path / "x.json").write_text(f'{text[:at]}{key}: "user", {text[at:]}')
    with pytest.raises(InputError, match=rf"x.json, row 1, field '{key[1:-1]}': expected each key once in an object"):
        ingest(tmp_path / "x.json", {"format": "longmemeval"}, outputs(tmp_path / "out"))


def test_half_a_surrogate_pair_is_read_as_the_replacement_character_and_counted(tmp_path: Path) -> None:
    whole, half = row(1, "😀"), row(2, "cut \ud83d")
    (tmp_path / "x.json").write_text(json.dumps([whole, half]))
    report = ingest(tmp_path / "x.json", {"format": "longmemeval"}, outputs(tmp_path))
    assert report["sha256"] == sha256((tmp_path / "x.json").read_bytes())
    assert {t.text for t in store.read(tmp_path / "turns.parquet")} == {"😀 1", "cut \ufffd 2", " "}
    (found,) = [q for q in store.read(tmp_path / "quality.jsonl") if q.kind == "lone-surrogate"]
    assert found.detail.startswith("1 escapes of half a surrogate pair")


def test_line_ends_of_windows_give_the_same_tables(tmp_path: Path) -> None:
    written = []
    for end in ("\n", "\r\n"):
        source = tmp_path / "x.json"
        source.write_bytes(json.dumps([row(1), row(2)], indent=1).replace("\n", end).encode())
        ingest(source, {"format": "longmemeval"}, outputs(tmp_path / "out"))
        written.append([path.read_bytes() for path in outputs(tmp_path / "out").values()])
    assert written[0] == written[1]


def test_a_truncated_gzip_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json.gz"
    rows = [row(i, str(random.Random(i).random())) for i in range(999)]
    path.write_bytes(gzip.compress(json.dumps(rows).encode())[:-99])
    with pytest.raises(InputError, match=r"x.json.gz: cannot be read: Compressed file ended"):
        ingest(path, {"format": "longmemeval"}, outputs(tmp_path / "out"))


def test_a_missing_file_and_an_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere.json: cannot be read: No such file"):
        ingest(tmp_path / "nowhere.json", {"format": "rumba"}, outputs(tmp_path / "out"))
    with pytest.raises(InputError, match="field 'format': unknown format 'msc'; known: longmemeval, locomo, rumba"):
        ingest(tmp_path / "nowhere.json", {"format": "msc"}, outputs(tmp_path / "out"))


def test_memory_is_bounded_by_the_row_not_by_the_file(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    path.write_text(json.dumps([row(i, "word " * 20_000) for i in range(200)]))  # 20 MB, 100 KB a row
    peaks: dict[int, int] = {}

    def progress(done: int, total: int | None) -> None:
        peaks.setdefault(done, tracemalloc.get_traced_memory()[1])

    tracemalloc.start()
    ingest(path, {"format": "longmemeval"}, outputs(tmp_path / "out"), progress)
    tracemalloc.stop()
    assert peaks[BUCKETS] < path.stat().st_size / 10  # all is read; writing holds at most a row group of `store`


@given(st.lists(st.tuples(st.integers(0, 2), TEXTS, TEXTS), max_size=6), st.randoms())
def test_clock_order_is_the_same_from_any_order(specs: list[tuple[int, str, str]], rng: random.Random) -> None:
    sessions = [session(sid, datetime(2023, 1, 1 + day), [("user", "", text, None)]) for day, sid, text in specs]
    shuffled = sessions.copy()
    rng.shuffle(shuffled)
    assert in_clock_order(shuffled) == in_clock_order(sessions)
    assert [s.started_at for s in in_clock_order(shuffled)] == sorted(s.started_at for s in sessions)
