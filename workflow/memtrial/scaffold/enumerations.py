"""Enumerations in a sentence ("a drill, a saw and two hammers", "Anna, Bo and Kim"), their members as written.

Members stand between commas, the last behind "and" or its like. A member begins with an article, a number, a
possessive, a quotation mark or a capital letter; three or more may also be bare words, at most `BARE` each. The first
member is the end of what stands before the first comma, the others go as far as a preposition, a verb form of "to be"
or the like lets them.
"""

from __future__ import annotations

import re

from memtrial.scaffold.calendar_words import NUMBER_WORD, number
from memtrial.scaffold.words import MEMBER_END, STOP_WORDS

BARE = 3  # words
LONGEST = 7  # words
_JOINT = re.compile(
    r",?\s+(?:and also|as well as|and|or|plus|а также|и|или)\s+|,\s+|\s+&\s+",
    re.IGNORECASE,
)
_LAST = re.compile(r"\b(?:and|plus|as well as|и|а также)\b|&", re.IGNORECASE)
_STARTER = re.compile(
    rf"(?:(?:an?|the|some|my|our|his|her|their|another|one|new|{NUMBER_WORD}|\d[\d.,]*|моя|мой|мое|мою|наш\w*|нов\w+)\s"
    r"|[\"“«'])",
    re.IGNORECASE,
)
_NUMBERED = re.compile(rf"(?:{NUMBER_WORD}|\d+)\s", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_BREAK = re.compile(r"[.;:!?()\n]|\s[–—-]\s")
_ENDING = re.compile(rf"\s+(?:{'|'.join(MEMBER_END)})\b.*$", re.IGNORECASE | re.DOTALL)


def find(text: str) -> list[list[str]]:
    """The enumerations of a sentence in order, each with its two or more members, which stand so in the text."""
    if "," not in text and not _LAST.search(text):
        return []
    found = []
    for stretch in _BREAK.split(text):
        found += _of_stretch(stretch)
    return found


def _of_stretch(text: str) -> list[list[str]]:
    joints = list(_JOINT.finditer(text))
    if not joints:
        return []
    bounds = [0, *(j.end() for j in joints)]
    ends = [*(j.start() for j in joints), len(text)]
    pieces = [text[a:b].strip() for a, b in zip(bounds, ends, strict=True)]
    found, at = [], 0
    while at < len(joints):
        members, last = _run(pieces, joints, at)
        if members:
            found.append(members)
        at = max(last, at + 1)
    return found


def _run(pieces: list[str], joints: list[re.Match[str]], first: int) -> tuple[list[str], int]:
    """The members of the enumeration that begins in piece `first` (none: it is none), and the piece where it ends."""
    head = _head(pieces[first])
    if not head:
        return [], first
    members, closed, at = [head], False, first
    while at < len(joints) and not closed:
        member = _member(pieces[at + 1])
        if not member:
            break
        closed = bool(_LAST.search(joints[at].group()))
        members.append(member)
        at += 1
    marked = [m for m in members if _marked(m)]
    if len(members) > 2 and (number(head.split()[0]) if _NUMBERED.match(head) else None) == len(members) - 1:
        return (members[1:] if closed else []), at  # "two plants, a fern and an aloe": the first sums up the others
    enough = len(members) >= 3 or (len(members) == 2 and len(marked) == 2)
    return (members if closed and enough else [], at)


def _marked(member: str) -> bool:
    return bool(_STARTER.match(f"{member} ")) or member[0].isupper()


def _member(piece: str) -> str:
    """The noun phrase with which a piece begins, else nothing."""
    cut = _ENDING.sub("", piece).strip(" ,")
    words = _WORD.findall(cut)
    if not words or len(words) > LONGEST:
        return ""
    if _STARTER.match(f"{cut} ") or (words[0][0].isupper() and words[0].casefold() not in STOP_WORDS):
        return cut
    return cut if _bare(words) else ""


def _bare(words: list[str]) -> bool:
    folded = [w.strip("\"'“”«»*").casefold() for w in words]
    return len(words) <= BARE and not any(w in STOP_WORDS or w.endswith(("ed", "ing", "ly")) for w in folded)


def _head(piece: str) -> str:
    """The shortest end of a piece that begins as a member does, else its last word."""
    words = list(_WORD.finditer(piece))
    for place, word in reversed(list(enumerate(words))[-LONGEST:]):
        tail = piece[word.start() :]
        name = word.group()[0].isupper() and (place or len(words) == 1)
        if name and word.group().casefold() not in STOP_WORDS:
            while place > 1 and words[place - 1].group()[0].isupper():  # "Mary Ann", not at the start of the sentence
                place -= 1
                tail = piece[words[place].start() :]
            return tail
        if _STARTER.match(tail) and place < len(words) - 1:
            if place and _STARTER.match(piece, words[place - 1].start()):  # "the new lamp"
                tail = piece[words[place - 1].start() :]
            return tail if not _ENDING.search(tail) else ""
    return words[-1].group() if words and _bare([words[-1].group()]) else ""
