"""Sentences of chat text in English and Russian.

A sentence ends at a line break, and at `.`, `!`, `?` or `…` (with closing quotes) before a blank. Exceptions:

- a full stop after an abbreviation ("Dr. Low", "ул. Ленина", "т. е. так"), an initial ("J. K. Low", "А. С. Грин"), or
  the number of a list ("1. Milk"); inside a decimal or a token ("3.5", "a.m") there is no blank;
- dots that trail off ("well... maybe"), and a mark in quotation marks ("“Really?” he said"), before a small letter.
An abbreviation that may stand last ("at 9 p.m.", "500 руб.", "и т. д.") ends one before a capital letter; so does an
initial before a word that only starts sentences ("vitamin C. It"). Chat is often written without capitals, so a plain
full stop before a small letter does end a sentence. Word lists: `words`.
"""

from __future__ import annotations

import re

from memtrial.scaffold.words import ABBREVIATIONS, BEFORE_NUMBER, SENTENCE_FINAL, SENTENCE_STARTERS

_END = re.compile(r"([.!?…]+)([\"'»”’)\]*_]*)\s+(?=\S)")
_LAST_TOKEN = re.compile(r"[^\s\"'«“(\[]+$")
_YEAR_ABBREVIATION = re.compile(r"\d{4}\s+гг?$")
_SENTENCE_FINAL = re.compile(rf"(?:^|\s|\d)(?:{'|'.join(re.escape(w) for w in SENTENCE_FINAL)})$")
_AFTER_CLOCK = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|[A-Z]{2,4}T\b", re.IGNORECASE)
_CLOCK = re.compile(r"[ap]\.m$", re.IGNORECASE)
_INITIAL = re.compile(r"(?:^|\s)[A-ZА-ЯЁ]\.\s*$")
_STARTER = re.compile(rf"(?:{'|'.join(SENTENCE_STARTERS)})(?=[\s,'’])")


def split(text: str) -> list[str]:
    """Sentences of a text, stripped, in order; joined by blanks they hold every word of it."""
    return [sentence for line in text.splitlines() for sentence in _of_line(line)]


def _of_line(line: str) -> list[str]:
    found, start = [], 0
    for end in _END.finditer(line):
        if _ends(line[start : end.start()], end.group(1), bool(end.group(2)), line[end.end() :]):
            found.append(line[start : end.end()].strip())
            start = end.end()
    rest = line[start:].strip()
    return [*found, rest] if rest else found


def _ends(before: str, mark: str, closed: bool, after: str) -> bool:
    if after[0].islower() and (closed or mark[-2:] == ".." or mark[-1] == "…"):
        return False
    return mark != "." or _stop_ends(before, after)


def _stop_ends(before: str, after: str) -> bool:
    """Whether a single full stop between two stretches of text ends a sentence."""
    folded = before.casefold()
    if _SENTENCE_FINAL.search(folded) or _YEAR_ABBREVIATION.search(folded):
        if _CLOCK.search(before) and _AFTER_CLOCK.match(after):
            return False
        return not after[0].islower() and not after[0].isdigit()
    token = _LAST_TOKEN.search(before)
    if token is None:
        return True
    word = token.group()
    if word.isdigit():
        return bool(before[: token.start()].strip())
    if word.casefold() in BEFORE_NUMBER and after[0].isdigit():
        return False
    if len(word) == 1 or (len(word) > 1 and word[-2] == "." and "." in word):  # an initial, or dotted (U.S, т.е)
        if word == "I" and not _INITIAL.search(before[: token.start()]):
            return True
        return bool(word[-1].isupper() and _STARTER.match(after))
    return word.casefold() not in ABBREVIATIONS
