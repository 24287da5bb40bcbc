"""Model calls: requests in, one outcome each out, through the ledger, with bounded concurrency and retries.

What differs between providers is the transport's business (`transports`); what to do about a failure is decided here:
timeouts, network errors, 408, 409, 429, 5xx and empty replies are tried again; a content filter is a refusal; 401 and
403 stop the whole run, as every further call would fail alike; anything else is an error of that request.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from memtrial.errors import InputError
from memtrial.ledger import Ledger, Row
from memtrial.records import Message, Request
from memtrial.text import canonical, proxy_tokens, sha256

LOG = logging.getLogger(__name__)
CONCURRENCY = 16
ATTEMPTS = 6
TIMEOUT_S = 300.0
BASE_DELAY_S = 1.0
MAX_DELAY_S = 60.0
MAX_WAIT_S = 900.0

# Credentials come from the environment alone; tools and system messages of a provider would open the closed book.
# Fallbacks would answer with another model; retries are counted here and nowhere else.
_FORBIDDEN = re.compile(
    r"api_?key|secret|password|credential|access_key|auth|header|(^|_)token$|^(model|messages|tools?|tool_choice"
    r"|functions?|function_call|stream|n|web_search_options|mcp_servers|plugins|mock_response|(\w+_)?fallbacks"
    r"|(num|max)_retries)$"
)
_ADDRESS_WITH_USER = re.compile(r"//[^/]*@")


class Response(NamedTuple):
    """A provider's complete reply; `model` as the provider names it, `usage` in tokens, `raw` JSON-ready."""

    text: str
    finish_reason: str | None
    model: str | None
    usage: dict[str, int]
    raw: dict[str, Any]


class CallFailed(Exception):
    """A call that gave no reply. `status` is the HTTP status (None: network or time-out); times in seconds."""

    def __init__(
        self, message: str, *, status: int | None = None, retry_after: float | None = None, filtered: bool = False
    ) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
        self.filtered = filtered


class AuthenticationStopped(Exception):
    """The provider refused the credentials: nothing more was sent, everything answered so far is in the ledger."""


