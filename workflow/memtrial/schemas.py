"""The kinds of files: each record type's Arrow schema, derived from its type hints, and its primary key.

Rows of a file are unique in its key and sorted by it.
"""

from __future__ import annotations

from datetime import datetime
from types import NoneType, UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import pyarrow as pa

from memtrial.records import (
    Answer,
    Candidate,
    Disputed,
    Evidence,
    Gold,
    Packet,
    Quality,
    Question,
    Request,
    Reranked,
    Scaffold,
    Session,
    Turn,
    Verdict,
)


class Table(NamedTuple):
    """A kind of file: its record type, Arrow schema and primary key."""

    name: str
    record: type
    schema: pa.Schema
    key: tuple[str, ...]


def _arrow_type(hint: Any) -> pa.DataType:
    """The Arrow type of a field's type hint; a nested record becomes a struct."""
    if isinstance(hint, UnionType):
        return _arrow_type(next(h for h in get_args(hint) if h is not NoneType))
    if get_origin(hint) is list:
        return pa.list_(_arrow_type(get_args(hint)[0]))
    if get_origin(hint) is dict:
        return pa.map_(*map(_arrow_type, get_args(hint)))
    return _PLAIN[hint] if hint in _PLAIN else pa.struct([(f, _arrow_type(h)) for f, h in get_type_hints(hint).items()])


def _schema(record: type) -> pa.Schema:
    """A record's Arrow schema, from its type hints: only a field hinted `| None` is nullable."""
    hints = get_type_hints(record).items()
    return pa.schema([pa.field(f, _arrow_type(h), nullable=isinstance(h, UnionType)) for f, h in hints])


_PLAIN = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_(), datetime: pa.timestamp("s")}
_KEYS: dict[str, tuple[type, tuple[str, ...]]] = {
    "sessions": (Session, ("conversation_id", "position")),
    "turns": (Turn, ("content_id", "turn_index")),
    "questions": (Question, ("question_id",)),
    "gold": (Gold, ("question_id",)),
    "evidence": (Evidence, ("question_id", "source_reference", "position", "turn_index")),
    "disputed": (Disputed, ("question_id", "source", "kind", "detail")),
    "quality": (Quality, ("kind", "where", "detail")),
    "candidates": (Candidate, ("question_id", "pool_rank")),
    "reranked": (Reranked, ("question_id", "rank")),
    "packets": (Packet, ("question_id",)),
    "scaffolds": (Scaffold, ("question_id",)),
    "requests": (Request, ("question_id",)),
    "answers": (Answer, ("question_id",)),
    "verdicts": (Verdict, ("question_id",)),
}
TABLES = {name: Table(name, record, _schema(record), key) for name, (record, key) in _KEYS.items()}


def plain(value: Any) -> Any:
    """A record (or a part of one) as plain Python: tuples of fields to dicts."""
    if hasattr(value, "_asdict"):
        return {k: plain(v) for k, v in value._asdict().items()}
    if isinstance(value, dict):
        return {k: plain(v) for k, v in sorted(value.items())}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return value
