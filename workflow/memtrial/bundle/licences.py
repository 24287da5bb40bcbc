"""Licences: which let a benchmark's text be passed on, and where each is described."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_FREE = {"MIT", "APACHE", "BSD", "CC0"}
_RESERVED = {"NC", "ND"}


def free(licence: str | None) -> bool:
    """Whether a licence, by its SPDX-like name, lets anybody pass a work on for any purpose, changed or not.

    True for MIT, Apache, BSD, CC0 and CC BY (SA too); false for what reserves commercial use (NC) or changes (ND), and
    for any other or unknown licence.

    >>> free("MIT"), free("CC BY-SA 4.0"), free("CC BY-NC 4.0"), free(None)
    (True, True, False, False)
    """
    words = re.findall(r"[A-Z0-9]+", (licence or "").upper())
    return not _RESERVED & set(words) and (bool(_FREE & set(words[:1])) or words[:2] == ["CC", "BY"])


def redistributed(given: bool | None, registered: Mapping[str, Any] | None) -> bool:
    """Whether a bundle holds the benchmark's text: as the config says, else as a registered file's licence does.

    A file that is not registered is the user's own; only the user can say that it may be passed on.
    """
    return given if given is not None else bool(registered) and free((registered or {}).get("licence"))


def address(licence: str) -> str | None:
    """Where SPDX describes a licence; None for one that has no SPDX name that we know.

    >>> address("CC BY-NC 4.0")
    'https://spdx.org/licenses/CC-BY-NC-4.0'
    """
    known = free(licence) or licence.upper().startswith("CC BY")
    return f"https://spdx.org/licenses/{licence.replace(' ', '-')}" if known else None
