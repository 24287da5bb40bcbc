"""The LLM judge protocols by name."""

from __future__ import annotations

from memtrial.errors import InputError
from memtrial.judging.protocols import binary
from memtrial.judging.protocols.base import Protocol

PROTOCOLS: dict[str, Protocol] = {"binary": binary.PROTOCOL}


def protocol(name: str) -> Protocol:
    """The protocol of a name. Raises `InputError` naming the known ones."""
    if name not in PROTOCOLS:
        raise InputError(f"no protocol '{name}'; known: {', '.join(PROTOCOLS)}", field="protocol")
    return PROTOCOLS[name]
