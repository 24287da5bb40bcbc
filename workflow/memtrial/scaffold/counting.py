"""Counting: candidate items for "how many" and "how much", each a clause of a matching statement, restatements joined.

What restates what: `restatements`. An item shows the session's date, and the days that its statement names. Where the
question counts things (not money or time), the members of an enumeration are items of their own. The quantities of the
items are grouped by unit; where a unit has several, their sum is shown and named as what it is, a sum of what is listed
(not for a question about the current state, where one value replaces another). Units that convert into each other are
added up in the largest of them as well. Within one item a quantity counts once, however often it was restated.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import takewhile
from math import fsum, isclose
from typing import NamedTuple

from memtrial.corpus import date_text, day_text
from memtrial.scaffold import enumerations
from memtrial.scaffold.cues import COUNTED_THING
from memtrial.scaffold.evidence import ScaffoldError, content_stems
from memtrial.scaffold.gate import fold
from memtrial.scaffold.layout import Labels, Line, Section, quote, section
from memtrial.scaffold.matching import LIMIT, Match
from memtrial.scaffold.quantities import Quantity, figure, find, ordinals
from memtrial.scaffold.restatements import Facts, dates_in, facts, overlap, paraphrase
from memtrial.scaffold.units import FAMILIES, NAMES_RU, UNIT_OF
from memtrial.scaffold.words import COUNTED_END, STOP_WORDS
from memtrial.text import language_of, stem

VERSION = "2"

# A statement that matches this many times worse than the best is no candidate.
WEAKEST = 3
# What is counted where a question names no thing: occasions ("how many times", "the third time").
TIMES = "time"
# So many steps of question terms held are shown.
TIERS = 2
# So many restatements in other words are quoted with an item.
QUOTED_MENTIONS = 3

_CLAUSE_END = re.compile(r";\s+|\s+[–—]\s+|,\s+(?=(?:and|but|so|because|while|и|но|а|потому|поэтому|хотя)\s)")
_COUNTED_THING = re.compile("|".join(COUNTED_THING))


class Item(NamedTuple):
    """A candidate: its best matching statement with its facts, and all that restate it, that one included."""

    best: Match
    facts: Facts
    mentions: list[Match]


class Stated(NamedTuple):
    """A quantity of an item and the mention that states it first."""

    quantity: Quantity
    match: Match


def counted_thing(question: str) -> str:
    """The stem of what a question counts: nothing if that is money, time or another unit, or cannot be told."""
    match = _COUNTED_THING.search(fold(question))
    words = takewhile(COUNTED_END.isdisjoint, ([w] for w in (match["en"] or match["ru"]).split())) if match else ()
    named = [w for (w,) in words if w not in STOP_WORDS or w in UNIT_OF]
    return stem(named[-1]) if named and named[0] not in UNIT_OF else ""


def items(matches: list[Match], terms: frozenset[str], thing: str) -> list[Item]:
    """Candidates, restatements joined, best match first.

    A statement that holds the counted `thing` (a stem) counts double, and one that matches less than a third as well
    as the best is none. `terms` are the question's stems; at most `LIMIT` statements are looked into.
    """
    scored = [m._replace(score=2 * m.score) if thing in m.sentence.stems else m for m in matches]
    scored.sort(key=lambda m: (-m.score, m.shown.slot, m.sentence.order))
    found: list[Item] = []
    for place, match in enumerate(m for m in scored if WEAKEST * m.score >= scored[0].score):
        said = facts(match, terms) if place < LIMIT else None
        for item in found:
            if overlap(match, item.best) or (said and paraphrase((match, said), (item.best, item.facts))):
                item.mentions.append(match)
                break
        else:
            if said:
                found.append(Item(match, said, [match]))
    return found


def clause(match: Match) -> str:
    """The shortest run of a statement's clauses that holds every question term that the statement holds."""
    text = match.sentence.text
    ends = [m.end() for m in _CLAUSE_END.finditer(text)] + [len(text)]
    starts = [0, *ends[:-1]]
    needed = match.sentence.stems & set(match.terms)
    runs = [(ends[j] - starts[i], starts[i], ends[j]) for i in range(len(starts)) for j in range(i, len(ends))]
    for _, start, end in sorted(runs):
        if needed <= set(content_stems(text[start:end])):
            return text[start:end].strip().rstrip(",;")
    return text


