"""Date expressions of English and Russian read a second time, by a small table that shares nothing with the operators'.

Where custom or tense leaves a choice the table gives all readings; where it does not know an expression it says so.
Weeks run from Monday to Sunday; a season is three calendar months.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta

from memtrial.controls.truth_calendar import Interval, day, later, month, month_of, nearest, period, third
from memtrial.controls.truth_numbers import value
from memtrial.controls.truth_words import (
    HOLIDAYS,
    MONTHS,
    NEAR,
    ORDINALS,
    PARTS,
    SEASONS,
    UNITS,
    WEEKDAYS,
    WHICH,
    named,
    unit_of,
    way_of,
)

_Found = re.Match[str]
_LEAD = re.compile(
    r"^(?:(?:the|in|at|since|of|by|during|until|from|on|over|around|about|for|before|after|back|"
    r"в|во|с|до|к|на|за|из|около|через)\s+)+"
)
_W = rf"(?P<w>{'|'.join(pattern for pattern, _ in WHICH)})"
_U = rf"(?P<u>{'|'.join(pattern for pattern, _ in UNITS)})"
_Y = r"(?:,?\s+(?:of\s+)?(?:(?P<y>\d{4})(?:\s+г(?:ода?|оду|\.)?)?|(?P<r>\S+)\s+(?:year|года)))?"
_M, _D = r"(?P<m>[^\W\d]{3,})\.?", r"(?P<d>\d{1,2})(?:st|nd|rd|th|-?го|-?е)?"
_TO = r"(?:\s*(?:-|–|—|to|through|по|до)\s*(?:the\s+)?(?P<e>\d{1,2})(?:st|nd|rd|th|-?го|-?е)?)?"
# So many months from a day there is another 29 February.
_FAR = 102
_ROUND = r"(?:(?:about|around|almost|nearly|over|почти|около) )?"
_FEW = r"(?:a )?few|several|несколько|нескольких"


def folded(text: str) -> str:
    """A text as it is compared: casefolded, ё as е, blanks single."""
    return " ".join(text.casefold().replace("ё", "е").split())


def readings(expression: str, said: date | None) -> list[Interval] | None:
    """All intervals that a date expression may mean, said on that day; null if this table does not know it."""
    text = folded(expression)
    found: list[Interval] = []
    for wording in dict.fromkeys((text, _LEAD.sub("", text), re.sub(r"^the ", "", text))):
        part = next((p for pattern, p in PARTS if re.match(rf"{pattern}[\s-]", wording)), None)
        if part is not None:
            inner = re.sub(rf"^(?:{'|'.join(p for p, _ in PARTS)})[\s-]+(?:the\s+)?", "", wording)
            found += [third(i, part) for i in _all(inner, said) if (i[1] - i[0]).days > 20]
        found += _all(wording, said)
    return found or None


def counted_from(expression: str, others: list[Interval]) -> list[Interval]:
    """What "two days later", "the next day" and their like may mean, counted from single days named before."""
    text, way = folded(expression), 1
    if re.search(r"\b(?:earlier|before that|раньше|до этого)$", text):
        way = -1
    if re.fullmatch(r"(?:the )?(?:next|following) day|the day after|на следующий день", text):
        return [day(a + timedelta(days=1)) for a, b in others if a == b < date.max]
    pattern = (
        rf"(?:через |спустя )?(?P<n>.+?) {_U}(?: later| after that| afterwards| earlier| before that| спустя| позже"
    )
    found = re.fullmatch(rf"{pattern}| раньше| до этого)?", text)
    count = value(found["n"]) if found else None
    if found is None or count is None:
        return []
    try:
        return [day(later(a, unit_of(found["u"]), way * count)) for a, b in others if a == b]
    except (OverflowError, ValueError):  # no such day
        return []


def _all(text: str, said: date | None) -> list[Interval]:
    found: list[Interval] = []
    for pattern, rule, relative in _COMPILED:
        if (match := pattern.fullmatch(text)) and (said or not relative):
            try:
                found += rule(match, said or date.min)
            except (OverflowError, ValueError):  # no such day
                continue
    return found


def _months(match: _Found, said: date) -> list[int]:
    """Numbers of the months that may be meant: of the year or side that is named, else of all years about."""
    name, fields = named(match["m"], MONTHS), match.groupdict()
    if name is None:
        return []
    if fields.get("y"):
        return [12 * int(fields["y"]) + name]
    if (way := way_of(fields.get("r"))) is not None:
        return [12 * (said.year + way) + name]
    here, way = month_of(said), way_of(fields.get("w"))
    start = {None: here - _FAR, -1: here - 12, 0: 12 * said.year, 1: here + 1}.get(way, here - 24)
    known = range(max(start, 12), min(start + (12 if way is not None else 2 * _FAR), 12 * 10_000))
    return [n for n in known if n % 12 == name and said != date.min]


def _about(match: _Found, said: date, found: list[Interval]) -> list[Interval]:
    """Where no year is named: the last that has begun and the first that has not ended."""
    fields = match.groupdict()
    if any(fields.get(k) for k in ("y", "r", "w")):
        return found
    return [i for i in found if i[0] <= said][-1:] + [i for i in found if i[1] >= said][:1]


def _holiday(match: _Found, said: date) -> list[Interval]:
    """The last and the next one, or that of the year or side that is named; New Year's night ends in the next year."""
    days = next((ends for pattern, *ends in HOLIDAYS if re.fullmatch(pattern, match["h"])), None)
    if days is None:
        return []
    first, last = days
    years = [int(match["y"])] if match["y"] else [y for y in range(said.year - 2, said.year + 3) if 1 <= y < 9999]
    found = [(date(y, *first), date(y + (last < first), *last)) for y in years]
    if match["w"]:
        return [i for i in found if abs((i[0] - said).days) <= 366]
    return _about(match, said, found)


