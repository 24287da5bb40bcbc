"""What a run would still ask of models, and for what price: from rendered requests and ledgers, before any call.

Upper bounds: replies are taken at their `max_tokens`, judge requests of answers that do not exist yet with an answer of
the reader's `max_tokens`. Tokens in are no bound unless a tokenizer is named: proxy tokens are about right for English
and too few for Russian. Not counted: retries, what a chat template adds to a request, and surcharges or discounts
beyond a table's plain price a token (long contexts, caches, batches).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from memtrial.ledger import Ledger
from memtrial.model_table import ModelFacts, bundled, facts
from memtrial.records import Request
from memtrial.text import canonical

# Of the kinds of readers and judges those that ask a model; all others have no calls. A local one costs nothing.
MODEL_KINDS = ("litellm", "local")
HEADER = ("cell", "model", "calls", "of", "tokens in", "tokens out", "USD", "")


class Size(NamedTuple):
    """A request's size: `tokens` by the named tokenizer (null: none), `reply` its limit of output (null: none)."""

    key: str
    proxy_tokens: int
    tokens: int | None
    reply: int | None


class Line(NamedTuple):
    """What one cell would ask: `calls` of its distinct `requests`; the others are in the ledger (`held`) or do not fit.

    `free`: it asks no provider. Tokens in are proxy tokens, and those of the named tokenizer (null: none); tokens out
    the limits of the replies (null: there is none); `price` in US dollars (null: unknown). `note` says what is special.
    """

    cell: str
    model: str
    free: bool
    requests: int
    held: int
    unsendable: int
    calls: int
    proxy_tokens_in: int
    tokens_in: int | None
    tokens_out: int | None
    price: float | None
    note: str


def prices(specs: Iterable[Mapping[str, Any]]) -> Mapping[str, Mapping[str, Any]]:
    """litellm's table if a spec's model is asked through litellm, else an empty one (importing it takes seconds)."""
    return bundled() if any(s["kind"] == "litellm" for s in specs) else {}


def facts_of(spec: Mapping[str, Any], table: Mapping[str, Mapping[str, Any]]) -> ModelFacts:
    """What `table` says of a reader's or judge's model; one that runs here costs nothing."""
    return facts(spec["model"], table) if spec["kind"] == "litellm" else ModelFacts(None, 0.0, 0.0)


def reply_limit(parameters: Mapping[str, Any]) -> int | None:
    """The most tokens that a reply may have, by a request's parameters."""
    limit = parameters.get("max_completion_tokens") or parameters.get("max_tokens")
    return None if limit is None else int(limit)


def sizes(requests: Iterable[Request], counter: Callable[[str], int] | None = None) -> list[Size]:
    """Sizes of distinct requests (equal ones are asked once); `counter` of a named tokenizer needs the messages."""
    return list({r.sha256: _size(r, counter) for r in requests}.values())


def estimated(requests: Iterable[Request], answer_tokens: int) -> list[Size]:
    """Sizes of judge requests that were rendered with empty answers, as if each held one of `answer_tokens`.

    Their keys are not those of the requests to come, and none is equal to another.
    """
    found = ((r.question_id, _size(r, None)) for r in requests)
    return [Size(f"estimate {key}", s.proxy_tokens + answer_tokens, None, s.reply) for key, s in found]


def _size(request: Request, counter: Callable[[str], int] | None) -> Size:
    tokens = sum(counter(m.content) for m in request.messages) if counter else None
    return Size(request.sha256, request.proxy_tokens, tokens, reply_limit(json.loads(request.parameters)))


def replayed(calls: Path, draw: int) -> Callable[[str], bool]:
    """Whether the ledger in a `calls/` folder (it need not exist) replays a request of a draw, by its sha256."""
    ledger = Ledger(calls)

    def held(key: str) -> bool:
        return ledger.get(key, draw) is not None

    return held


def longest_reply(asked: Iterable[Size]) -> int:
    """The largest limit of output among requests, 0 where none has one."""
    return max((s.reply for s in asked if s.reply is not None), default=0)


