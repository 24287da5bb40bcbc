"""Whether a request fits into the model's context window, decided from the request alone, before it is sent.

What does not fit becomes an error row with its size. Nothing is ever cut here, and no provider is asked to.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from memtrial import local_spec, model_table, tokenizers
from memtrial.reading.requests import MODEL_KINDS
from memtrial.records import Request

LOG = logging.getLogger(__name__)


class Window(NamedTuple):
    """A context window in tokens (null: nothing is checked) and how a text is counted (null: in proxy tokens).

    `problem` says that the window of a model is unknown; it is empty where it is known, or where there is no model.
    """

    tokens: int | None
    counter: Callable[[str], int] | None
    problem: str


def window(spec: dict[str, Any]) -> Window:
    """The window of a reader spec: its `context_tokens`, else what litellm's table says of its model.

    Counted in tokens of the spec's `tokenizer`, if it names one. An unknown window is warned of in the log. Raises
    `InputError` for an unknown tokenizer.
    """
    if spec["kind"] not in MODEL_KINDS:
        return Window(None, None, "")
    counter = tokenizers.load(spec["tokenizer"]).count if spec.get("tokenizer") else None
    tokens = spec.get("context_tokens")
    if tokens is None and spec["kind"] == "local":
        tokens = local_spec.DEFAULTS["context_tokens"]
    elif tokens is None:
        tokens = model_table.facts(spec["model"], model_table.bundled()).context_tokens
    if tokens:
        return Window(tokens, counter, "")
    problem = "context window unknown, sizes unchecked"
    LOG.warning("%s: %s (give context_tokens)", spec["model"], problem)
    return Window(None, counter, problem)


def overflow(request: Request, limit: Window) -> str | None:
    """Why a request does not fit, with its sizes; None if it does or the window is unknown.

    Fits: tokens of the messages + `max_tokens` (or `max_completion_tokens`) of its parameters ≤ window. What a
    provider's chat template adds, a few tokens a message, is not counted.
    """
    if limit.tokens is None:
        return None
    parameters = json.loads(request.parameters)
    reply = parameters.get("max_completion_tokens") or parameters.get("max_tokens") or 0
    counter = limit.counter
    asked = sum(counter(m.content) for m in request.messages) if counter else request.proxy_tokens
    if asked + reply <= limit.tokens:
        return None
    unit = "tokens" if counter else "proxy tokens"
    return f"{asked:,} + {reply:,} {unit} do not fit into {limit.tokens:,}"
