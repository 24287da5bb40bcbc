"""Requests asked as a reader's or judge's spec says: one cell's ledger, the machine's limits, one outcome each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from memtrial import model_table
from memtrial.calls import ATTEMPTS, CONCURRENCY, TIMEOUT_S, Outcome, Progress, Transport, run_calls
from memtrial.ledger import Ledger, alone
from memtrial.limits import pace
from memtrial.records import Request
from memtrial.transports import litellm_transport


def ask(
    requests: Iterable[Request],
    spec: dict[str, Any],
    calls: Path,
    *,
    draw: int,
    total: int,
    cache: Path | None = None,
    transport: Transport | None = None,
    unfit: Callable[[Request], str | None] | None = None,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Outcomes in the order of the streamed `requests`, `total` in number; see `run_calls`.

    `spec` may hold `concurrency`, `attempts`, `timeout_s`, `requests_per_minute` and `tokens_per_minute`, none of
    which changes a reply. `calls` is the cell's ledger folder, `cache` holds the machine's shared state (of limits
    alone). `transport` replaces litellm. A second process on the same ledger waits for the first, then finds its
    replies.
    """
    prices = model_table.UNKNOWN
    if transport is None:
        transport = litellm_transport()
        prices = model_table.facts(spec["model"], model_table.bundled())
    with alone(calls):
        return run_calls(
            requests,
            transport,
            Ledger(calls),
            draw=draw,
            total=total,
            concurrency=spec.get("concurrency", CONCURRENCY),
            attempts=spec.get("attempts", ATTEMPTS),
            timeout_s=spec.get("timeout_s", TIMEOUT_S),
            limits=pace(spec, cache),
            prices=prices,
            unfit=unfit,
            progress=progress,
        )
