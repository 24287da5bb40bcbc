"""Statements that match a question: those sharing a stemmed content word with it, best first.

Score: sum over shared question terms of ln(1 + N / n_t), with N statements in the packet and n_t that hold the term
(the usual inverse document frequency). A speaker's name is a term that says who speaks, not what of: it weighs as if
half of the statements held it, counts for all statements of that speaker, and alone makes no match. A word written in
one or in two ("roadtrip", "road trip") also matches the other spelling, where that occurs. Ties: slot, then place in
the session.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import log
from typing import NamedTuple

from memtrial.scaffold.evidence import Sentence, Shown, content_stems
from memtrial.text import stem

VERSION = "2"

# Words by which a question says what it wants, and which no statement needs.
_FORM_WORDS = """
order sequence chronological earliest happened occurred elapsed mentioned four five six seven eight nine ten
порядок порядке последовательность последовательности хронологическом произошло случилось упоминал упоминала
четыре пять шесть семь восемь девять десять
"""
_FORM_STEMS = frozenset(stem(word) for word in _FORM_WORDS.split())
# So many statements, the best, are listed and looked into.
LIMIT = 30


class Match(NamedTuple):
    """A matching statement with its session, the question terms it shares and its score."""

    shown: Shown
    sentence: Sentence
    terms: tuple[str, ...]
    score: float

    def clock(self) -> tuple[bool, object, int, int]:
        """Sort key by when it was said: session time, slot, place in the session."""
        return *self.shown.clock(), self.sentence.order


class Matcher:
    """Matches term lists against the statements of one packet."""

    def __init__(self, shown: Sequence[Shown]) -> None:
        self._shown = shown
        self._total = sum(len(s.indexed.sentences) for s in shown)
        self._names = frozenset(term for s in shown for stems in s.indexed.names.values() for term in stems)

    def names_in(self, terms: Iterable[str]) -> list[str]:
        """Those of the terms that are a speaker's name."""
        return [t for t in terms if t in self._names]

    def best(self, wanted: Sequence[str], needed: frozenset[str] = frozenset()) -> list[Match]:
        """All statements that match the terms, and hold one of those that are `needed` (if any are), best first."""
        respelled = self._respelled(wanted)
        terms = list(dict.fromkeys([*wanted, *respelled]))
        weights = {t: self._weight(t) for t in terms}
        found = [m for session in self._shown for m in self._in_session(session, terms, weights)]
        if needed := needed - self._names:
            found = [m for m in found if not needed.union(respelled).isdisjoint(m.terms)]
        return sorted(found, key=lambda m: (-m.score, m.shown.slot, m.sentence.order))

    def _in_session(self, session: Shown, terms: list[str], weights: dict[str, float]) -> Iterable[Match]:
        hits: dict[int, set[str]] = defaultdict(set)
        for term in terms:
            for place in session.indexed.places.get(term, ()):
                hits[place].add(term)
        sentences = session.indexed.sentences
        for place, shared in hits.items():
            if shared <= self._names:
                continue
            sentence = sentences[place]
            held = shared | session.indexed.names[sentence.speaker]
            ordered = tuple(t for t in terms if t in held)
            yield Match(session, sentence, ordered, round(sum(weights[t] for t in ordered), 6))

    def _holders(self, term: str) -> int:
        return sum(len(s.indexed.places.get(term, ())) for s in self._shown)

    def _weight(self, term: str) -> float:
        if term in self._names:
            return log(3)
        holders = self._holders(term)
        return log(1 + self._total / holders) if holders else 0.0

    def _respelled(self, terms: Sequence[str]) -> list[str]:
        """Other spellings that occur of terms that do not: two words in one, one word in two."""
        joined = [a + b for a, b in pairwise(terms) if self._holders(a + b)]
        parts = [
            (term[:cut], term[cut:])
            for term in terms
            if len(term) > 5 and not self._holders(term)
            for cut in range(3, len(term) - 2)
        ]
        return joined + [p for pair in parts if all(self._holders(p) for p in pair) for p in pair]


def question_stems(question: str) -> list[str]:
    """Content stems of a question without the words of its form, unless it has no others."""
    stems = content_stems(question)
    return [s for s in stems if s not in _FORM_STEMS] or stems


def match(question: str, shown: Sequence[Shown]) -> list[Match]:
    """All matching statements of a packet, best first."""
    return Matcher(shown).best(question_stems(question))
