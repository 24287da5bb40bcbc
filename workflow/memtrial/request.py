"""A model request as it is stored before any call: messages and parameters, checked, canonical, hashed."""

from __future__ import annotations

import re
from typing import Any

from memtrial.errors import InputError
from memtrial.records import Message, Request
from memtrial.text import canonical, proxy_tokens, sha256

# Credentials come from the environment alone; tools and system messages of a provider would open the closed book.
# Fallbacks would answer with another model; retries are counted here and nowhere else.
_FORBIDDEN = re.compile(
    r"api_?key|secret|password|credential|access_key|auth|header|(^|_)token$|^(model|messages|tools?|tool_choice"
    r"|functions?|function_call|stream|n|web_search_options|mcp_servers|plugins|mock_response|(\w+_)?fallbacks"
    r"|(num|max)_retries)$"
)
_ADDRESS_WITH_USER = re.compile(r"//[^/]*@")


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
