"""The store: every table comes back as written, with the same bytes for the same rows."""

from __future__ import annotations

import random
import string
import types
import typing
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtrial import store
from memtrial.errors import InputError
from memtrial.records import Evidence, Quality, Request, Reranked, Session, TurnScore
from memtrial.schemas import TABLES

TEXT = st.text(string.ascii_letters + string.punctuation + " \n\tйё😀\u2028", max_size=12)
SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: st.integers(-(2**31), 2**31 - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    datetime: st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1)).map(lambda t: t.replace(microsecond=0)),
    type(None): st.none(),
}


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type as the records use them: scalars, optional ones, lists, maps, nested records."""
    if hint in SCALARS:
        return SCALARS[hint]
    if isinstance(hint, types.UnionType):
        return st.one_of([values(h) for h in typing.get_args(hint)])
    if typing.get_origin(hint) is list:
        return st.lists(values(typing.get_args(hint)[0]), max_size=3)
    if typing.get_origin(hint) is dict:
        return st.dictionaries(TEXT, values(typing.get_args(hint)[1]), max_size=3)
    return st.builds(hint, **{n: values(h) for n, h in typing.get_type_hints(hint).items()})


def evidence(reference: str, position: int | None, turn_index: int | None) -> Evidence:
    return Evidence("q", position, turn_index, reference, position is not None)


@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_every_table_comes_back_as_written_in_key_order(
    name: str, suffix: str, tmp_path: Path, data: st.DataObject
) -> None:
    rows = data.draw(st.lists(values(TABLES[name].record), max_size=4, unique_by=store.sort_key(name)))
    path = tmp_path / f"{name}.{suffix}"
    assert store.write(path, rows) == len(rows)
    found = store.read(path)
    assert found == sorted(rows, key=store.sort_key(name))
    assert [type(r) for r in found] == [TABLES[name].record] * len(rows)


@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
def test_the_same_rows_in_any_order_give_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    rows = [Session("c", i, f"s{i}", "t", datetime(2024, 1, 1) if i % 3 else None) for i in range(50)]
    shuffled = random.Random(3).sample(rows, len(rows))
    store.write(tmp_path / f"sessions.{suffix}", rows)
    store.write(tmp_path / "again" / f"sessions.{suffix}", shuffled)
    assert (tmp_path / f"sessions.{suffix}").read_bytes() == (tmp_path / "again" / f"sessions.{suffix}").read_bytes()


def test_nulls_come_first_in_a_key(tmp_path: Path) -> None:
    rows = [evidence("a", 1, 0), evidence("a", 1, None), evidence("a", None, None)]
    store.write(tmp_path / "evidence.parquet", rows)
    assert store.read(tmp_path / "evidence.parquet") == rows[::-1]


def test_rows_with_one_key_are_refused_and_no_file_is_left(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"sessions\.parquet: .*'conversation_id': 'c', 'position': 0"):
        store.write(tmp_path / "sessions.parquet", [Session("c", 0, s, "t", None) for s in "ab"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
def test_a_failed_write_keeps_the_old_file_and_leaves_no_draft(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"quality.{suffix}"
    store.write(path, [Quality("a", "b", "c")])

    def rows() -> typing.Iterator[Quality]:
        yield Quality("x", "y", "z")
        raise RuntimeError("broken stream")

    with pytest.raises(RuntimeError, match="broken stream"):
        store.write_sorted(path, rows())
    assert store.read(path) == [Quality("a", "b", "c")]
    assert list(tmp_path.iterdir()) == [path]


def test_long_files_are_written_in_row_groups(tmp_path: Path) -> None:
    rows = [Session("c", i, "s", "t", None) for i in range(store.ROWS_PER_GROUP + 1)]
    store.write(tmp_path / "sessions.parquet", rows)
    assert pq.ParquetFile(tmp_path / "sessions.parquet").metadata.num_row_groups == 2
    assert list(store.iterate(tmp_path / "sessions.parquet", batch_rows=100)) == rows


def test_row_groups_are_bounded_in_characters_of_messages_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "BYTES_PER_GROUP", 100)
    message = typing.get_args(typing.get_type_hints(Request)["messages"])[0]
    rows = [Request(f"q{i}", [message("user", "x" * 60)], "{}", "{}", 60, 15, "0") for i in range(4)]
    store.write(tmp_path / "requests.parquet", rows)
    assert pq.ParquetFile(tmp_path / "requests.parquet").metadata.num_row_groups == 2


@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
def test_fields_that_are_not_asked_for_come_empty(tmp_path: Path, suffix: str) -> None:
    rows = [Reranked("q", 0, 1, 0.5, None, [TurnScore(0, 0.5, 1)])]
    store.write(tmp_path / f"reranked.{suffix}", rows)
    assert store.read(tmp_path / f"reranked.{suffix}") == rows
    assert store.read(tmp_path / f"reranked.{suffix}", ("turns",)) == [rows[0]._replace(turns=[])]


def test_files_carry_no_metadata_of_their_writer(tmp_path: Path) -> None:
    store.write(tmp_path / "quality.parquet", [Quality("a", "b", "c")])
    assert pq.read_schema(tmp_path / "quality.parquet").metadata is None


@pytest.mark.parametrize(
    ("line", "problem"),
    [("{", "Expecting"), ('{"kind": "a"}', "fields differ"), ('["a"]', "fields differ"), ("7", "not iterable")],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "quality.jsonl"
    path.write_text(f'{{"kind": "a", "where": "b", "detail": "c"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(InputError, match=rf"quality\.jsonl, row 2: not .*{problem}"):
        store.read(path)


def test_a_file_name_that_names_no_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="no table is called 'sesions'"):
        store.write(tmp_path / "sesions.parquet", [])
