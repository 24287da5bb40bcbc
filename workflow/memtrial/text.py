"""Text as all stages see it: normal form, tokens, stems, sizes and hashes.

Tokens are Unicode words, NFC, casefolded; stems are Snowball (Porter2 for Latin script, the Russian stemmer
for Cyrillic), chosen by the token's own script, so mixed-language text needs no language label.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from datetime import datetime
from functools import lru_cache
from typing import Any

import Stemmer

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_STEMMERS = {"en": Stemmer.Stemmer("english"), "ru": Stemmer.Stemmer("russian")}


def nfc(text: str) -> str:
    """Unicode normal form C: composed letters, so that й typed as two code points is one."""
    return unicodedata.normalize("NFC", text)


def tokens(text: str) -> list[str]:
    """Unicode words of a text, casefolded; ё is folded to е (Russian writes both), possessive 's is cut."""
    found = _WORD.findall(nfc(text).casefold().replace("ё", "е"))
    return [w[:-2] if w.endswith(("'s", "’s")) else w.replace("’", "'") for w in found]


@lru_cache(maxsize=1 << 18)
def stem(token: str) -> str:
    """Snowball stem of one token of `tokens`."""
    return str(_STEMMERS["ru" if _CYRILLIC.search(token) else "en"].stemWord(token))


def stems(text: str) -> list[str]:
    """Stems of a text's tokens, in order, repeats kept."""
    return [stem(t) for t in tokens(text)]


def language_of(text: str) -> str:
    """`ru` if most letters are Cyrillic, else `en`: decides word lists and prompts, nothing else."""
    letters = [c for c in text if c.isalpha()]
    return "ru" if 2 * sum("\u0400" <= c <= "\u04ff" for c in letters) > len(letters) else "en"


def proxy_tokens(chars: int) -> int:
    """Budget unit: ⌈characters / 4⌉."""
    return -(-chars // 4)


def sha256(text: str | bytes) -> str:
    """SHA-256 as 64 hex digits, of UTF-8 where it is text."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def canonical(value: Any) -> str:
    """Canonical JSON: sorted keys, no blanks, real characters, times in ISO 8601; equal values give equal text."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_time)


def _time(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    raise TypeError(f"{type(value).__name__} has no canonical form")
