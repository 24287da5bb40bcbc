"""The LLM judge protocols by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtrial.errors import InputError
from memtrial.judging.protocols import binary, locomo, longmemeval, rumba
from memtrial.judging.protocols.base import Protocol

PROTOCOLS: dict[str, Protocol] = {
    "binary": binary.PROTOCOL,
    "rumba": rumba.PROTOCOL,
    "locomo": locomo.PROTOCOL,
    "longmemeval": longmemeval.OURS,
}


def protocol(spec: Mapping[str, Any], official_text: str | None = None) -> Protocol:
    """The protocol of a judge spec {"protocol", "form"}; `form` (default `ours`) is for longmemeval alone.

    `official_text` is the text of the benchmark's own file, for the forms made of it. Raises `InputError` for an
    unknown protocol or form, and where that text is missing or another.
    """
    name, form = spec["protocol"], spec.get("form", longmemeval.FORMS[0])
    if name not in PROTOCOLS:
        raise InputError(f"no protocol '{name}'; known: {', '.join(PROTOCOLS)}", field="protocol")
    forms = longmemeval.FORMS if name == "longmemeval" else longmemeval.FORMS[:1]
    if form not in forms:
        raise InputError(f"protocol '{name}' has no form '{form}'; known: {', '.join(forms)}", field="form")
    return PROTOCOLS[name] if form == longmemeval.FORMS[0] else longmemeval.official(form, official_text)
