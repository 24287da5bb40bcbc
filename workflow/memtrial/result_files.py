"""Other people's result files as rows with the fields that they have: JSON Lines, JSON or CSV, gzipped or not."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from memtrial.errors import InputError

_GZIP = b"\x1f\x8b"
_SUFFIXES = (".json", ".jsonl", ".csv")
_COMMENT = "# "

Files = Mapping[str, bytes]


class Row(NamedTuple):
    """A row of `file`, and its number there.

    That is its line, or its place in the list, from 1; `3.2` is the second object inside the third row.
    """

    number: int | str
    values: dict[str, Any]
    file: str = ""


def source_files(path: str) -> list[str]:
    """The files of a source: the file itself, or, of a folder, its data files by name (none that starts with `_`)."""
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    named = [p for p in folder.iterdir() if p.name.lower().removesuffix(".gz").endswith(_SUFFIXES)]
    found = sorted(str(p) for p in named if p.is_file() and not p.name.startswith(("_", ".")))
    if not found:
        raise InputError(f"the folder holds no file that ends in {', '.join(_SUFFIXES)} or .gz", file=path)
    return found


def parse(content: bytes, file: str) -> list[Row]:
    """The rows of a file with the fields that it has; `file` is its name, for messages.

    `.csv` (before any `.gz`) is CSV with a header, values as text; lines before it that start with `# ` are comments.
    Anything else is JSON: a list of objects, one object, or an object a line.
    Raises `InputError` for anything else, naming the row.
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
    if _is_one_object(text):
        return [_object(1, _json(text, file, None), file)]
    # Not splitlines: JSON may hold U+2028 and its like inside a text.
    lines = enumerate(text.split("\n"), 1)
    return [_object(n, _json(line, file, n), file) for n, line in lines if line.strip()]


def _is_one_object(text: str) -> bool:
    """Whether a text is one object over several lines."""
    start = text.strip()
    if not start.startswith("{") or "\n" not in start:
        return False
    try:
        return json.JSONDecoder().raw_decode(start)[1] == len(start)
    except (ValueError, RecursionError):
        return False


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
    return Row(number, value, file)


def _csv_rows(text: str, file: str) -> list[Row]:
    comments = 0
    while text.startswith(_COMMENT):
        text = text.partition("\n")[2]
        comments += 1
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[Row] = []
    try:
        header = next(reader, [])
        if not header or len(set(header)) != len(header):
            raise InputError("expected a header of differing names", file=file, row=1 + comments)
        for cells in reader:
            number = reader.line_num + comments
            if not cells:
                continue
            if len(cells) != len(header):
                raise InputError(f"{len(cells)} values under {len(header)} names", file=file, row=number)
            rows.append(Row(number, dict(zip(header, cells, strict=True)), file))
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", file=file, row=reader.line_num + comments) from None
    return rows