def _figured(match: _Found, said: date) -> Iterator[Interval]:
    yield day(date(int(match["y"]), int(match["m"]), int(match["d"])))


def _slashed(match: _Found, said: date) -> Iterator[Interval]:
    a, b = int(match["a"]), int(match["b"])
    years = [int(match["y"])] if match["y"] else [said.year - 1, said.year, said.year + 1]
    yield from (day(date(y, m, d)) for y in years for m, d in ((a, b), (b, a)) if m <= 12 and d <= 31)


def _day_of_named_month(match: _Found, said: date) -> list[Interval]:
    first = int(match["d"])
    months = [m for m in map(month, _months(match, said)) if first <= m[1].day]
    days = [(start.replace(day=first), start.replace(day=int(match["e"] or first))) for start, _ in months]
    return _about(match, said, days)


def _named_month(match: _Found, said: date) -> list[Interval]:
    return _about(match, said, [month(n) for n in _months(match, said)])


def _of_month(match: _Found, said: date) -> Iterator[Interval]:
    """The n-th week (seven days from the first on), weekday or weekend of a month."""
    order = next((n for pattern, n in ORDINALS.items() if re.match(pattern, match["o"])), None)
    if order is None:
        return
    unit = next((u for p, u in UNITS if re.fullmatch(p, match["x"])), "")
    for start, end in _named_month(match, said):
        if unit == "week":
            first = end - timedelta(days=6) if order < 0 else start + timedelta(weeks=order - 1)
            yield first, first + timedelta(days=6)
        else:
            weekday = 5 if unit == "weekend" else named(match["x"], WEEKDAYS)
            days = [d for n in range(31) if (d := start + timedelta(days=n)) <= end and d.weekday() == weekday]
            if days:
                chosen = days[order - (order > 0)]
                yield chosen, chosen + timedelta(days=unit == "weekend")


def _day_of_month(match: _Found, said: date) -> Iterator[Interval]:
    near = [month(month_of(said) + n) for n in (-2, -1, 0, 1, 2)]
    yield from (day(start.replace(day=int(match["d"]))) for start, end in near if int(match["d"]) <= end.day)


def _year(match: _Found, said: date) -> Iterator[Interval]:
    yield date(int(match["y"]), 1, 1), date(int(match["y"]), 12, 31)


def _near(match: _Found, said: date) -> Iterator[Interval]:
    if match[0] in NEAR:
        yield day(said + timedelta(days=NEAR[match[0]]))


