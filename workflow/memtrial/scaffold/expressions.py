"""Date expressions of English and Russian, resolved against the day on which they were said.

An expression resolves to a day, or to an interval where it names a week, weekend, month or year: never to a day that it
does not name. "Now" is never consulted; without the day on which it was said, only a complete date resolves. Rules:

- a day or month without a year: the latest such date that is not more than six months after the day it was said on;
- "last Friday" is the nearest Friday before, "next Friday" the nearest after, "this Friday" the one of the ISO week;
- "last March" is the nearest March before the current month, "next March" the nearest after, "this March" of the year;
- weeks run from Monday to Sunday; the last weekend is the nearest Saturday with its Sunday that is wholly past;
- "N days ago" is a day, "N weeks ago" about a day, "N months ago" a calendar month, "N years ago" a calendar year;
- day and month in figures count only with a year; "3/4/2024", which two customs read differently, does not count.
A number that is not whole, a choice ("one or two"), a range, "a few", and days outside of the years 1 to 9999 do not
resolve.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from dateutil.relativedelta import relativedelta

from memtrial.scaffold import calendar_words as words

Interval = tuple[date, date]
_Rule = Callable[[re.Match[str], date | None], Interval | None]
_DAY = timedelta(days=1)


class Expression(NamedTuple):
    """A date expression where it stands in a text, and the days that it names (first = last for one day)."""

    start: int
    end: int
    text: str
    first: date
    last: date
    about: bool


def _day(year: int, month: int, day: int) -> date | None:
    return (
        date(year, month, day)
        if 1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
        else None
    )


def _month(year: int, month: int) -> Interval:
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _year(year: int) -> Interval:
    return date(year, 1, 1), date(year, 12, 31)


def _single(day: date | None) -> Interval | None:
    return (day, day) if day else None


def _full(match: re.Match[str], said: date | None) -> Interval | None:
    return _single(_day(int(match["y"]), int(match["m"]), int(match["d"])))


def _unordered(match: re.Match[str], said: date | None) -> Interval | None:
    """Figures with slashes: whichever of the two can be no month is the day."""
    a, b = int(match["a"]), int(match["b"])
    if (a > 12) == (b > 12) and a != b:
        return None
    month, day = (b, a) if a > 12 else (a, b)
    return _single(_day(int(match["y"]), month, day))


def _named_day(match: re.Match[str], said: date | None) -> Interval | None:
    month, day = words.month(match["m"]), int(match["d"])
    if match["y"]:
        return _single(_day(int(match["y"]), month, day))
    if said is None:
        return None
    limit = said + relativedelta(months=6)
    years = (_day(year, month, day) for year in range(limit.year, limit.year - 9, -1))
    return _single(next((d for d in years if d and d <= limit), None))


def _named_month(match: re.Match[str], said: date | None) -> Interval | None:
    month = words.month(match["m"])
    if match["y"]:
        return _month(int(match["y"]), month)
    return _which_month(month, _which(match["w"] or ""), said) if said else None


def _which_month(month: int, which: int | None, said: date) -> Interval:
    if which == 0:
        return _month(said.year, month)
    if which == 1:
        return _month(said.year + (month <= said.month), month)
    limit = said.replace(day=1) - _DAY if which == -1 else said + relativedelta(months=6)
    return _month(limit.year - (month > limit.month), month)


def _which(word: str) -> int | None:
    """-1 for last, 0 for this, 1 for next; null for a word that says none of them."""
    folded = words.key(word)
    directions = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}
    russian = {"прошл": -1, "минув": -1, "этот": 0, "эту": 0, "это": 0, "этом": 0, "этой": 0, "эти": 0, "этих": 0}
    if folded in directions:
        return directions[folded]
    return next((n for stem, n in {**russian, "следующ": 1, "будущ": 1}.items() if folded.startswith(stem)), None)


def _weekday(match: re.Match[str], said: date | None) -> Interval | None:
    which = _which(match["w"])
    if said is None or which is None:
        return None
    target = words.weekday(match["d"])
    if which == 0:
        return _single(said + timedelta(days=target - said.weekday()))
    distance = (said.weekday() - target) % 7 if which == -1 else (target - said.weekday()) % 7
    return _single(said + which * timedelta(days=distance or 7))


def _period(match: re.Match[str], said: date | None) -> Interval | None:
    which = _which(match["w"])
    if said is None or which is None:
        return None
    name = words.key(match["u"])
    return _shifted("weekend" if name.startswith("выход") else words.unit(name), which, said)


def _shifted(unit: str, steps: int, said: date) -> Interval:
    """The week, weekend, month or year that lies `steps` from the one of `said`."""
    if unit == "year":
        return _year(said.year + steps)
    if unit == "month":
        moved = said + relativedelta(months=steps)
        return _month(moved.year, moved.month)
    monday = said - timedelta(days=said.weekday()) + timedelta(weeks=steps)
    return (monday + 5 * _DAY if unit == "weekend" else monday), monday + 6 * _DAY


def _ago(match: re.Match[str], said: date | None) -> Interval | None:
    count = _count(match["n"])
    if said is None or count is None or not count.is_integer() or count > 5000:
        return None
    steps, unit = int(count), words.unit(match["u"])
    if unit in ("day", "week"):
        return _single(said - timedelta(days=steps * (7 if unit == "week" else 1)))
    return _shifted(unit, -steps, said)


def _count(text: str | None) -> float | None:
    folded = words.key(text or "a")
    spoken = {"a": 1.0, "an": 1.0, "a couple of": 2.0, "пару": 2.0}
    return spoken[folded] if folded in spoken else words.number(folded)


def _near_day(match: re.Match[str], said: date | None) -> Interval | None:
    offsets = {"позавчера": -2, "вчера": -1, "сегодня": 0, "завтра": 1, "послезавтра": 2, "day before yesterday": -2,
               "yesterday": -1, "last night": -1, "tomorrow": 1, "day after tomorrow": 2}  # fmt: skip
    return _single(said + timedelta(days=offsets.get(words.key(match["t"]), 0))) if said else None


def _bare_year(match: re.Match[str], said: date | None) -> Interval:
    return _year(int(match["y"]))


_Y = r"(?P<y>(?:19|20)\d\d)"
_WHICH_EN = r"(?P<w>last|past|previous|this|next|coming)"
_WHICH_RU = r"(?P<w>(?:прошл|минувш|следующ|будущ)\w{2}|эт(?:от|у|о|ом|ой|и|их))"
_D = r"(?P<d>\d{1,2})"
_OF_YEAR_EN = rf"(?:,?\s+{_Y}\b)?"
_OF_YEAR_RU = rf"(?:\s+{_Y}(?:\s+г(?:ода?\b|оду\b|\.))?)?"
_RULES: tuple[tuple[str, _Rule], ...] = (
    (r"(?<![\d./-])(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?![\d/-])", _full),
    (r"(?<![\d./-])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})(?![\d/-])", _full),
    (r"(?<![\d./-])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>\d{4})(?![\d/-])", _unordered),
    (rf"\b(?P<m>{words.MONTH_EN})\s+(?:the\s+)?{_D}(?:st|nd|rd|th)?\b(?![:.]\d){_OF_YEAR_EN}", _named_day),
    (rf"(?<![\d.:/-]){_D}(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m>{words.MONTH_EN})(?!\w){_OF_YEAR_EN}", _named_day),
    (rf"(?<![\d.:/-]){_D}(?:-?го|-?е)?\s+(?P<m>{words.MONTH_RU})\b{_OF_YEAR_RU}", _named_day),
    (rf"\b(?:in|since|of|by|during|until|early|mid|late|{_WHICH_EN})[\s-]+(?P<m>{words.LONE_MONTH_EN})\b{_OF_YEAR_EN}",
     _named_month),
    (rf"\b(?P<w>(?!))?(?P<m>{words.LONE_MONTH_EN}),?\s+{_Y}\b", _named_month),
    (rf"\b(?:в|с|до|к|на|за)\s+(?:(?:начале|конце|середине)\s+)?(?:{_WHICH_RU}\s+)?"
     rf"(?P<m>{words.MONTH_RU})\b{_OF_YEAR_RU}", _named_month),
    (rf"\b{_WHICH_EN}\s+(?P<d>{words.WEEKDAY_EN})", _weekday),
    (rf"\b{_WHICH_RU}\s+(?P<d>{words.WEEKDAY_RU})", _weekday),
    (rf"\b{_WHICH_EN}\s+(?P<u>week|weekend|month|year)\b", _period),
    (rf"\b{_WHICH_RU}\s+(?P<u>недел[еяию]|месяце?|году?|выходны[ех])\b", _period),
    (rf"(?P<n>{words.NUMBER}|\ba\s+couple\s+of|\ban?)\s+(?P<u>{words.UNIT_EN})s?\s+ago\b", _ago),
    (rf"(?P<n>{words.NUMBER}|\bпару)\s+(?P<u>{words.UNIT_RU})\s+(?:тому\s+)?назад\b", _ago),
    (r"(?<!пол)\b(?P<n>(?!))?(?P<u>день|неделю|месяц|год)\s+(?:тому\s+)?назад\b", _ago),
    (r"\b(?P<t>day before yesterday|day after tomorrow|yesterday|last night|tomorrow|today|tonight"
     r"|this (?:morning|afternoon|evening))\b", _near_day),
    (r"\b(?P<t>позавчера|вчера|сегодня|послезавтра|завтра)\b", _near_day),
    (rf"\b(?:in|since|by|until|from|during)\s+{_Y}\b(?![-/.]\d)", _bare_year),
    (rf"\b(?:в|с|до|к|из)\s+{_Y}\s+г(?:од[ауе]?\b|\.)", _bare_year),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), rule) for pattern, rule in _RULES)
# Every rule needs a figure or one of these; looking for them first saves most sentences the whole list.
_HINT = re.compile(
    r"\d|\bago\b|day\b|today|tonight|tomorrow|\b(?:this|last|past|previous|next|coming)\b"
    r"|назад|вчера|завтра|сегодня|прошл|минувш|следующ|будущ|\bэт"
    rf"|\b{words.MONTH_EN}\b|\b{words.MONTH_RU}\b",
    re.IGNORECASE,
)


def _resolve(rule: _Rule, match: re.Match[str], said: date | None) -> Interval | None:
    try:
        return rule(match, said)
    except (OverflowError, ValueError):  # a day beyond the years 1 to 9999
        return None


def find(text: str, said: date | None) -> list[Expression]:
    """Date expressions of a text in order, the longest where they overlap; those that do not resolve are left out."""
    if not _HINT.search(text):
        return []
    found = []
    for pattern, rule in _COMPILED:
        for match in pattern.finditer(text):
            if resolved := _resolve(rule, match, said):
                about = rule is _ago and words.unit(match["u"]) == "week"
                found.append(Expression(match.start(), match.end(), match.group(), *resolved, about))
    found.sort(key=lambda e: (e.start - e.end, e.start))
    kept: list[Expression] = []
    for expression in found:
        if all(expression.end <= other.start or other.end <= expression.start for other in kept):
            kept.append(expression)
    return sorted(kept)
