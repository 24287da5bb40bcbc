"""Ways to reach a model: any provider through litellm, or a plain function in this process.

Keys are read from the environment by the provider's client alone; no text that leaves this module holds one.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import Any

from memtrial.calls import CallFailed, Response, Transport

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_SECRET_TEXT = re.compile(r"\b(?:sk|pk|rk|gsk|xai|AIza|Bearer)[-_ ]?[\w*.\-]{8,}")
_FILTER = re.compile(r"content[_ ]?(?:filter|policy|management)|responsible[_ ]?ai", re.IGNORECASE)
_MAX_ERROR_CHARS = 300


def embedded(answer: Callable[[list[dict[str, str]], dict[str, Any]], str]) -> Transport:
    """A transport that calls a deterministic function of (messages, parameters) instead of a model."""

    async def call(messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response:
        return Response(answer(messages, parameters), "stop", parameters["model"], {}, {})

    return call


def litellm_transport() -> Transport:
    """A transport to any provider that litellm knows; `api_base` may be among the parameters.

    One request is one HTTP call: litellm and the provider's client neither retry, nor drop parameters, nor log.
    """
    # Read when litellm is imported: without it the import asks the network for a price list.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.turn_off_message_logging = True
    litellm.drop_params = False
    for name in ("LiteLLM", "httpx", "openai"):
        logging.getLogger(name).setLevel(logging.CRITICAL)

    async def call(messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response:
        try:
            reply = await litellm.acompletion(messages=messages, num_retries=0, max_retries=0, **parameters)
        except Exception as error:  # litellm passes on errors of many clients; all carry at most these attributes
            raise _failure(error) from None
        return _response(_storable(reply.model_dump(mode="json")))

    return call


def _storable(raw: dict[str, Any]) -> dict[str, Any]:
    """A reply as UTF-8 JSON can hold it: half a surrogate pair becomes `?`, NaN and infinities become text.

    What cannot be stored would stop the run and be paid for again by the next.
    """
    text = json.dumps(raw, ensure_ascii=False).encode("utf-8", "replace")
    stored: dict[str, Any] = json.loads(text, parse_constant=str)
    return stored


def _response(raw: dict[str, Any]) -> Response:
    choices = raw.get("choices") or [{}]
    text = (choices[0].get("message") or {}).get("content") or ""
    usage = {k: v for k, v in (raw.get("usage") or {}).items() if isinstance(v, int) and not isinstance(v, bool)}
    return Response(text, choices[0].get("finish_reason"), raw.get("model"), usage, raw)


def _failure(error: Exception) -> CallFailed:
    status = getattr(error, "status_code", None)
    # litellm gives errors without an HTTP reply (refused connections, time-outs) a status of its own.
    status = status if isinstance(status, int) and status >= 400 else None
    text = str(error)
    # Providers name the filter in the error's class, code or message, as each sees fit.
    told = f"{type(error).__name__} {getattr(error, 'code', '')} {text}"
    return CallFailed(
        f"{type(error).__name__}{f' (HTTP {status})' if status else ''}: {redacted(text)[:_MAX_ERROR_CHARS]}",
        status=status,
        retry_after=_retry_after(error),
        filtered=status == 400 and _FILTER.search(told) is not None,
    )


def _retry_after(error: Exception) -> float | None:
    """Seconds of a Retry-After header: a number, or a date against the reply's own Date."""
    response = getattr(error, "response", None)
    headers = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - parsedate_to_datetime(headers.get("date", ""))).total_seconds())
    except (TypeError, ValueError):
        return None


def redacted(text: str) -> str:
    """`text` without the values of secret-looking environment variables and without key-like words."""
    for name, value in os.environ.items():
        if len(value) >= 8 and _SECRET_NAME.search(name):
            text = text.replace(value, "[redacted]")
    return _SECRET_TEXT.sub("[redacted]", text)
