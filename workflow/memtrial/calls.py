"""Model calls: requests in, one outcome each out, through the ledger, with bounded concurrency and retries.

What differs between providers is the transport's business (`transports`), what to do about a failure is decided here
and in `retries`: time-outs, network errors, 408, 409, 429, 5xx and empty replies are tried again, a bounded number of
times; a content filter is a refusal; where every further call would fail alike (401, 402, 403, 404, a provider that
does not answer at all) the whole run stops; anything else is an error of that request.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from memtrial.ledger import Ledger, Row
from memtrial.limits import Pace, most_tokens
from memtrial.model_table import UNKNOWN, ModelFacts
from memtrial.records import Request
from memtrial.retries import MAX_WAIT_S, SILENT_REQUESTS, delay_s, passing, stop_reason
from memtrial.tally import Tally

LOG = logging.getLogger(__name__)
CONCURRENCY = 16
# With the waits between them eight tries last one to two minutes: longer than a provider's minute of rate limiting.
ATTEMPTS = 8
TIMEOUT_S = 300.0
BASE_DELAY_S = 1.0

# Called with the number done, the total, and what it has come to so far in words.
Progress = Callable[[int, int, str], None]


class Response(NamedTuple):
    """A provider's complete reply; `model` as the provider names it, `usage` in tokens, `raw` JSON-ready.

    `reasoning` is text that the provider gives apart from the reply.
    """

    text: str
    finish_reason: str | None
    model: str | None
    usage: dict[str, int]
    raw: dict[str, Any]
    reasoning: str = ""


class CallFailed(Exception):
    """A call that gave no usable reply. `status` is the HTTP status (None: network or time-out); times in seconds.

    `filtered`: by a content filter; `final`: the same request would fail again.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        filtered: bool = False,
        final: bool = False,
    ) -> None:
        super().__init__(message)
        self.status, self.retry_after = status, retry_after
        self.filtered, self.final = filtered, final


class CallsStopped(Exception):
    """Further calls would fail alike: nothing more was sent, everything answered so far is in the ledger."""


class AuthenticationStopped(CallsStopped):
    """The provider refused the credentials."""


