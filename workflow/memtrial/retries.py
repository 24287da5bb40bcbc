"""What to do about a failed call: whether another try can help, when to make it, whether further calls make sense."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MAX_DELAY_S = 60.0
MAX_WAIT_S = 900.0
# Requests in a row that no try got through to the provider: it is down, or the address is wrong.
SILENT_REQUESTS = 20

_STOPS = {
    401: "refused the credentials: set the provider's key in the environment",
    402: "says that the account's credit or quota is used up: mend that",
    403: "refused the credentials: check what the key in the environment may use",
    404: "knows no such model or address: mend `model` (or `api_base` of its parameters)",
}


def passing(status: int | None) -> bool:
    """Whether a failure of this HTTP status may pass by itself (None: network or time-out; 200: a reply of nothing)."""
    return status is None or status in (200, 408, 409, 425, 429) or status >= 500


def stop_reason(status: int | None) -> str | None:
    """What the provider says and the user can do, where every further call would fail alike."""
    return _STOPS.get(status or 0)


def delay_s(seed: str, tried: int, base_s: float) -> float:
    """Seconds before try `tried` + 1: `base_s` · 2^(tried-1), at most `MAX_DELAY_S`, times a jitter in [0.5, 1).

    The jitter is drawn from the text `seed` and `tried`, so equal runs wait alike.
    """
    jitter = 0.5 + random.Random(f"{seed} {tried}").random() / 2
    return min(MAX_DELAY_S, base_s * 2.0 ** min(tried - 1, 30)) * jitter


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that a reply's Retry-After asks to wait (RFC 9110, 10.2.3): a number, or a date.

    A date counts from the reply's own Date, or from `now` (with zone) where it has none. None: no such header, or
    one that cannot be read. The finer `retry-after-ms` of some providers goes first.
    """
    try:
        return max(0.0, float(headers["retry-after-ms"]) / 1000)
    except (KeyError, ValueError):
        pass
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        until = _date(value)
        seconds = (until - (_date(headers.get("date", "")) or now)).total_seconds() if until else float("nan")
    return max(0.0, seconds) if seconds == seconds else None


def _date(value: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(value)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