class Transport(Protocol):
    """Sends one request: messages as {"role", "content"}, parameters as in the request. Raises `CallFailed`."""

    async def __call__(self, messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response: ...


class Outcome(NamedTuple):
    """What became of a request. `status`: ok, truncated (length stop), refused (content filter), error.

    `replayed`: no call was made for it, it was in the ledger. `usage` in tokens.
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


def canonical_parameters(model: str, parameters: dict[str, Any]) -> str:
    """A request's parameters as canonical JSON.

    Raises `InputError` for credentials, tools and the like, at any depth.
    """
    for name, value in parameters.items():
        _check(name, value)
    return canonical({"model": model, **parameters})


def _check(name: str, value: Any) -> None:
    if _FORBIDDEN.search(name.lower()):
        raise InputError("not allowed among a model's parameters (keys belong in the environment)", field=name)
    if isinstance(value, str) and _ADDRESS_WITH_USER.search(value):
        raise InputError("expected an address without user or password", field=name)
    if isinstance(value, dict):
        for inner, part in value.items():
            _check(inner, part)
    if isinstance(value, list):
        for part in value:
            _check(name, part)


def make_request(question_id: str, messages: list[Message], parameters: str, context: dict[str, str]) -> Request:
    """A complete request; `parameters` from `canonical_parameters`, its sha256 is of canonical [messages, parameters].

    Sizes count the characters of the messages' contents.
    """
    # The texts are encoded once: both parts are canonical JSON already, so joining them gives canonical JSON.
    body = canonical([m._asdict() for m in messages])
    chars = sum(len(m.content) for m in messages)
    digest = sha256(f"[{body},{parameters}]")
    return Request(question_id, messages, parameters, canonical(context), chars, proxy_tokens(chars), digest)


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
    progress: Callable[[int, int], None] | None = None,
) -> list[Outcome]:
    """Outcomes in the order of `requests`, which are streamed: at most `concurrency` of them are held at a time.

    Replays from the ledger first; equal requests are sent once. Delay before try i + 1:
    `base_delay_s` · 2^(i-1), at most `MAX_DELAY_S`, times a jitter in [0.5, 1) drawn from (request, draw, i), never
    less than Retry-After; a request that would wait more than `MAX_WAIT_S` in all is given up. `progress(done, total)`
    is called after each. Closes the ledger's file. Raises `AuthenticationStopped` on 401 or 403, after calls in flight
    have ended.
    """
    run = _Run(transport, ledger, draw, attempts, timeout_s, base_delay_s, progress, total)
    try:
        outcomes = asyncio.run(run.all(requests, concurrency))
    finally:
        ledger.close()
    replayed = sum(o.replayed for o in outcomes)
    LOG.info("%d requests: %d from the ledger, %d asked now", len(outcomes), replayed, len(outcomes) - replayed)
    if ledger.torn:
        LOG.warning("the ledger held %d lines that a kill cut short; those requests were asked again", ledger.torn)
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
        progress: Callable[[int, int], None] | None,
        total: int,
    ) -> None:
        self.transport, self.ledger, self.draw = transport, ledger, draw
        self.attempts, self.timeout_s, self.base_delay_s = attempts, timeout_s, base_delay_s
        self.progress, self.total = progress, total
        self.outcomes: dict[int, Outcome] = {}
        self.locks: dict[str, asyncio.Lock] = {}
        self.stop = asyncio.Event()
        self.stopped: AuthenticationStopped | None = None

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
            if self.progress:
                self.progress(len(self.outcomes), self.total)

    async def settle(self, item: Request) -> Outcome:
        """The outcome of one request: from the ledger, or from calls whose end is then in the ledger."""
        if row := self.ledger.get(item.sha256, self.draw):
            return _outcome(item, row, replayed=True)
        begun, waited, tried = time.monotonic(), 0.0, 0
        response, error = None, "not called"
        while not self.stop.is_set():
            tried += 1
            response, error, retry_after, again = await self.once(item)
            if response or not again or tried >= self.attempts:
                break
            delay = max(self.delay(item, tried), retry_after or 0.0)
            if waited + delay > MAX_WAIT_S:
                error = f"{error}; given up: waits would pass {MAX_WAIT_S:.0f} s"
                break
            waited += delay
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stop.wait(), delay)
        row = Row(
            item.sha256,
            self.draw,
            "good" if response else "bad",
            response._asdict() if response else None,
            None if response else error,
            tried,
            round(time.monotonic() - begun, 3),
            round(time.time(), 3),
        )
        if tried:
            self.ledger.append(row)
        return _outcome(item, row, replayed=False)

    async def once(self, item: Request) -> tuple[Response | None, str, float | None, bool]:
        """One try: the response, or what went wrong, the wait that the provider asks for, whether to try again."""
        messages = [{"role": m.role, "content": m.content} for m in item.messages]
        try:
            async with asyncio.timeout(self.timeout_s):
                response = await self.transport(messages, json.loads(item.parameters))
        except TimeoutError:
            return None, f"no reply within {self.timeout_s:g} s", None, True
        except CallFailed as failure:
            if failure.filtered:
                refusal = Response("", "content_filter", None, {}, {"error": str(failure)})
                return refusal, "", None, False
            if failure.status in (401, 403):
                self.give_up(failure.status, item)
            again = failure.status is None or failure.status in (408, 409, 429) or failure.status >= 500
            return None, str(failure), failure.retry_after, again
        if not response.text.strip() and response.finish_reason not in ("length", "content_filter"):
            return None, "empty reply", None, True
        return response, "", None, False

    def give_up(self, status: int, item: Request) -> None:
        model = json.loads(item.parameters)["model"]
        self.stopped = AuthenticationStopped(
            f"the provider refused the credentials for model '{model}' (HTTP {status}); no further call was made and"
            " all answers so far are kept: set the provider's key in the environment and run again"
        )
        self.stop.set()

    def delay(self, item: Request, tried: int) -> float:
        jitter = 0.5 + random.Random(f"{item.sha256} {self.draw} {tried}").random() / 2
        return min(MAX_DELAY_S, self.base_delay_s * 2.0 ** (tried - 1)) * jitter


def _outcome(item: Request, row: Row, *, replayed: bool) -> Outcome:
    if row.response is None:
        return Outcome(item.question_id, "error", "", None, None, {}, row.attempts, row.error, replayed)
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
    )