def sections(matches: list[Match], terms: list[str], labels: Labels, summed: bool, question: str) -> list[Section]:
    """The candidate items, and their quantities by unit, `summed` or only listed (values that replace each other).

    Raises `ScaffoldError` if the items are not numbered through, or a statement is a mention of two.
    """
    thing = counted_thing(question)
    found = items(matches, frozenset(terms), thing)
    mentions = [(m.shown.slot, m.sentence.order) for item in found for m in item.mentions]
    if len(set(mentions)) != len(mentions):
        raise ScaffoldError("a statement is counted as a mention of two items")
    lines: list[Line] = []
    for item in found:
        made = _item_lines(len(lines) + 1, item, len(terms), bool(thing), labels)
        lines += [Line(text, item.best.score) for text in made]
    if any(not line.text.startswith(f"{n}. ") for n, line in enumerate(lines, 1)):
        raise ScaffoldError("the candidate items are not numbered through")
    return [
        *section(labels, "counting", lines),
        *section(labels, "spread", _spread(found, len(terms), labels)),
        *section(labels, "quantities", _quantity_lines(found, terms, thing or TIMES, labels, summed)),
    ]


def _spread(found: list[Item], terms: int, labels: Labels) -> list[Line]:
    """In how many sessions the items were said that hold the most question terms, and those that hold nearly as many.

    An event is mostly told of in one session, so sessions of well matching items are a guess at the number of events.
    """
    lines = []
    for held in sorted({len(item.best.terms) for item in found}, reverse=True)[:TIERS]:
        chosen = [item for item in found if len(item.best.terms) >= held]
        sessions = len({m.shown.slot for item in chosen for m in item.mentions})
        text = labels["tier"].format(held=held, terms=terms, items=len(chosen), sessions=sessions)
        lines.append(Line(text, chosen[0].best.score))
    return lines


def _item_lines(number: int, item: Item, terms: int, things: bool, labels: Labels) -> list[str]:
    """The item's line, and one more for each further member of an enumeration in it."""
    best, count, text = item.best, len(item.mentions), clause(item.best)
    listed = [m for run in enumerations.find(best.sentence.text) for m in run] if things else []
    if any(m not in text for m in listed):
        text = best.sentence.text
    names = ", ".join(dict.fromkeys(m.shown.name for m in sorted(item.mentions, key=Match.clock)))
    others = [m for m in item.mentions[1:] if not overlap(m, best)][:QUOTED_MENTIONS]
    first = quote(text, labels)
    if listed:
        first = labels["enumerated"].format(member=quote(listed[0], labels), clause=first)
    line = labels["item"].format(
        number=number, when=date_text(best.shown.time), name=best.shown.name, clause=first,
        mentions=labels["mentions"].format(count=count, names=names) if count > 1 else "",
        dates="".join(_days(best, text, labels)),
        also=labels["also"].format(quotes=", ".join(quote(clause(m), labels) for m in others)) if others else "",
        held=len(best.terms), terms=terms, asks=f", {labels['question']}" if best.sentence.asks() else "",
    )  # fmt: skip
    more = [labels["member"].format(number=n, member=quote(m, labels)) for n, m in enumerate(listed[1:], number + 1)]
    return [line, *more]