class Transport(Protocol):
    """Sends one request: messages as {"role", "content"}, parameters as in the request. Raises `CallFailed`."""

    async def __call__(self, messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response: ...


class Outcome(NamedTuple):
    """What became of a request. `status`: ok, truncated (length stop), refused (content filter), error.

    `replayed`: no call was made for it, it was in the ledger. `attempts` is 0 where none could be made. `usage` in
    tokens.
    """

    question_id: str
    status: str
    text: str
    finish_reason: str | None
    model_resolved: str | None
    usage: dict[str, int]
    attempts: int
    error: str | None
    replayed: bool
    reasoning: str = ""


def run_calls(
    requests: Iterable[Request],
    transport: Transport,
    ledger: Ledger,
    *,
    draw: int,
    total: int,
    concurrency: int = CONCURRENCY,
    attempts: int = ATTEMPTS,
    timeout_s: float = TIMEOUT_S,
    base_delay_s: float = BASE_DELAY_S,
    limits: Pace | None = None,
    prices: ModelFacts = UNKNOWN,
    unfit: Callable[[Request], str | None] | None = None,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Outcomes in the order of `requests`, which are streamed: at most `concurrency` of them are held at a time.

    Replays from the ledger first; equal requests are sent once; one that is `unfit` (the function says why) is not
    sent and ends as an error. Waits before another try are `delay_s` of (request, draw), never less than Retry-After;
    a request that would wait more than `MAX_WAIT_S` in all is given up. Each try keeps to `limits`. `progress` is
    called after each. Closes the ledger's file. Raises `CallsStopped` after calls in flight have ended.
    """
    tally, begun = Tally(total, prices), time.monotonic()

    def count(outcome: Outcome) -> None:
        tally.add(outcome.status, outcome.usage, asked=not outcome.replayed and outcome.attempts > 0)
        if progress:
            progress(tally.done, total, tally.note(time.monotonic() - begun))

    run = _Run(transport, ledger, draw, attempts, timeout_s, base_delay_s, limits, unfit, count)
    try:
        outcomes = asyncio.run(run.all(requests, concurrency))
    finally:
        ledger.close()
        if ledger.torn:
            LOG.warning("the ledger held %d lines that a kill cut short; those requests were asked again", ledger.torn)
    replayed = sum(o.replayed for o in outcomes)
    LOG.info("%d requests: %d from the ledger, %d asked now", len(outcomes), replayed, tally.asked)
    return outcomes


class _Run:
    """One `run_calls`: the state that its workers share."""

    def __init__(
        self,
        transport: Transport,
        ledger: Ledger,
        draw: int,
        attempts: int,
        timeout_s: float,
        base_delay_s: float,
        limits: Pace | None,
        unfit: Callable[[Request], str | None] | None,
        count: Callable[[Outcome], None],
    ) -> None:
        self.transport, self.ledger, self.draw = transport, ledger, draw
        self.attempts, self.timeout_s, self.base_delay_s = attempts, timeout_s, base_delay_s
        self.limits, self.unfit, self.count = limits, unfit, count
        self.outcomes: dict[int, Outcome] = {}
        self.locks: dict[str, asyncio.Lock] = {}
        self.turn = asyncio.Lock()
        self.stop = asyncio.Event()
        self.stopped: CallsStopped | None = None
        self.silent = 0

    async def all(self, requests: Iterable[Request], concurrency: int) -> list[Outcome]:
        numbered = iter(enumerate(requests))
        await asyncio.gather(*(self.work(numbered) for _ in range(concurrency)))
        if self.stopped:
            raise self.stopped
        return [self.outcomes[i] for i in range(len(self.outcomes))]

    async def work(self, numbered: Iterator[tuple[int, Request]]) -> None:
        for number, item in numbered:
            # Equal requests wait for one another, so that one draw of one request is asked and answered once.
            async with self.locks.setdefault(item.sha256, asyncio.Lock()):
                outcome = await self.settle(item)
            if self.stop.is_set():
                return
            self.outcomes[number] = outcome
            self.count(outcome)

    async def settle(self, item: Request) -> Outcome:
        """The outcome of one request: from the ledger, or from calls whose end is then in the ledger."""
        if row := self.ledger.get(item.sha256, self.draw):
            return _outcome(item, row, replayed=True)
        if self.unfit and (why := self.unfit(item)):
            return _failed(item, why, attempts=0)
        begun = time.monotonic()
        response, error, tried = await self.tries(item)
        status, kept = ("good", response._asdict()) if response else ("bad", None)
        elapsed_s, now = round(time.monotonic() - begun, 3), round(time.time(), 3)
        row = Row(item.sha256, self.draw, status, kept, error or None, tried, elapsed_s, now)
        if tried:
            self.ledger.append(row)
        return _outcome(item, row, replayed=False)

    async def tries(self, item: Request) -> tuple[Response | None, str, int]:
        """Calls until one gives a definite outcome or a bound is reached: the response or an error, number of tries."""
        error, waited, tried = "not called", 0.0, 0
        while await self.may_call(item):
            tried += 1
            try:
                response = await self.once(item)
            except CallFailed as failure:
                error = str(failure)
                delay = max(delay_s(f"{item.sha256} {self.draw}", tried, self.base_delay_s), failure.retry_after or 0.0)
                if waited + delay > MAX_WAIT_S:
                    error = f"{error}; given up: waits would pass {MAX_WAIT_S:.0f} s"
                elif passing(failure.status) and not failure.final and tried < self.attempts:
                    waited += delay
                    await self.pause(delay)
                    continue
                self.despair(item, failure)
                break
            self.silent = 0
            return response, "", tried
        return None, error, tried

    async def may_call(self, item: Request) -> bool:
        """Wait until the limits allow the call; False if the run stops."""
        if self.limits and not self.stop.is_set():
            # One worker at a time books a moment, so a kill leaves no more than one booked for nothing.
            async with self.turn:
                await self.pause(self.limits.wait_s(time.time(), most_tokens(item)))
        return not self.stop.is_set()

    async def pause(self, seconds: float) -> None:
        """Sleep, but no longer than until the run stops."""
        if seconds > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stop.wait(), seconds)

    async def once(self, item: Request) -> Response:
        """One try: a definite outcome (a refusal is one). Raises `CallFailed`."""
        messages = [{"role": m.role, "content": m.content} for m in item.messages]
        try:
            async with asyncio.timeout(self.timeout_s):
                response = await self.transport(messages, json.loads(item.parameters))
        except TimeoutError:
            raise CallFailed(f"no reply within {self.timeout_s:g} s") from None
        except CallFailed as failure:
            if failure.filtered:
                return Response("", "content_filter", None, {}, {"error": str(failure)})
            raise
        if self.limits and (used := response.usage.get("prompt_tokens")):
            self.limits.correct(used - item.proxy_tokens)
        if not response.text.strip() and response.finish_reason not in ("length", "content_filter"):
            raise CallFailed("empty reply", status=200)
        return response

    def despair(self, item: Request, failure: CallFailed) -> None:
        """Stop the run if the failure of this request says that all others will fail too."""
        model = json.loads(item.parameters)["model"]
        kept = "no further call was made and all answers so far are kept; then run again"
        if reason := stop_reason(failure.status):
            kind = AuthenticationStopped if failure.status in (401, 403) else CallsStopped
            self.stopped = kind(f"the provider of model '{model}' (HTTP {failure.status}) {reason}; {kept}")
        self.silent = self.silent + 1 if passing(failure.status) and failure.status != 200 else 0
        if self.silent >= SILENT_REQUESTS:
            last = f"HTTP {failure.status}" if failure.status else "no connection or no reply in time"
            self.stopped = CallsStopped(
                f"the provider of model '{model}' answered none of {self.silent} requests in a row, however often"
                f" tried (last: {last}): wait or mend the address; {kept}"
            )
        if self.stopped:
            self.stop.set()


def _failed(item: Request, error: str | None, attempts: int, *, replayed: bool = False) -> Outcome:
    return Outcome(item.question_id, "error", "", None, None, {}, attempts, error, replayed)


def _outcome(item: Request, row: Row, *, replayed: bool) -> Outcome:
    if row.response is None:
        return _failed(item, row.error, row.attempts, replayed=replayed)
    response = Response(**row.response)
    status = {"length": "truncated", "content_filter": "refused"}.get(response.finish_reason or "", "ok")
    return Outcome(
        item.question_id,
        status,
        response.text,
        response.finish_reason,
        response.model,
        response.usage,
        row.attempts,
        "stopped by a content filter" if status == "refused" else None,
        replayed,
        response.reasoning,
    )
