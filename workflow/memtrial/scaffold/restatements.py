"""Which statements say the same again.

Two do if their content words overlap by at least 70 % (Jaccard), or if in other words

- they state an equal quantity of one unit, and at least half of what the shorter says besides (the question's words,
  numbers, units and words of paying left out) is in the other, too; or
- they name the same things by name, which the question does not name, and share a question term;
unless the days that both name contradict each other.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from memtrial.scaffold import expressions, quantities, values
from memtrial.scaffold.matching import Match
from memtrial.scaffold.units import UNIT_OF
from memtrial.scaffold.words import PAYING
from memtrial.text import stem

OVERLAP = 0.7
_PAYING = frozenset(stem(w) for w in PAYING)
_UNITS = frozenset(stem(w) for w in UNIT_OF)


class Facts(NamedTuple):
    """What a statement says: quantities (unit, value), names, days, and what its other content words are."""

    quantities: frozenset[tuple[str, float]]
    names: frozenset[str]
    days: frozenset[tuple[date, date]]
    rest: frozenset[str]


def dates_in(match: Match) -> list[expressions.Expression]:
    """The date expressions of a statement; not "for two years now", which is a quantity."""
    time = match.shown.time
    found = expressions.find(match.sentence.text, time.date() if time else None)
    return [e for e in found if e.reading != "since"]


def facts(match: Match, terms: frozenset[str]) -> Facts:
    """The facts of a statement; `terms` are the question's stems."""
    dates = dates_in(match)
    counted = quantities.find(match.sentence.text, terms, dates)
    names = {v.key for v in values.find(match.sentence.text, ("name",), terms, dates)}
    speakers = match.shown.indexed.names.values()
    rest = {s for s in match.sentence.stems - terms - _PAYING - _UNITS if not s.isdigit()}
    return Facts(
        frozenset((q.unit, q.value) for q in counted),
        frozenset(n for n in names if not any(n in speaker for speaker in speakers)),
        frozenset((d.first, d.last) for d in dates if not d.reading),
        frozenset(rest - {q.unit for q in counted}),
    )


def overlap(one: Match, other: Match) -> bool:
    """In much the same words."""
    mine, theirs = one.sentence.stems, other.sentence.stems
    return len(mine & theirs) >= OVERLAP * len(mine | theirs)


def paraphrase(one: tuple[Match, Facts], other: tuple[Match, Facts]) -> bool:
    """In other words: an equal quantity of the same, or the same named thing."""
    (match, mine), (second, theirs) = one, other
    if mine.days and theirs.days and not mine.days & theirs.days:
        return False
    if mine.quantities & theirs.quantities:
        return 2 * len(mine.rest & theirs.rest) >= min(len(mine.rest), len(theirs.rest))
    if mine.quantities and theirs.quantities:
        return False
    return bool(mine.names and mine.names == theirs.names and set(match.terms) & set(second.terms))
