"""The records that stages exchange, a named tuple each; `schemas` gives their Arrow schemas and keys.

A record is what a row *is*; where it lies is the path scheme's business (`store` writes it, `receipt` vouches for it).
Times are naive local timestamps (source benchmarks carry no zone); a missing time is null.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

TRIVIAL = "trivial"  # the system of trivial baselines: answers that no memory made


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


class Disputed(NamedTuple):
    """A source's objection to a question's gold. `kind` is the source's own word for it; `detail` what it says.

    `changes_score`: whether by that source a right answer would be judged otherwise; null where it does not say.
    """

    question_id: str
    source: str
    kind: str
    changes_score: bool | None
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
    `kept_lines` are line indices of the whole rendered session (null = all), `elided_lines` the number of the others;
    sizes in characters, without heading.
    """

    slot: int
    position: int
    origin: str
    form: str
    kept_lines: list[int] | None
    elided_lines: int
    chars: int
    original_chars: int


class Dropped(NamedTuple):
    """A session that was considered for a packet and left out, with the reason."""

    position: int
    rank: int
    chars: int
    reason: str


class Packet(NamedTuple):
    """The evidence that a reader gets to see; `sha256` is of the UTF-8 text.

    `layout` is `coverage`, `archivist`, `passages` or `history`; `tokens` are those of the budget's named tokenizer
    (null: the budget is in proxy tokens).
    """

    question_id: str
    layout: str
    slots: list[Slot]
    dropped: list[Dropped]
    text: str
    chars: int
    proxy_tokens: int
    tokens: int | None
    sha256: str


class Part(NamedTuple):
    """A section of a scaffold: the operator that made it, where it stands in the text, and its lines."""

    operator: str
    section: str
    start: int
    end: int
    shown_lines: int
    cut_lines: int


class Scaffold(NamedTuple):
    """An evidence index computed from question wording, question date and packet; empty text = none.

    `cues` gives for each operator that the wording asked for the words that did; `absence` says why there is no text
    (`disabled`, `empty-packet`, `no-cue`) and is empty where there is one.
    """

    question_id: str
    operators: list[str]
    cues: dict[str, str]
    version: str
    parts: list[Part]
    text: str
    sha256: str
    absence: str


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
    """A reader's answer. `status`: ok, truncated, refused, error; `answer` is empty unless there is one.

    `raw` is the whole reply, `reasoning` what the provider gave apart from it.
    """

    question_id: str
    status: str
    answer: str
    raw: str
    reasoning: str
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
    """A judgement. `status`: judged, unparseable, error, unanswered; `correct` is null unless judged.

    `official` is what a protocol's official reading of the same reply says, null where it has none.
    """

    question_id: str
    status: str
    correct: bool | None
    grade: float | None
    official: bool | None
    raw: str
    model_requested: str
    model_resolved: str | None
    protocol: str
    template_sha256: str
    answer_sha256: str
    request_sha256: str | None
    attempts: int
    error: str | None
