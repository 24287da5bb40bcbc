"""One reader pass: requests to answers, through the ledger of the cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from memtrial.calls import ATTEMPTS, CONCURRENCY, TIMEOUT_S, Transport, run_calls
from memtrial.ledger import Ledger
from memtrial.reading import extractive
from memtrial.reading.answers import to_answers
from memtrial.records import Answer, Request
from memtrial.transports import embedded, litellm_transport


def read_pass(
    requests: Iterable[Request],
    spec: dict[str, Any],
    calls: Path,
    *,
    draw: int,
    total: int,
    progress: Callable[[int, int], None] | None = None,
    transport: Transport | None = None,
) -> list[Answer]:
    """The answers of one pass (its number is the draw), in the order of the streamed `requests`, `total` in number.

    `spec` may hold `concurrency`, `attempts` and `timeout_s`, which change no answer. `transport` replaces that of the
    spec's kind. Raises `AuthenticationStopped`.
    """
    if transport is None:
        transport = embedded(extractive.answer) if spec["kind"] == "extractive" else litellm_transport()
    heads: list[Request] = []

    def noting() -> Iterator[Request]:
        for request in requests:
            heads.append(request._replace(messages=[]))
            yield request

    outcomes = run_calls(
        noting(),
        transport,
        Ledger(calls),
        draw=draw,
        total=total,
        concurrency=spec.get("concurrency", CONCURRENCY),
        attempts=spec.get("attempts", ATTEMPTS),
        timeout_s=spec.get("timeout_s", TIMEOUT_S),
        progress=progress,
    )
    return to_answers(heads, outcomes)
