"""Other people's result files as plain rows: JSON Lines, a JSON list or CSV, gzipped or not, through a field map.

A field map names for each of our fields the field of the file that holds it, or null for none: {"question_id": "id",
"correct": "autoeval_label.label"}. A name with dots leads into nested objects, unless a field has just that name.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from memtrial.errors import InputError
from memtrial.text import canonical

_GZIP = b"\x1f\x8b"
# What an imported answer says as its error where the file was made public without the texts of the answers.
NOT_RELEASED = "the source holds no answer texts"


class Row(NamedTuple):
    """A row as `fields` named its values, and its number in the file (line, or place in the list, from 1)."""

    number: int
    values: dict[str, Any]


def parse(content: bytes, file: str) -> list[Row]:
    """The rows of a file with the fields that it has; `file` is its name, for messages.

    `.csv` (before any `.gz`) is CSV with a header, values as text; anything else is JSON: a list of objects if it
    starts with `[`, else an object a line. Raises `InputError` for anything else, naming the row.
    """
    if content.startswith(_GZIP):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"not a whole gzip file: {error}", file=file) from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"expected UTF-8: {error}", file=file) from None
    if file.lower().removesuffix(".gz").endswith(".csv"):
        return _csv_rows(text, file)
    if text.lstrip().startswith("["):
        listed = _json(text, file, None)
        return [_object(n, value, file) for n, value in enumerate(listed, 1)]
    # Not splitlines: JSON may hold U+2028 and its like inside a text.
    lines = enumerate(text.split("\n"), 1)
    return [_object(n, _json(line, file, n), file) for n, line in lines if line.strip()]


def _json(text: str, file: str, number: int | None) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", file=file, row=number) from None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _object(number: int, value: Any, file: str) -> Row:
    if not isinstance(value, dict):
        raise InputError(f"expected an object, found {type(value).__name__}", file=file, row=number)
    return Row(number, value)


def _csv_rows(text: str, file: str) -> list[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[Row] = []
    try:
        header = next(reader, [])
        if not header or len(set(header)) != len(header):
            raise InputError("expected a header of differing names", file=file, row=1)
        for cells in reader:
            if not cells:
                continue
            if len(cells) != len(header):
                problem = f"{len(cells)} values under {len(header)} names"
                raise InputError(problem, file=file, row=reader.line_num)
            rows.append(Row(reader.line_num, dict(zip(header, cells, strict=True))))
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", file=file, row=reader.line_num) from None
    return rows


def mapped(rows: Iterable[Row], fields: Mapping[str, str | None], file: str) -> list[Row]:
    """Rows with our fields alone; those that the map gives as null, or not at all, are left out.

    `question_id` must be among them and comes as text. Raises `InputError` where a row lacks a field that is named.
    """
    if not fields.get("question_id"):
        raise InputError("the field map names no field for question_id", field="fields")
    named = {ours: theirs for ours, theirs in fields.items() if theirs}
    found = []
    for row in rows:
        values = {ours: _at(row, theirs, file) for ours, theirs in named.items()}
        key = values["question_id"]
        if isinstance(key, bool) or not isinstance(key, str | int) or not str(key).strip():
            raise InputError("expected text or a whole number", file=file, row=row.number, field=named["question_id"])
        found.append(Row(row.number, values | {"question_id": str(key)}))
    return found


def _at(row: Row, path: str, file: str) -> Any:
    value: Any = row.values
    for name in [path] if path in row.values else path.split("."):
        if not isinstance(value, dict) or name not in value:
            raise InputError("the row has no such field", file=file, row=row.number, field=path)
        value = value[name]
    return value


def joined(rows: Iterable[Row], wanted: Collection[str], file: str) -> dict[str, Row]:
    """The rows by question id, in the order of `wanted`: one for each of these ids, and no other.

    Raises `InputError` that counts what is missing, unknown and there twice, and names the first of each.
    """
    by_id: dict[str, Row] = {}
    twice: dict[str, None] = {}
    for row in rows:
        key = row.values["question_id"]
        if key in by_id:
            twice[key] = None
        by_id.setdefault(key, row)
    known = set(wanted)
    differences = {
        "missing": [w for w in wanted if w not in by_id],
        "unknown": [k for k in by_id if k not in known],
        "there twice": list(twice),
    }
    if told := [f"{len(ids)} {what} (first '{ids[0]}')" for what, ids in differences.items() if ids]:
        problem = f"the file's questions are not the {len(known)} of the benchmark: {', '.join(told)}"
        raise InputError(problem, file=file, field="question_id")
    return {w: by_id[w] for w in wanted}


def text_of(value: Any) -> str:
    """A value as text: null is empty, other than text and numbers canonical JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else canonical(value)


def chosen(value: Any, choices: Mapping[str, Collection[Any]]) -> str | None:
    """Which choice lists a value, None if none does. Text is compared without case and outer blanks; true is not 1."""
    for name, listed in choices.items():
        if any(_plain(value) == _plain(item) for item in listed):
            return name
    return None


def _plain(value: Any) -> tuple[str, Any]:
    if isinstance(value, str):
        return "text", value.strip().casefold()
    return "flag" if isinstance(value, bool) else "other", value
