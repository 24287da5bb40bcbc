"""The records that stages exchange: one named tuple and one Arrow schema each.

A record is what a row *is*; where it lies is the path scheme's business (`store` writes it, `receipt`
vouches for it). `key` names the primary key: rows of a file are unique in it and sorted by it.
Times are naive local timestamps (source benchmarks carry no zone); a missing time is null.
"""

from __future__ import annotations

from datetime import datetime
from types import NoneType, UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import pyarrow as pa


class Table(NamedTuple):
    """A kind of file: its record type, Arrow schema and primary key."""

    name: str
    record: type
    schema: pa.Schema
    key: tuple[str, ...]


class Session(NamedTuple):
    """A session at its place in a conversation (a LongMemEval haystack is a conversation).

    `position` (0-based, in clock order) is the key, because source ids repeat within one haystack.
    """

    conversation_id: str
    position: int
    source_session_id: str
    content_id: str
    started_at: datetime | None


class Turn(NamedTuple):
    """A turn of a distinct session text; `caption` describes a shared image and belongs to the text."""

    content_id: str
    turn_index: int
    role: str
    speaker: str
    text: str
    caption: str | None


class Question(NamedTuple):
    """All that may be seen of a question before it is answered."""

    question_id: str
    conversation_id: str
    question: str
    asked_at: datetime | None
    language: str
    options: list[str]


class Gold(NamedTuple):
    """What only judge and statistics may see; no reference answers means that the gold is absent."""

    question_id: str
    reference_answers: list[str]
    question_type: str
    labels: dict[str, str]
    abstention: bool


class Evidence(NamedTuple):
    """A gold evidence reference; a null turn index means the whole session.

    An unresolved one (`resolved` false, null position) is counted out of retrieval denominators.
    """

    question_id: str
    position: int | None
    turn_index: int | None
    source_reference: str
    resolved: bool


class Quality(NamedTuple):
    """A data-quality finding of ingest: what kind, where in the source, and in words."""

    kind: str
    where: str
    detail: str


class TurnHit(NamedTuple):
    """A turn's rank (1-based, over all turns of the conversation; null = not in the lane's list) by lane."""

    turn_index: int
    dense_rank: int | None
    keyword_rank: int | None


class Candidate(NamedTuple):
    """A pooled session. Ranks are 1-based, null where the lane did not nominate the session.

    `best_turn` is the turn index whose vector is nearest to the question; `turns` are the turns that
    stand high enough in a turn-level lane to be measured or reranked.
    """

    question_id: str
    position: int
    pool_rank: int
    dense_rank: int | None
    dense_score: float | None
    keyword_rank: int | None
    keyword_score: float | None
    expansion_rank: int | None
    expansion_score: float | None
    best_turn: int | None
    turns: list[TurnHit]


class TurnScore(NamedTuple):
    """A turn's reranker score and its rank (1-based) among all scored turns of the question."""

    turn_index: int
    score: float
    rank: int


class Reranked(NamedTuple):
    """A scored candidate; `best_chunk` is the turn index that scored best (null: none was scored)."""

    question_id: str
    position: int
    rank: int
    score: float
    best_chunk: int | None
    turns: list[TurnScore]


class Slot(NamedTuple):
    """A session as it stands in a packet.

    `origin` is `prefix`, `extension`, `passage` or `history`; `form` is `whole`, `extracted`, `cut` or `turns`;
    `kept_lines` are line indices of the whole rendered session (null = all); sizes in characters.
    """

    slot: int
    position: int
    origin: str
    form: str
    kept_lines: list[int] | None
    chars: int
    original_chars: int


class Dropped(NamedTuple):
    """A session that was considered for a packet and left out, with the reason."""

    position: int
    rank: int
    chars: int
    reason: str


class Packet(NamedTuple):
    """The evidence that a reader gets to see; `sha256` is of the UTF-8 text."""

    question_id: str
    slots: list[Slot]
    dropped: list[Dropped]
    text: str
    chars: int
    proxy_tokens: int
    sha256: str


class Scaffold(NamedTuple):
    """An evidence index computed from question wording, question date and packet; empty text = none."""

    question_id: str
    operators: list[str]
    version: str
    text: str
    sha256: str


class Message(NamedTuple):
    """A chat message."""

    role: str
    content: str


class Request(NamedTuple):
    """A complete model request before it is sent; `parameters` is canonical JSON, `sha256` covers both.

    `context` is canonical JSON of hashes that travel into the answer or verdict (packet, scaffold, answer).
    """

    question_id: str
    messages: list[Message]
    parameters: str
    context: str
    chars: int
    proxy_tokens: int
    sha256: str


class Answer(NamedTuple):
    """A reader's answer. `status`: ok, truncated, refused, error; `answer` is empty unless there is one."""

    question_id: str
    status: str
    answer: str
    raw: str
    finish_reason: str | None
    model_requested: str
    model_resolved: str | None
    usage: dict[str, int]
    request_sha256: str
    packet_sha256: str
    scaffold_sha256: str
    attempts: int
    error: str | None


class Verdict(NamedTuple):
    """A judgement. `status`: judged, unparseable, error, unanswered; `correct` is null unless judged."""

    question_id: str
    status: str
    correct: bool | None
    grade: float | None
    raw: str
    model_requested: str
    model_resolved: str | None
    protocol: str
    template_sha256: str
    answer_sha256: str
    request_sha256: str | None
    attempts: int
    error: str | None


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
