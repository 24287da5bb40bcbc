"""Sentences of chat text in English and Russian.

A sentence ends at `.`, `!`, `?` or `…` (with closing quotes) before a blank. A full stop ends none after an
abbreviation ("Dr. Low", "ул. Ленина"), an initial ("J. Low", "А. С. Грин"), the number of a list ("1. Milk"), and
inside a decimal or a token ("3.5", "a.m") there is no blank. Word lists: `words`.
"""

from __future__ import annotations

import re

from memtrial.scaffold.words import ABBREVIATIONS, BEFORE_NUMBER, SENTENCE_FINAL

_END = re.compile(r"([.!?…]+)[\"'»”’)\]]*\s+(?=\S)")
_LAST_TOKEN = re.compile(r"[^\s\"'«“(\[]+$")
_YEAR_ABBREVIATION = re.compile(r"\d{4}\s+гг?$")
_SENTENCE_FINAL = re.compile(rf"(?:^|\s|\d)(?:{'|'.join(re.escape(w) for w in SENTENCE_FINAL)})$")


def split(text: str) -> list[str]:
    """Sentences of one line of text, stripped, in order; joined by blanks they hold every word of it."""
    found, start = [], 0
    for end in _END.finditer(text):
        if end.group(1) == "." and not _ends(text[start : end.start()], text[end.end() :]):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    rest = text[start:].strip()
    return [*found, rest] if rest else found


def _ends(before: str, after: str) -> bool:
    """Whether a single full stop between two stretches of text ends a sentence."""
    capital = not after[0].islower()
    folded = before.casefold()
    if _SENTENCE_FINAL.search(folded) or _YEAR_ABBREVIATION.search(folded):
        return capital and not after[0].isdigit()
    token = _LAST_TOKEN.search(before)
    if token is None:
        return True
    word = token.group()
    if word.isdigit():
        return bool(before[: token.start()].strip())
    if word.casefold() in BEFORE_NUMBER and after[0].isdigit():
        return False
    if len(word) == 1 or (len(word) > 1 and word[-2] == "." and "." in word):
        return word == "I"  # an initial or a dotted abbreviation (U.S, т.е)
    return word.casefold() not in ABBREVIATIONS
