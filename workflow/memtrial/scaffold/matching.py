"""Statements that match a question: those sharing a stemmed content word with it, best first.

Score: sum over shared question terms of ln(1 + N / n_t), with N statements in the packet and n_t that hold the term
(the usual inverse document frequency). A speaker's name is a term that says who speaks, not what of: it weighs as if
half of the statements held it, counts for all statements of that speaker, and alone makes no match.
Ties: slot, then place in the session.
"""

from __future__ import annotations

from collections import defaultdict
from math import log
from typing import NamedTuple

from memtrial.scaffold.evidence import Sentence, Shown, content_stems

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


def match(question: str, shown: list[Shown]) -> list[Match]:
    """All matching statements of a packet, best first."""
    terms = content_stems(question)
    names = frozenset(term for s in shown for stems in s.indexed.names.values() for term in stems)
    total = sum(len(s.indexed.sentences) for s in shown)
    weights = {t: _weight(t, total, shown, names) for t in terms}
    found = []
    for session in shown:
        hits: dict[int, set[str]] = defaultdict(set)
        for term in terms:
            for place in session.indexed.places.get(term, ()):
                hits[place].add(term)
        for place, shared in hits.items():
            if shared <= names:
                continue
            sentence = session.indexed.sentences[place]
            held = shared | session.indexed.names[sentence.speaker]
            ordered = tuple(t for t in terms if t in held)
            found.append(Match(session, sentence, ordered, round(sum(weights[t] for t in ordered), 6)))
    return sorted(found, key=lambda m: (-m.score, m.shown.slot, m.sentence.order))


def _weight(term: str, total: int, shown: list[Shown], names: frozenset[str]) -> float:
    holders = sum(len(s.indexed.places.get(term, ())) for s in shown)
    if term in names:
        return log(3)
    return log(1 + total / holders) if holders else 0.0
