"""A provider's requests and tokens per minute, kept by all jobs on one machine together.

For each model there is one small file. To make a call, a job locks it, books the next free moment, unlocks it and
sleeps until then: nobody polls, and no lock is held while waiting. The lock is the kernel's, which drops it when a
process dies in whatever way; a killed job leaves at most the one moment booked that it was waiting for.

Moments follow the generic cell rate algorithm (ITU-T I.371) without burst: calls are spread evenly, so a window of a
minute never holds more than the limit and one call, wherever the provider's own minute begins.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from memtrial.records import Request
from memtrial.text import canonical, sha256

# A moment further ahead than this was booked by a clock that was wrong.
HORIZON_S = 86_400.0
_FORM = "{:020.6f} {:020.6f}\n"


class Rates(NamedTuple):
    """Limits per minute; null = none."""

    requests: float | None
    tokens: float | None


class Booked(NamedTuple):
    """When the next call may start, as far as requests and tokens are concerned; Unix times in seconds."""

    requests: float
    tokens: float


FREE = Booked(0.0, 0.0)


def book(booked: Booked, now: float, tokens: float, rates: Rates) -> tuple[Booked, float]:
    """Book a call of `tokens` at `now` (Unix seconds): what is booked then, and when the call may start.

    >>> book(Booked(100.0, 0.0), 98.0, 500, Rates(60, 1000))
    (Booked(requests=101.0, tokens=130.0), 100.0)
    """
    taken = [t for t, rate in zip(booked, rates, strict=True) if rate and t - now <= HORIZON_S]
    start = max(now, *taken) if taken else now
    requests = start + 60 / rates.requests if rates.requests else booked.requests
    return Booked(requests, start + tokens * 60 / rates.tokens if rates.tokens else booked.tokens), start


def correct(booked: Booked, tokens: float, rates: Rates) -> Booked:
    """After a call turned out to have used `tokens` more (or, negative, fewer) than was booked for it."""
    return booked._replace(tokens=booked.tokens + tokens * 60 / rates.tokens) if rates.tokens else booked


def most_tokens(request: Request) -> int:
    """Proxy tokens of a request and the most tokens that it lets the model reply (0 where it sets no bound)."""
    parameters = json.loads(request.parameters)
    return request.proxy_tokens + int(parameters.get("max_completion_tokens") or parameters.get("max_tokens") or 0)


class Pace:
    """The shared limits of one model."""

    def __init__(self, path: Path, rates: Rates) -> None:
        """`path` is the state file, made when it is first needed."""
        self.path, self.rates = path, rates

    def wait_s(self, now: float, tokens: float) -> float:
        """Book a call of `tokens` at `now` (Unix seconds): how long to wait before it."""
        with self._locked() as file:
            booked, start = book(_read(file), now, tokens, self.rates)
            _write(file, booked)
        return start - now

    def correct(self, tokens: float) -> None:
        """Tell that a call used `tokens` more than was booked for it (negative: fewer)."""
        if self.rates.tokens and tokens:
            with self._locked() as file:
                _write(file, correct(_read(file), tokens, self.rates))

    @contextmanager
    def _locked(self) -> Iterator[int]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)


def pace(spec: Mapping[str, Any], cache: Path | None) -> Pace | None:
    """The limits that a reader's or judge's spec asks for (`requests_per_minute`, `tokens_per_minute`), if any.

    The state file in `cache`/limits belongs to the model and its address (`api_base`), whoever calls it. Raises
    `ValueError` for limits without a `cache`.
    """
    rates = Rates(spec.get("requests_per_minute"), spec.get("tokens_per_minute"))
    if not any(rates):
        return None
    if cache is None:
        raise ValueError("limits hold across jobs: they need the folder of their shared state")
    parameters = spec.get("parameters", {})
    called = [spec["model"], parameters.get("api_base") or parameters.get("base_url")]
    name = re.sub(r"[^\w.-]+", "-", spec["model"])[:60]
    return Pace(cache / "limits" / f"{name}-{sha256(canonical(called))[:12]}", rates)


def _read(file: int) -> Booked:
    # The file is written in one call, so a kill leaves the old or the new state; an empty one is new.
    try:
        return Booked(*map(float, os.pread(file, 100, 0).decode().split()))
    except (ValueError, TypeError):
        return FREE


def _write(file: int, booked: Booked) -> None:
    os.pwrite(file, _FORM.format(*booked).encode(), 0)
