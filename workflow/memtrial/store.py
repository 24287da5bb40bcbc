"""Records to files and back: Parquet or JSONL, rows sorted by primary key, the same bytes every time.

Files appear whole or not at all (written beside their place, then renamed). Parquet carries no pandas
metadata; compression and row-group size are fixed. JSONL is UTF-8 with real characters, one canonical row a line.
"""

from __future__ import annotations

import json
import os
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from memtrial.errors import InputError
from memtrial.schemas import TABLES, plain
from memtrial.text import canonical

ROWS_PER_GROUP = 4096
BYTES_PER_GROUP = 64 << 20


@contextmanager
def atomic(path: Path) -> Iterator[Path]:
    """A temporary path in the same directory, renamed to `path` when the block succeeds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield draft
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def table_of(path: Path) -> str:
    """Name of the table that a file holds: its stem (`answers.jsonl` holds answers)."""
    name = path.name.split(".")[0]
    if name not in TABLES:
        raise KeyError(f"{path}: no table is called '{name}'; known: {', '.join(TABLES)}")
    return name


def sort_key(name: str) -> Callable[[Any], tuple[Any, ...]]:
    """Key function over records of a table: its primary key, nulls first."""
    fields = TABLES[name].key
    return lambda row: tuple((getattr(row, f) is not None, getattr(row, f)) for f in fields)


def write(path: Path, rows: Iterable[Any]) -> int:
    """Write records to `path` (its stem names the table), sorted; returns their number.

    Raises `InputError` if two rows share the primary key.
    """
    name = table_of(path)
    key = sort_key(name)
    ordered = sorted(rows, key=key)
    for before, after in pairwise(ordered):
        if key(before) == key(after):
            shown = {f: getattr(after, f) for f in TABLES[name].key}
            raise InputError(f"two rows share the primary key {shown}", file=path.name)
    return write_sorted(path, ordered)


def write_sorted(path: Path, rows: Iterable[Any]) -> int:
    """Write records that are sorted already, in bounded memory (for streams); returns their number."""
    return _write_jsonl(path, rows) if path.suffix == ".jsonl" else _write_parquet(path, rows)


def _write_jsonl(path: Path, rows: Iterable[Any]) -> int:
    count = 0
    with atomic(path) as draft, draft.open("w", encoding="utf-8", newline="\n") as out:
        for row in rows:
            out.write(canonical(plain(row)) + "\n")
            count += 1
    return count


def _write_parquet(path: Path, rows: Iterable[Any]) -> int:
    schema = TABLES[table_of(path)].schema
    count = 0
    with (
        atomic(path) as draft,
        pq.ParquetWriter(draft, schema, compression="zstd", compression_level=3, use_dictionary=True) as out,
    ):
        for group in _groups(rows):
            out.write_table(pa.Table.from_pylist([_arrow(r) for r in group], schema=schema), row_group_size=len(group))
            count += len(group)
    return count


def _groups(rows: Iterable[Any]) -> Iterator[list[Any]]:
    """Rows in groups bounded in number and in characters of their longest texts."""
    group: list[Any] = []
    size = 0
    for row in rows:
        group.append(row)
        size += sum(len(v) for v in row if isinstance(v, str))
        size += sum(len(m.content) for m in getattr(row, "messages", ()))
        if len(group) >= ROWS_PER_GROUP or size >= BYTES_PER_GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


def _arrow(row: Any) -> dict[str, Any]:
    return {k: _nested(v) for k, v in row._asdict().items()}


def _nested(value: Any) -> Any:
    if isinstance(value, list):
        return [v._asdict() if hasattr(v, "_asdict") else v for v in value]
    return sorted(value.items()) if isinstance(value, dict) else value


def read(path: Path, without: Sequence[str] = ()) -> list[Any]:
    """All records of a file, in key order; see `iterate`."""
    return list(iterate(path, without=without))


def iterate(path: Path, batch_rows: int = 1024, without: Sequence[str] = ()) -> Iterator[Any]:
    """The records of a file one by one, a batch in memory at a time.

    `without` names list fields of a Parquet file that are not read and come empty (nested ones are dear).
    Raises `InputError` naming file and line for JSONL that is not of the table's shape.
    """
    build = _builder(table_of(path))
    empty: dict[str, list[Any]] = {name: [] for name in without}
    for number, row in enumerate(iterate_plain(path, batch_rows, without), 1):
        try:
            yield build(row | empty if without else row)
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"not a row of '{table_of(path)}': {error}", file=path, row=number) from error


def iterate_plain(path: Path, batch_rows: int = 1024, without: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """The rows of a file as dicts of plain values (times are `datetime` from Parquet, text from JSONL)."""
    if path.suffix != ".jsonl":
        with pq.ParquetFile(path) as file:
            columns = [name for name in file.schema_arrow.names if name not in without]
            for batch in file.iter_batches(batch_rows, columns=columns):
                yield from batch.to_pylist(maps_as_pydicts="strict")
        return
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise InputError(f"not JSON: {error}", file=path, row=number) from error


@cache
def _builder(name: str) -> Callable[[dict[str, Any]], Any]:
    record = TABLES[name].record
    casts = {f: c for f, hint in typing.get_type_hints(record).items() if (c := _cast(hint))}
    fields = set(typing.get_type_hints(record))

    def build(row: dict[str, Any]) -> Any:
        if not isinstance(row, dict) or row.keys() != fields:
            raise ValueError(f"fields differ: {sorted(set(row) ^ fields)}")
        for field, cast in casts.items():
            if row[field] is not None:
                row[field] = cast(row[field])
        return record(**row)

    return build


def _cast(hint: Any) -> Callable[[Any], Any] | None:
    """How a plain value becomes the hinted one: nested records and times; None = it already is."""
    if isinstance(hint, types.UnionType):
        return next((c for h in typing.get_args(hint) if (c := _cast(h))), None)
    if typing.get_origin(hint) is list and hasattr(item := typing.get_args(hint)[0], "_fields"):
        return lambda values: [item(**v) for v in values]
    if hint is datetime:
        return lambda v: datetime.fromisoformat(v) if isinstance(v, str) else v
    return None
