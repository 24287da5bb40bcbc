"""A packet slot as chat turns: the lines that a reader sees and, where they stood, those that it does not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup, escape

from memtrial.errors import InputError
from memtrial.records import Slot, Turn
from memtrial.stopwords import STOP_WORDS
from memtrial.text import stem, stems, tokens

# The words of `text.tokens`, with their places.
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
Lines = list[tuple[str, Turn | None]]


class Said(NamedTuple):
    """Lines of one turn, and by whom; `named`: its first line, which names the speaker, is among them.

    The date line is said by nobody: speaker and role are empty.
    """

    speaker: str
    role: str
    named: bool
    text: Markup


class Stretch(NamedTuple):
    """Neighbouring lines of a session, all shown or all left out.

    `lines` counts them, of which the first may be the rest of a line that was cut (`broken`); `chars` has their length.
    """

    shown: bool
    lines: int
    chars: int
    broken: bool
    said: list[Said]


class _Piece(NamedTuple):
    """A line of a session, or a part of one; `first` is the line that names the turn's speaker."""

    text: str
    turn: Turn | None
    shown: bool
    first: bool
    broken: bool = False


class Marker:
    """Marks the words of a text whose stem is one of the question's content words."""

    def __init__(self, question: str) -> None:
        self._wanted = frozenset(stem(token) for token in tokens(question) if token not in STOP_WORDS)

    def __call__(self, text: str) -> Markup:
        """The text as HTML, those words in `<mark>`."""
        out, end = [], 0
        for word in _WORD.finditer(text):
            if not self._wanted.isdisjoint(stems(word.group())):
                out += [escape(text[end : word.start()]), Markup("<mark>{}</mark>").format(word.group())]
                end = word.end()
        return Markup("").join([*out, escape(text[end:])])


def stretches(slot: Slot, lines: Lines, body: str, mark: Marker) -> list[Stretch]:
    """A slot's session, whole and in order, as stretches that are shown and left out by turns.

    `lines` is the rendered session, `body` what the packet shows of it, lines that stand for others included. Raises
    `InputError` if the slot's record fits either of them not.
    """
    kept = set(kept_lines(slot, lines))
    # A cut ends in the last line that it keeps, which is the last of the body.
    last, room = (max(kept), len(body) - body.rfind("\n") - 1) if slot.form == "cut" else (-1, 0)
    pieces, before = [], None
    for number, (text, turn) in enumerate(lines):
        end = room if number == last else len(text)
        pieces.append(_Piece(text[:end], turn, number in kept, turn is not before))
        if end < len(text):
            pieces.append(_Piece(text[end:], turn, False, False, broken=True))
        before = turn
    found = iter(body.split("\n"))
    if absent := next((p.text for p in pieces if p.shown and p.text not in found), None):
        raise InputError(f"line {absent[:40]!r} is kept and not in the packet's text", field=f"slots, slot {slot.slot}")
    return [_stretch(list(group), mark) for _, group in groupby(pieces, key=_is_shown)]


def kept_lines(slot: Slot, lines: Lines) -> list[int]:
    """Indices of the lines that a slot keeps. Raises `InputError` if they are not of a session of these lines."""
    kept = list(range(len(lines))) if slot.kept_lines is None else slot.kept_lines
    fits = kept and kept == sorted(set(kept)) and kept[0] >= 0 and kept[-1] < len(lines)
    if not fits or len(kept) + slot.elided_lines != len(lines):
        told = f"{len(kept)} kept and {slot.elided_lines} elided lines do not make a session of {len(lines)}"
        raise InputError(told, field=f"slots, slot {slot.slot}")
    return kept


def _is_shown(piece: _Piece) -> bool:
    return piece.shown


def _stretch(pieces: list[_Piece], mark: Marker) -> Stretch:
    chars = sum(len(p.text) for p in pieces) + len(pieces) - 1
    return Stretch(pieces[0].shown, len(pieces), chars, pieces[0].broken, list(_said(pieces, mark)))


def _said(pieces: list[_Piece], mark: Marker) -> Iterable[Said]:
    for _, group in groupby(pieces, key=_turn_of):
        own = list(group)
        turn, text = own[0].turn, "\n".join(p.text for p in own)
        if turn is None:
            yield Said("", "", False, escape(text))
            continue
        speaker = turn.speaker or turn.role
        named = own[0].first and text.startswith(f"{speaker}:")
        yield Said(speaker, turn.role, named, mark(text.removeprefix(f"{speaker}:").lstrip(" ") if named else text))


def _turn_of(piece: _Piece) -> int | None:
    return piece.turn.turn_index if piece.turn else None
