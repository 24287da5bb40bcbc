"""One reader pass: requests to answers, through the ledger of the cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from memtrial.asking import ask
from memtrial.calls import Progress, Transport
from memtrial.errors import InputError
from memtrial.reading import extractive
from memtrial.reading.answers import to_answers
from memtrial.reading.window import overflow, window
from memtrial.records import Answer, Request
from memtrial.transports import embedded


def read_pass(
    requests: Iterable[Request],
    spec: dict[str, Any],
    calls: Path,
    *,
    draw: int,
    total: int,
    cache: Path | None = None,
    progress: Progress | None = None,
    transport: Transport | None = None,
) -> list[Answer]:
    """The answers of one pass (its number is the draw), in the order of the streamed `requests`, `total` in number.

    `spec` and `cache` as in `ask`. A request that does not fit the context window is an error with its size, not sent.
    `transport` replaces that of the spec's kind, and is needed for a local model. Raises `CallsStopped`.
    """
    if transport is None and spec["kind"] == "local":
        raise InputError("a local reader needs the transport of its server", field="kind")
    if transport is None and spec["kind"] == "extractive":
        transport = embedded(extractive.answer)
    heads: list[Request] = []

    def noting() -> Iterator[Request]:
        for request in requests:
            heads.append(request._replace(messages=[]))
            yield request

    limit = window(spec)
    outcomes = ask(
        noting(),
        spec,
        calls,
        draw=draw,
        total=total,
        cache=cache,
        transport=transport,
        unfit=lambda request: overflow(request, limit),
        progress=progress,
    )
    return to_answers(heads, outcomes)
