"""Date expressions that name a place in the calendar: days, months, seasons, holidays, years.

One function a kind of expression. Each takes the match of its pattern and the day on which it was said, and gives the
spans that the words may name: none where they do not resolve, two where the text does not decide between a past and a
coming day. `expressions` holds the patterns and says the rules.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from typing import NamedTuple

from dateutil.relativedelta import relativedelta

from memtrial.scaffold import calendar_words as words
from memtrial.scaffold.verbs import tense

_DAY = timedelta(days=1)


class Span(NamedTuple):
    """Days that words name, first to last; `about`: the words round.

    `reading`: empty, or `past` or `coming` where both are possible, or `since` where something began then.
    """

    first: date
    last: date
    about: bool = False
    reading: str = ""


def _day(year: int, month: int, day: int) -> list[Span]:
    valid = 1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
    return [Span(date(year, month, day), date(year, month, day))] if valid else []


def _days(year: int, month: int, first: int, last: int) -> list[Span]:
    ends = _day(year, month, first) + _day(year, month, last)
    return [Span(ends[0].first, ends[1].first)] if len(ends) == 2 and first < last else []


def month_span(year: int, month: int) -> Span:
    """The days of a month."""
    return Span(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def one(day: date) -> Span:
    """A single day."""
    return Span(day, day)


def third(span: Span, part: str | None) -> Span:
    """A third of a month (days 1-10, 11-20, the rest) or a year (four months), or the whole."""
    if not part:
        return span
    place, (first, last) = words.part(part), span[:2]
    if first.month != last.month:
        year = first.year
        return Span(date(year, 1 + 4 * place, 1), month_span(year, 4 + 4 * place).last)
    return Span(first.replace(day=1 + 10 * place), last if place == 2 else first.replace(day=10 + 10 * place))


def which(word: str) -> int | None:
    """-1 for last, 0 for this, 1 for next, -2 for the one before last; null for a word that says none of them."""
    folded = words.key(word)
    directions = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1, "upcoming": 1,
                  "this past": -1, "this last": -1, "this coming": 1}  # fmt: skip
    if folded in directions:
        return directions[folded]
    russian = {"позапрошл": -2, "прошл": -1, "минув": -1, "ближайш": 1, "следующ": 1, "будущ": 1, "эт": 0}
    return next((n for stem, n in russian.items() if folded.startswith(stem)), None)


def _named_year(match: re.Match[str], said: date | None) -> int | None:
    """The year in figures or as last, this or next; null where none is named."""
    if match["y"]:
        return int(match["y"])
    direction = which(match["r"] or "")
    return None if said is None or direction is None else said.year + direction


def full(match: re.Match[str], said: date | None) -> list[Span]:
    """Year, month and day in figures."""
    return _day(int(match["y"]), int(match["m"]), int(match["d"]))


def unordered(match: re.Match[str], said: date | None) -> list[Span]:
    """Figures with slashes: whichever of the two can be no month is the day."""
    a, b = int(match["a"]), int(match["b"])
    if (a > 12) == (b > 12) and a != b:
        return []
    month, day = (b, a) if a > 12 else (a, b)
    if match["y"]:
        return _day(int(match["y"]), month, day)
    return [] if said is None or (a, b) == (24, 7) else _yearless(match, month, (day, day), said)


def _yearless(match: re.Match[str], month: int, days: tuple[int, int], said: date) -> list[Span]:
    """The latest such days that are not more than six months after the day on which they were said.

    Where that is more than three months ahead and the sentence is told as past ("I was there on …", but also "I signed
    up for …"), the latest past ones are possible too.
    """
    first, last = days
    limit = said + relativedelta(months=6)
    years = range(limit.year, max(0, limit.year - 17), -1)
    every = [_days(y, month, first, last) if first != last else _day(y, month, first) for y in years]
    found = [spans[0] for spans in every if spans and spans[0].first <= limit]
    return _or_past(match, found[0], found[1:2], said) if found else []


def _or_past(match: re.Match[str], latest: Span, before: list[Span], said: date) -> list[Span]:
    if latest.first <= said + relativedelta(months=3) or not before or tense(match.string, match.start()) >= 0:
        return [latest]
    return [before[0]._replace(reading="past"), latest._replace(reading="coming")]


def named_day(match: re.Match[str], said: date | None) -> list[Span]:
    """Day and month by name, a run of days ("May 3-7") as an interval."""
    month, first = words.month(match["m"]), words.day(match["d"])
    last = int(match["e"]) if match["e"] else first
    if (year := _named_year(match, said)) is not None:
        return _days(year, month, first, last) if first != last else _day(year, month, first)
    return _yearless(match, month, (first, last), said) if said else []


def named_month(match: re.Match[str], said: date | None) -> list[Span]:
    """A month by name, or its beginning, middle or end."""
    month = words.month(match["m"])
    if (year := _named_year(match, said)) is not None:
        return [third(month_span(year, month), match["p"])]
    if said is None:
        return []
    direction = which(match["w"] or "")
    span = third(_which_month(month, direction, said), match["p"])
    before = [third(month_span(span.first.year - 1, month), match["p"])] if direction is None else []
    return _or_past(match, span, before, said)


def _which_month(month: int, direction: int | None, said: date) -> Span:
    if direction == 0:
        return month_span(said.year, month)
    if direction == 1:
        return month_span(said.year + (month <= said.month), month)
    limit = said.replace(day=1) - _DAY if direction == -1 else said + relativedelta(months=6)
    return month_span(limit.year - (month > limit.month), month)


def of_month(match: re.Match[str], said: date | None) -> list[Span]:
    """As "The second week of May", "the last Friday of June", "the first weekend of August"."""
    month, order = words.month(match["m"]), words.ordinal(match["o"])
    year = _named_year(match, said)
    if year is None and said is None:
        return []
    whole = _which_month(month, None, said or date.min) if year is None else month_span(year, month)
    unit = words.key(match["u"])
    if unit.startswith(("week", "недел")) and not unit.startswith("weekend"):
        first = whole.last - 6 * _DAY if order < 0 else whole.first + timedelta(weeks=order - 1)
        return [Span(first, first + 6 * _DAY)]
    weekend = unit.startswith(("weekend", "выход"))
    target = 5 if weekend else words.weekday(match["u"])
    if order < 0:
        first = whole.last - timedelta(days=(whole.last.weekday() - target) % 7)
    else:
        first = whole.first + timedelta(days=(target - whole.first.weekday()) % 7 + 7 * (order - 1))
    return [Span(first, first + weekend * _DAY)]


def day_of_month(match: re.Match[str], said: date | None) -> list[Span]:
    """As "On the 15th": the last or the coming such day, by tense."""
    if said is None:
        return []
    day = words.day(match["d"])
    starts = [said.replace(day=1) + relativedelta(months=n) for n in (-2, -1, 0, 1, 2)]
    found = [s for start in starts for s in _day(start.year, start.month, day)]
    past = [s for s in found if s.first <= said][-1:]
    return by_tense(match, past, [s for s in found if s.first > said][:1])


def by_tense(match: re.Match[str], past: list[Span], coming: list[Span]) -> list[Span]:
    """The past or the coming span, as the sentence tells; both, each so called, where it does not."""
    way = tense(match.string, match.start())
    if way:
        return past if way < 0 else coming
    named = ((past, "past"), (coming, "coming"))
    return [span._replace(reading=reading) for spans, reading in named for span in spans]


def season(match: re.Match[str], said: date | None) -> list[Span]:
    """A season with a year, or the last, this or next one; without either by tense."""
    month = words.season(match["s"])
    if match["y"]:
        return [_season(int(match["y"]), month)]
    if said is None:
        return []
    around = [_season(said.year + n, month) for n in (-3, -2, -1, 0, 1, 2)]
    ended = [s for s in around if s.last < said]
    begun = [s for s in around if s.first <= said]
    coming = [s for s in around if s.first > said]
    direction = which(match["w"] or "")
    if direction is None:
        return by_tense(match, begun[-1:], [s for s in around if s.last >= said][:1])
    if direction == 0:
        return [min(around, key=lambda s: abs(s.first + 45 * _DAY - said))]
    return [ended[direction]] if direction < 0 else coming[:1]


def _season(year: int, month: int) -> Span:
    """Three calendar months; winter is called by the year in which it ends."""
    first = date(year - (month == 12), month, 1)
    return Span(first, first + relativedelta(months=3) - _DAY)


def holiday(match: re.Match[str], said: date | None) -> list[Span]:
    """A holiday of a fixed date: with a year, the last, this or next one, or by the rule for dates without a year."""
    first, last = words.holiday(match["h"])
    direction = which(match["w"] or "")
    if match["y"]:
        return _feast(int(match["y"]), first, last)
    if said is None:
        return []
    around = [s for n in (-2, -1, 0, 1) for s in _feast(said.year + n, first, last)]
    if direction == 0:
        return _feast(said.year, first, last)
    if direction == 1 or (direction is None and tense(match.string, match.start()) > 0):
        return [s for s in around if s.last >= said][:1]
    limit = said if direction is not None else said + relativedelta(months=6)
    return [s for s in around if s.first < limit][-1:]


def _feast(year: int, first: tuple[int, int], last: tuple[int, int]) -> list[Span]:
    start, end = date(year, *first), date(year, *last)
    return [Span(start, end if end >= start else date(year + 1, *last))]


def bare_year(match: re.Match[str], said: date | None) -> list[Span]:
    """A year, or its beginning, middle or end."""
    year = int(match["y"])
    return [third(Span(date(year, 1, 1), date(year, 12, 31)), match["p"])]