def line(
    cell: Path,
    spec: Mapping[str, Any],
    asked: Sequence[Size],
    held: Callable[[str], bool],
    table: Mapping[str, Mapping[str, Any]],
    *,
    context_tokens: int | None = None,
    note: str = "",
) -> Line:
    """The line of a cell of a reader or judge spec; `held(key)` says whether the ledger replays a request.

    `context_tokens` (null: unchecked): requests that do not fit in with their replies are not sent. `table` is that of
    `prices`. A kind that asks no model has no calls.
    """
    asks = spec["kind"] in MODEL_KINDS
    left = [s for s in asked if asks and not held(s.key)]
    sent = [s for s in left if context_tokens is None or _asked(s) + (s.reply or 0) <= context_tokens]
    out = None if any(s.reply is None for s in sent) else sum(s.reply or 0 for s in sent)
    counted = all(s.tokens is not None for s in asked) and asked
    return Line(
        cell=cell.as_posix(),
        model=str(spec.get("model", spec["kind"])),
        free=spec["kind"] != "litellm",
        requests=len(asked),
        held=len(asked) - len(left) if asks else 0,
        unsendable=len(left) - len(sent),
        calls=len(sent),
        proxy_tokens_in=sum(s.proxy_tokens for s in sent),
        tokens_in=sum(s.tokens or 0 for s in sent) if counted else None,
        tokens_out=out,
        price=_price(sum(map(_asked, sent)), out, facts_of(spec, table)) if sent else 0.0,
        note=note,
    )


def _asked(size: Size) -> int:
    return size.proxy_tokens if size.tokens is None else size.tokens


def _price(tokens_in: int, tokens_out: int | None, known: ModelFacts) -> float | None:
    if known.input_price == known.output_price == 0.0:
        return 0.0
    if tokens_out is None or known.input_price is None or known.output_price is None:
        return None
    return tokens_in * known.input_price + tokens_out * known.output_price


def total(lines: Sequence[Line]) -> Line:
    """All lines in one. Its price is of the priced cells alone, null if there is none; the note counts the others."""
    priced = [one.price for one in lines if one.price is not None]
    unknown = len(lines) - len(priced)
    unbounded = any(one.tokens_out is None for one in lines)
    return Line(
        cell="in all",
        model="",
        free=all(one.free for one in lines),
        requests=sum(one.requests for one in lines),
        held=sum(one.held for one in lines),
        unsendable=sum(one.unsendable for one in lines),
        calls=sum(one.calls for one in lines),
        proxy_tokens_in=sum(one.proxy_tokens_in for one in lines),
        tokens_in=None,
        tokens_out=None if unbounded else sum(one.tokens_out or 0 for one in lines),
        price=None if unknown and not any(priced) else sum(priced),
        note=f"without {unknown} cells of unknown price" if unknown else "",
    )


def table(lines: Sequence[Line]) -> str:
    """The lines and their total as a plain table: numbers to the right, one line a cell."""
    rows = [HEADER, *(_cells(one) for one in [*lines, total(lines)])]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADER))]
    shown = ["  ".join(_padded(row, widths)).rstrip() for row in rows]
    rule = "-" * max(map(len, shown))
    return "\n".join([shown[0], rule, *shown[1:-1], rule, shown[-1]])


def _padded(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Cells at their widths: names and notes to the left, figures to the right."""
    places = enumerate(zip(row, widths, strict=True))
    return [cell.rjust(width) if 2 <= i <= 6 else cell.ljust(width) for i, (cell, width) in places]


def _cells(one: Line) -> tuple[str, ...]:
    asked = one.proxy_tokens_in if one.tokens_in is None else one.tokens_in
    tokens_in = f"{asked:,}" if one.tokens_in is not None or not asked else f"~{asked:,}"
    over = f"{one.unsendable:,} do not fit" if one.unsendable else ""
    return (
        one.cell.removeprefix("results/"),
        one.model,
        f"{one.calls:,}",
        f"{one.requests:,}",
        tokens_in,
        "no limit" if one.tokens_out is None else f"{one.tokens_out:,}",
        _dollars(one),
        "; ".join(filter(None, [over, one.note])),
    )


def _dollars(one: Line) -> str:
    if one.price is None:
        return "unknown"
    if one.free:
        return "free"
    return f"{one.price:,.2f}" if one.price >= 0.01 or not one.calls else "<0.01"


def as_json(lines: Sequence[Line]) -> str:
    """The lines and their total as canonical JSON."""
    return canonical({"cells": [one._asdict() for one in lines], "total": total(lines)._asdict()}) + "\n"