def _weekday(match: _Found, said: date) -> Iterator[Interval]:
    """Alone it is the nearest on either side; else of the week on that side, or the nearest there."""
    weekday, way = named(match["x"], WEEKDAYS), way_of(match["w"])
    if weekday is None:
        return
    if way is None:
        yield from (day(nearest(weekday, said, side)) for side in (-1, 1))
    else:
        yield day(period("week", way, said)[0] + timedelta(days=weekday))
        if way:
            yield day(nearest(weekday, said, way // abs(way)) + timedelta(weeks=way - way // abs(way)))


def _before_last(match: _Found, said: date) -> Iterator[Interval]:
    weekday = named(match["x"], WEEKDAYS)
    if weekday is not None:
        yield day(nearest(weekday, said, -1) - timedelta(weeks=1))
    elif unit := next((u for p, u in UNITS if re.fullmatch(p, match["x"])), None):
        yield period(unit, -2, said)


def _period(match: _Found, said: date) -> Iterator[Interval]:
    """A unit on one side; what is past also as the days up to today ("the past week")."""
    unit, way = unit_of(match["u"]), way_of(match["w"])
    yield from (period(unit, n, said) for n in ([way] if way is not None else [-1, 0]))
    if way == -1 and unit != "weekend":
        yield later(said, unit, -1), said


def _within(match: _Found, said: date) -> Iterator[Interval]:
    first, last = period(unit_of(match["u"]), 0, said)
    yield (first, said) if match["t"] == "earlier" else (said, last)


def _season(match: _Found, said: date) -> Iterator[Interval]:
    """Those about that time; winter is called by the year in which it ends."""
    start = next((n for stem, n in SEASONS.items() if match["s"].startswith(stem)), None)
    if start is None:
        return
    way, year = way_of(match["w"]), int(match["y"]) if match["y"] else None
    for n in [year] if year else range(max(2, said.year - 2), said.year + 3):
        first = 12 * (n - (start == 11)) + start
        days = month(first)[0], month(first + 2)[1]
        past, coming = days[1] < said, days[0] > said
        near = abs((days[0] + timedelta(days=45) - said).days) < 550
        if year or (near and not (way == -1 and not past) and not (way == 1 and not coming)):
            yield days


def _moved(match: _Found, said: date) -> Iterator[Interval]:
    """N units away: a day, a day or week, a month, a year or the month that lies whole years away."""
    unit, number = unit_of(match["u"]), match["n"] or "1"
    way = 1 if re.search(r"^(?:in|через) | from (?:now|today)$", match[0]) else -1
    if re.fullmatch(_FEW, number):
        near, far = sorted(later(said, unit, way * n) for n in (2, 6))
        yield near, far
        yield period(unit, 0, near)[0], period(unit, 0, far)[1]
        return
    count = 1.0 if number in ("a", "an") else value(number)
    if count is not None and (unit == "year" or count.is_integer()):
        found = later(said, unit, way * count)
        if unit in ("day", "week"):
            yield day(found)
        if unit != "day" and count.is_integer():
            yield period(unit, 0, found)
        if unit == "year":
            yield period("month", 0, found)


def _mixed(match: _Found, said: date) -> Iterator[Interval]:
    """Years and months ago: the month."""
    years, months = value(match["n"]), value(match["k"])
    if years is not None and months is not None:
        yield period("month", -round(12 * years + months), said)


_RULES: tuple[tuple[str, Callable[[_Found, date], Iterable[Interval]], bool], ...] = (
    (r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})", _figured, False),
    (r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})", _figured, False),
    (r"(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>\d{4})", _slashed, False),
    (r"(?P<a>\d{1,2})/(?P<b>\d{1,2})(?P<y>(?!))?", _slashed, True),
    (rf"{_D}{_TO}\s+(?:of\s+)?{_M}{_Y}", _day_of_named_month, False),
    (rf"{_M}\s+(?:the\s+)?{_D}{_TO}{_Y}", _day_of_named_month, False),
    (rf"(?:{_W}\s+)?{_M}{_Y}", _named_month, False),
    (rf"(?P<o>\w+)\s+(?P<x>\w+)\s+(?:(?:of|in)\s+)?{_M}{_Y}", _of_month, False),
    (r"(?P<d>\d{1,2})(?:st|nd|rd|th|(?:-?го)?\s+числа)", _day_of_month, True),
    (r"(?P<y>\d{4})(?:\s+г(?:од[ауе]?|\.))?", _year, False),
    (r".*", _near, True),
    (rf"(?:{_W}\s+)?(?P<x>\w+)(?:\s+(?:morning|afternoon|evening|night))?", _weekday, True),
    (r"(?P<x>\w+) before last", _before_last, True),
    (rf"(?:{_W}\s+)?(?P<h>\D+?)(?:,?\s+(?P<y>\d{{4}}))?", _holiday, False),
    (rf"(?:{_W}\s+)?{_U}(?: was)?", _period, True),
    (rf"(?P<w>последн\w+)\s+{_U}", lambda match, said: iter([(later(said, unit_of(match["u"]), -1), said)]), True),
    (rf"(?P<t>earlier|later) this {_U}", _within, True),
    (rf"(?:{_W}\s+)?(?P<s>\w+)(?:\s+(?:of\s+)?(?P<y>\d{{4}})(?:\s+года?)?)?", _season, False),
    (rf"(?:(?P<n>.+?)\s*)?{_U} (?:ago|back|(?:тому )?назад|now|from now|from today)", _moved, True),
    (rf"{_U} (?P<n>\w+) (?:тому )?назад", _moved, True),
    (rf"(?:for |уже )?{_ROUND}(?P<n>.+?) (?:years?|год\w*|лет) (?:and|и) (?P<k>.+?) (?:months?|месяц\w*)"
     r"(?: now| ago| (?:тому )?назад)?", _mixed, True),
    (rf"(?:in|через|уже|for) {_ROUND}(?:(?P<n>.+?)\s*)?{_U}"
     r"(?: now|['’]s? time)?", _moved, True),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern), rule, relative) for pattern, rule, relative in _RULES)
