"""Term-preserving extraction: which lines of a long session stay when it cannot stand whole.

Kept are the date line, the first and the last line of what was said, every line that a person said (all that is not
the assistant's), and the assistant's lines that share a content term with the question. Terms are lemmas (simplemma),
so that "held" meets "hold" and "pieces" meets "piece", while "friendly" is no "friend"; of Russian words the Snowball
stem of the lemma, because inflected names stand in no dictionary. Stop words are no terms. This reproduces the kept
lines of the released packet rows of "Auditable Long-Term Memory", in which the question was its only cue.
"""

from __future__ import annotations

import re
from functools import lru_cache

import simplemma

from memtrial.corpus import is_person
from memtrial.packet.rendering import Lines, Renderer, elision
from memtrial.records import Session, Slot
from memtrial.stopwords import STOP_WORDS
from memtrial.text import stem, tokens

CACHED_SESSIONS = 256
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")


@lru_cache(maxsize=1 << 18)
def term(token: str) -> str:
    """The form in which a token of `text.tokens` is compared."""
    if _CYRILLIC.search(token):
        return stem(simplemma.lemmatize(token, lang="ru").casefold().replace("ё", "е"))
    return simplemma.lemmatize(token, lang="en").casefold()


def content_terms(text: str) -> frozenset[str]:
    """The terms of a text's words that are not stop words."""
    return frozenset(term(t) for t in tokens(text) if t not in STOP_WORDS)


class Extractor:
    """Extracts sessions of a corpus; what their assistant's lines are about is found once for all questions."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._line_terms = lru_cache(maxsize=CACHED_SESSIONS)(self._find_line_terms)

    def extracted(self, slot: Slot, session: Session, terms: frozenset[str]) -> Slot:
        """A whole session in extracted form, by the terms of a question; all lines may be kept."""
        return self._slot(slot, session, self._kept(session, terms))

    def condensed(self, slot: Slot, session: Session, terms: frozenset[str]) -> Slot:
        """The same, but a gap that is no longer than the line that would mark it stays; `slot` if that is all."""
        kept = _closed(self._renderer.lines(session), self._kept(session, terms))
        return slot if len(kept) == len(self._renderer.lines(session)) else self._slot(slot, session, kept)

    def _kept(self, session: Session, terms: frozenset[str]) -> list[int]:
        return [i for i, found in enumerate(self._line_terms(session)) if found is None or not terms.isdisjoint(found)]

    def _find_line_terms(self, session: Session) -> list[frozenset[str] | None]:
        """For each line its terms; null for a line that is always kept."""
        lines = self._renderer.lines(session)
        always = (0, 1, len(lines) - 1)
        return [
            None if i in always or turn is None or is_person(turn) else content_terms(line)
            for i, (line, turn) in enumerate(lines)
        ]

    def _slot(self, slot: Slot, session: Session, kept: list[int]) -> Slot:
        body = self._renderer.body(session, "extracted", kept, 0)
        elided = len(self._renderer.lines(session)) - len(kept)
        return slot._replace(form="extracted", kept_lines=kept, elided_lines=elided, chars=len(body))


def _closed(lines: Lines, kept: list[int]) -> list[int]:
    """Kept lines and the gaps between them that are not worth a mark."""
    closed = kept[:1]
    for index in kept[1:]:
        gap = range(closed[-1] + 1, index)
        if sum(len(lines[i][0]) + 1 for i in gap) <= len(elision(len(gap))) + 1:
            closed += gap
        closed.append(index)
    return closed