def _days(match: Match, text: str, labels: Labels) -> list[str]:
    """The days that the words named in `text` mean, where they mean one thing."""
    found = []
    for date in dates_in(match):
        if not date.reading and date.text in text:
            days = day_text(date.first)
            if date.last != date.first:
                days = labels["interval"].format(first=days, last=day_text(date.last))
            found.append(
                labels["stated"].format(words=quote(date.text, labels), days=labels["about"] * date.about + days)
            )
    return found


def _quantity_lines(found: list[Item], terms: list[str], thing: str, labels: Labels, summed: bool) -> list[Line]:
    """A line a unit, one for the ordinal numbers of the thing counted, and one a family of several units."""
    stated = _stated(found, terms)
    lines = [Line(_unit_text(unit, of, labels, summed), of[0].match.score) for unit, of in stated.items()]
    places = [Stated(q, m) for i in found for m in i.mentions for q in ordinals(m.sentence.text, thing)]
    if places:
        values = [s.quantity.value for s in places]
        text = _line("ordinals", places[0].quantity.counted, places, values, labels, summed=False)
        lines.append(Line(text, places[0].match.score))
    return lines + _converted(stated, labels, summed)


def _stated(found: list[Item], terms: list[str]) -> dict[str, list[Stated]]:
    """By unit, best match first: the quantities of the items, each once an item."""
    by_unit: dict[str, list[Stated]] = defaultdict(list)
    for item in found:
        known: dict[tuple[str, float], Stated] = {}
        for mention in item.mentions:
            for quantity in find(mention.sentence.text, terms, dates_in(mention)):
                known.setdefault((quantity.unit, quantity.value), Stated(quantity, mention))
        for stated in known.values():
            by_unit[stated.quantity.unit].append(stated)
    return dict(sorted(by_unit.items(), key=lambda pair: (-pair[1][0].match.score, pair[0])))


def _unit_text(unit: str, stated: list[Stated], labels: Labels, summed: bool) -> str:
    if any(s.quantity.unit != unit for s in stated):
        raise ScaffoldError(f"quantities of several units are summed up as {unit!r}")
    values = [s.quantity.value for s in stated]
    return _line("quantity", _name(unit, stated), stated, values, labels, summed)


def _name(unit: str, stated: list[Stated]) -> str:
    """A unit as it is shown: as first written, but its full name where several, or a word for both, state it."""
    written = [s.quantity.counted for s in stated if UNIT_OF.get(s.quantity.counted.casefold()) == unit]
    if written or unit not in UNIT_OF.values():
        return (written or [stated[0].quantity.counted])[0]
    return NAMES_RU.get(unit, unit) if language_of(stated[0].quantity.text) == "ru" else unit


def _converted(stated: dict[str, list[Stated]], labels: Labels, summed: bool) -> list[Line]:
    """For each family of which several units are stated: all of them in the largest of these."""
    lines = []
    for family in FAMILIES:
        units = [u for u in family if u in stated]
        if len(units) > 1:
            largest = max(units, key=family.__getitem__)
            all_of = [s for u in units for s in stated[u]]
            values = [s.quantity.value * family[s.quantity.unit] / family[largest] for s in all_of]
            text = _line("converted", _name(largest, all_of), all_of, values, labels, summed)
            lines.append(Line(text, max(s.match.score for s in all_of)))
    return lines


def _line(label: str, unit: str, stated: list[Stated], values: list[float], labels: Labels, summed: bool) -> str:
    pairs = list(zip(stated, values, strict=True))
    parts = [f"{figure(v)} ({quote(s.quantity.text, labels)}, {s.match.shown.name})" for s, v in pairs]
    text = labels[label].format(unit=unit, parts=(" + " if summed else ", ").join(parts))
    if len(values) == 1 or not summed:
        return text
    total = fsum(values)
    if not isclose(total, sum(float(figure(v)) for v in values), rel_tol=1e-3, abs_tol=1e-3):
        raise ScaffoldError(f"the sum {total} is not that of the values listed")
    return text + labels["sum"].format(total=figure(total))
