"""Ways to reach a model: any provider through litellm, or a plain function in this process.

Keys are read from the environment by the provider's client alone; no text that leaves this module holds one.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from memtrial.calls import CallFailed, Response, Transport
from memtrial.retries import retry_after_s

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_SECRET_TEXT = re.compile(r"\b(?:sk|pk|rk|gsk|xai|AIza|Bearer)[-_ ]?[\w*.\-]{8,}")
_FILTER = re.compile(
    r"content[_ ]?(?:filter|policy|management)|responsible[_ ]?ai|input was flagged|moderation", re.IGNORECASE
)
_TOO_LONG = re.compile(r"context[_ ]?(?:length|window)|maximum context|prompt is too long", re.IGNORECASE)
_NO_QUOTA = re.compile(r"insufficient[_ ]quota|exceeded your current quota", re.IGNORECASE)
# Said on this side of the network, with statuses of litellm's own invention.
_NO_PROVIDER, _NO_KEY, _NO_CONNECTION = "LLM Provider NOT provided", "Missing credentials", "Connection error"
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
    """The parts of a reply. Raises `CallFailed` for one that calls a tool: none was offered, so it is no answer."""
    choice = (raw.get("choices") or [{}])[0]
    message = choice.get("message") or {}
    finish_reason = choice.get("finish_reason")
    if message.get("tool_calls") or message.get("function_call") or finish_reason in ("tool_calls", "function_call"):
        raise CallFailed("the reply calls a tool, though none was offered", status=200, final=True)
    usage = {k: v for k, v in (raw.get("usage") or {}).items() if isinstance(v, int) and not isinstance(v, bool)}
    reasoning = message.get("reasoning_content") or message.get("reasoning") or ""
    return Response(message.get("content") or "", finish_reason, raw.get("model"), usage, raw, str(reasoning))


def _failure(error: Exception) -> CallFailed:
    """What a provider's client raised, with the HTTP status that tells what to do about it."""
    status = getattr(error, "status_code", None)
    status = status if isinstance(status, int) and status >= 400 else None
    text = str(error)
    # Providers name the cause in the error's class, code or message, as each sees fit.
    told = f"{type(error).__name__} {getattr(error, 'code', '')} {text}"
    if status == 429 and _NO_QUOTA.search(told):
        status = 402
    for sign, meant in ((_NO_PROVIDER, 404), (_NO_KEY, 401), (_NO_CONNECTION, None)):
        status = meant if sign in text else status
    too_long = status in (400, 413) and _TOO_LONG.search(told)
    response = getattr(error, "response", None)
    headers = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
    return CallFailed(
        f"{'longer than the model context window: ' if too_long else ''}{type(error).__name__}"
        f"{f' (HTTP {status})' if status else ''}: {redacted(text)[:_MAX_ERROR_CHARS]}",
        status=status,
        retry_after=retry_after_s(headers, datetime.now(UTC)),
        filtered=not too_long and status in (400, 403) and _FILTER.search(told) is not None,
    )


def redacted(text: str) -> str:
    """`text` without the values of secret-looking environment variables and without key-like words."""
    for name, value in os.environ.items():
        if len(value) >= 8 and _SECRET_NAME.search(name):
            text = text.replace(value, "[redacted]")
    return _SECRET_TEXT.sub("[redacted]", text)
