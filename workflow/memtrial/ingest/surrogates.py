"""Escapes of half a surrogate pair (`\\ud83d` without the half that follows it), which stand for no character.

JSON permits them, UTF-8 cannot hold them, and yajl turns some into `?` and others into broken text.
"""

from __future__ import annotations

import re

REPLACEMENT = rb"\ufffd"
_LONGEST = 12  # bytes of a whole pair
# An escaped backslash and a whole pair are matched to be passed over; half a pair is the group.
_ESCAPE = re.compile(
    rb"\\(?:\\|u[dD](?:[89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|([89a-fA-F][0-9a-fA-F]{2})))"
)


class SurrogateRepair:
    """Replaces such escapes in a stream of JSON by U+FFFD, which is as long; `count` says how many there were."""

    def __init__(self) -> None:
        self.count = 0
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        """The bytes that are certain so far; without data, which is the end, all that were held back."""
        text = bytearray(self._held + data)
        # An escape that begins later might go on in the next bytes.
        certain = max(0, len(text) - _LONGEST + 1) if data else len(text)
        for escape in _ESCAPE.finditer(bytes(text)):
            if escape.start() >= certain:
                break
            if escape[1]:
                text[escape.start() : escape.end()] = REPLACEMENT
                self.count += 1
            certain = max(certain, escape.end())
        self._held = bytes(text[certain:])
        return bytes(text[:certain])
