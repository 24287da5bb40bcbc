"""What a packet says: its slots as sessions with neutral names, and the user statements that they show.

A statement is a sentence of a person's turn, as far as the packet shows it. A person is the user of an assistant, or
either of two named speakers. Nothing here knows a source id, a label or the gold.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from memtrial.corpus import Corpus, is_person, slot_name
from memtrial.records import Packet, Question, Session, Slot, Turn
from memtrial.scaffold.sentences import split
from memtrial.scaffold.verbs import base_form
from memtrial.scaffold.words import DELETION, STOP_WORDS
from memtrial.text import stem, tokens

CACHED_SESSIONS = 4096
# How the text of a packet stands for lines that were left out.
ELISION = "[... {count} lines elided ...]"
_DELETION = re.compile("|".join(DELETION))


class ScaffoldError(AssertionError):
    """A scaffold that contradicts itself or its packet: a fault of an operator, never of the input."""


class Sentence(NamedTuple):
    """A sentence of a turn; `order` counts the sentences of its session; `stems` are those of its content words.

    `deletion`: it asks that something be forgotten.
    """

    turn_index: int
    order: int
    speaker: str
    text: str
    stems: frozenset[str]
    deletion: bool

    def asks(self) -> bool:
        """It is a question, and so states nothing."""
        return self.text.endswith("?")


class Indexed(NamedTuple):
    """The person's sentences of a slot, where each stem stands among them, and the stems of each speaker's name."""

    sentences: tuple[Sentence, ...]
    places: dict[str, list[int]]
    names: dict[str, frozenset[str]]


class Shown(NamedTuple):
    """A slot as the reader knows it: its number, neutral name, time and statements."""

    slot: int
    name: str
    time: datetime | None
    indexed: Indexed

    def clock(self) -> tuple[bool, datetime, int]:
        """Sort key: time, then slot; an unknown time comes first, because it cannot be called the newest."""
        return self.time is not None, self.time or datetime.min, self.slot


def content_stems(text: str) -> list[str]:
    """Stems of the words that are not stop words, in order of first occurrence; irregular pasts as their base form."""
    bases = (base_form(t) for t in tokens(text) if t not in STOP_WORDS)
    return list(dict.fromkeys(stem(t) for t in bases if t not in STOP_WORDS))


class Evidence:
    """Reads packets over a corpus; the sentences of a whole session are found once."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._whole = lru_cache(maxsize=CACHED_SESSIONS)(self._index_whole)

    def shown(self, packet: Packet, question: Question) -> list[Shown]:
        """The packet's slots in slot order."""
        sessions = self._corpus.conversation(question.conversation_id)
        return [
            Shown(slot.slot, slot_name(slot), session.started_at, self._indexed(session, slot))
            for slot in packet.slots
            for session in (sessions[slot.position],)
        ]

    def _indexed(self, session: Session, slot: Slot) -> Indexed:
        if slot.form == "whole":
            return self._whole(session)
        lines, kept = self._corpus.lines(session), slot.kept_lines or []
        if slot.form == "cut":
            return _index(_cut(lines, kept, slot.chars))
        return _index(lines[i] for i in kept)

    def _index_whole(self, session: Session) -> Indexed:
        return _index(self._corpus.lines(session))


def _cut(lines: list[tuple[str, Turn | None]], kept: list[int], chars: int) -> Iterator[tuple[str, Turn | None]]:
    """The kept lines as far as the first `chars` characters of the excerpt go, the last one perhaps in part.

    Where lines are left out the excerpt has a line that says how many (`ELISION`).
    """
    for before, place in zip([-1, *kept], kept, strict=False):
        if missing := place - before - 1:
            chars -= len(ELISION.format(count=missing)) + 1
        if chars <= 0:
            return
        line, turn = lines[place]
        yield line[:chars], turn
        chars -= len(line) + 1


def _index(lines: Iterable[tuple[str, Turn | None]]) -> Indexed:
    sentences: list[Sentence] = []
    places: dict[str, list[int]] = defaultdict(list)
    seen = -1
    for line, turn in lines:
        if turn is None:
            continue
        speaker, first = turn.speaker or turn.role, turn.turn_index != seen
        seen = turn.turn_index
        if not is_person(turn):
            continue
        prefix = f"{speaker}: " if first else ""
        if first and prefix.startswith(line):  # cut off before the first word
            continue
        for text in split(line.removeprefix(prefix)):
            stems = content_stems(text)
            for term in stems:
                places[term].append(len(sentences))
            sentences.append(
                Sentence(turn.turn_index, len(sentences), speaker, text, frozenset(stems), _asks_deletion(text))
            )
    names = {speaker: frozenset(content_stems(speaker)) for speaker in {s.speaker for s in sentences}}
    return Indexed(tuple(sentences), dict(places), names)


def _asks_deletion(text: str) -> bool:
    return bool(_DELETION.search(text.casefold().replace("’", "'")))
