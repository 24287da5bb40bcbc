"""What of a benchmark that may not be passed on stays out of its bundle: its text, and nothing else.

Files that quote it anywhere are left out; a table or list of records is written beside its place as
`name.withheld.suffix`, its text fields emptied and all else (ids, slots, line numbers, hashes, labels) as it was. What
a model wrote is kept, as it is no text of the benchmark, though it may quote it; a reader that copies is no model.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from memtrial.text import canonical

# Text fields of each kind of file; `a.b` is the entry b of the map a, or the field b of each record in the list a.
FIELDS: dict[str, tuple[str, ...]] = {
    "turns": ("text", "caption"),
    "questions": ("question", "options"),
    "gold": ("reference_answers", "labels.adversarial_answer"),
    "quality": ("detail",),
    "disputed": ("detail",),
    "packets": ("text",),
    "scaffolds": ("text", "cues"),
    "requests": ("messages",),
    "answers": ("answer", "raw", "reasoning"),
    "controls": tuple(f"records.{field}" for field in ("question", "references", "answer", "how")),
}
# Kinds of files that hold none: ids, ranks, scores, verdicts.
TEXTLESS = ("sessions", "evidence", "candidates", "reranked", "retrieval", "support", "verdicts")
# Kinds of readers whose answers a model wrote.
WRITING_KINDS = ("litellm", "local", "import")
TEXT = "Text of the benchmark, in the fields named"
COPIED = "Copied from the benchmark by a reader that is no model"
QUOTING = "Quotes the benchmark throughout"
UNKNOWN = "Not known to be free of the benchmark's text"
DOUBLE = "The same as the Parquet file beside it"


class Treatment(NamedTuple):
    """What is done with a file: kept, left out (`omitted`), or written with these `fields` emptied; and why."""

    omitted: bool
    fields: tuple[str, ...]
    reason: str


KEPT = Treatment(False, (), "")


def treatment(place: str, copying: Collection[str]) -> Treatment:
    """What is done with the file at `place` (its path below the benchmark's results) of a withheld benchmark.

    `copying`: names of the readers whose answers are text of the benchmark.
    """
    path = PurePosixPath(place)
    top, kind = path.parts[0], path.name.split(".")[0]
    if top == "report":
        return KEPT if path.suffix == ".svg" else Treatment(True, (), QUOTING)
    if top == "controls" or (kind == "controls" and (top != "judges" or path.suffix != ".json")):
        return Treatment(True, (), QUOTING)
    if top == "statistics" and kind != "disputed":
        return KEPT
    if path.suffix == ".csv":
        return Treatment(True, (), DOUBLE)
    if kind == "answers":
        readers = {part.removeprefix("reader=") for part in path.parts if part.startswith("reader=")}
        return Treatment(False, FIELDS[kind], COPIED) if readers & set(copying) else KEPT
    if kind in FIELDS:
        return Treatment(False, FIELDS[kind], TEXT)
    return KEPT if kind in TEXTLESS else Treatment(True, (), UNKNOWN)


def withheld_name(name: str) -> str:
    """The name of the emptied copy of a file.

    >>> withheld_name("a/packets.parquet")
    'a/packets.withheld.parquet'
    """
    path = PurePosixPath(name)
    return str(path.with_name(f"{path.stem}.withheld{path.suffix}"))


def write_emptied(source: Path, target: Path, fields: Collection[str]) -> None:
    """Write a copy of a Parquet, JSONL or JSON file whose `fields` are empty, a row group or line at a time."""
    if source.suffix == ".parquet":
        _write_parquet(source, target, fields)
        return
    with source.open(encoding="utf-8") as lines, target.open("w", encoding="utf-8", newline="\n") as out:
        if source.suffix == ".jsonl":
            out.writelines(f"{canonical(_emptied(json.loads(line), fields))}\n" for line in lines)
        else:
            told = _emptied(json.load(lines), fields)
            out.write(json.dumps(told, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def _emptied(row: dict[str, Any], fields: Iterable[str]) -> dict[str, Any]:
    for field in fields:
        outer, _, inner = field.partition(".")
        name = inner or outer
        for record in row[outer] if inner else [row]:
            if name in record:
                record[name] = [] if isinstance(record[name], list) else ""
    return row


def _write_parquet(source: Path, target: Path, fields: Collection[str]) -> None:
    with pq.ParquetFile(source) as file:
        schema = file.schema_arrow
        kept = [name for name in schema.names if name not in fields]
        with pq.ParquetWriter(target, schema, compression="zstd", compression_level=3) as out:
            for number in range(file.num_row_groups):
                # The text itself is never read.
                group = file.read_row_group(number, columns=kept)
                columns = [_column(field, group, fields) for field in schema]
                out.write_table(pa.Table.from_arrays(columns, schema=schema), row_group_size=max(group.num_rows, 1))


def _column(field: pa.Field, group: pa.Table, fields: Collection[str]) -> pa.Array | pa.ChunkedArray:
    if field.name in fields:
        blank = None if field.nullable else "" if pa.types.is_string(field.type) else []
        return pa.array([blank] * group.num_rows, field.type)
    keys = {inner for outer, _, inner in (f.partition(".") for f in fields) if outer == field.name}
    if not keys:
        return group[field.name]
    maps = ([(k, "" if k in keys else v) for k, v in value] for value in group[field.name].to_pylist())
    return pa.array(list(maps), field.type)
