"""Days and intervals of days that a gold answer names: "7 May 2023", "the week before 9 June 2023", "летом 2022".

Every result is a list of spans (first day, last day), each of which answers; a day is a span of one day. Conventions
where usage differs, all of them accepted: the week before a day is the calendar week (Monday to Sunday) before its own
or the seven days before it; a week of a month is counted from its first or to its last day, or by calendar weeks.
A few days are up to seven. A date without a year, and a vague count of years, are not resolved.
"""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta

Span = tuple[date, date]
_MONTH_STARTS = "jan feb mar apr may jun jul aug sep oct nov dec янв фев мар апр ма июн июл авг сен окт ноя дек"
_MONTHS = {start: n % 12 + 1 for n, start in enumerate(_MONTH_STARTS.split())}
_WEEKDAY_STARTS = "mon tue wed thu fri sat sun пон вто сре чет пят суб вос"
_WEEKDAYS = {start: n % 7 for n, start in enumerate(_WEEKDAY_STARTS.split())}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "весн": 3, "лет": 6, "осен": 9, "зим": 12}
_COUNTS = {"": 1, "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "few": 0}
_COUNTS |= {"два": 2, "две": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6, "несколько": 0}
_PARTS = {
    "early": (1, 10),
    "beginning": (1, 10),
    "mid": (11, 20),
    "middle": (11, 20),
    "late": (21, 31),
    "end": (21, 31),
}
_PARTS |= {"начал": (1, 10), "середин": (11, 20), "кон": (21, 31)}

_MONTH = (
    r"(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|(?:янв|фев|апр|июн|июл|авг|сен|окт|ноя|дек)[а-я]*|"
    r"март[а-я]*|ма[йяе])"
)
_DAY, _YEAR, _TH = r"\d{1,2}", r"(?:19|20)\d\d", r"(?:st|nd|rd|th|-?го|-?е)?"
_GAP = r"[\s,.`']*"
_TO = r"\s*(?:to|and|по|до|-|–|—)\s*"
_EXACT = [
    re.compile(p)
    for p in (
        rf"(?P<d>{_DAY}){_TH}{_GAP}(?:of )?(?P<m>{_MONTH}){_GAP}(?P<y>{_YEAR})",
        rf"(?P<m>{_MONTH}){_GAP}(?P<d>{_DAY}){_TH}{_GAP}(?P<y>{_YEAR})",
        r"(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})",
        r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})",
    )
]
_RANGES = [
    re.compile(p)
    for p in (
        rf"(?P<d>{_DAY}){_TH}\s*(?P<m>{_MONTH})?{_TO}(?P<d2>{_DAY}){_TH}\s*(?P<m2>{_MONTH}){_GAP}(?P<y>{_YEAR})",
        rf"(?P<m>{_MONTH})\s*(?P<d>{_DAY}){_TH}{_TO}(?P<m2>{_MONTH})?\s*(?P<d2>{_DAY}){_TH}{_GAP}(?P<y>{_YEAR})",
    )
]
_MONTH_YEAR = re.compile(rf"\b(?P<m>{_MONTH}){_GAP}(?P<y>{_YEAR})")
_SEASON = re.compile(rf"\b(?P<s>{'|'.join(_SEASONS)})[а-я]*{_GAP}(?:of )?(?P<y>{_YEAR})")
_YEAR_ONLY = re.compile(rf"\b(?P<y>{_YEAR})\b")
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*day|понедельник|вторник|сред|четверг|пятниц|суббот|воскресень)"
_RELATIVE = re.compile(
    rf"(?:\blast )?(?:\b(?P<n>{'|'.join(w for w in _COUNTS if w)}|\d+) )?"
    rf"(?P<u>{_WEEKDAY}|weekend|week|day|month|выходны|недел|де?н|месяц)[а-я]*s? "
    r"(?P<side>before|after|перед|до|после)(?: the)? ?$"
)
_WITHIN = re.compile(
    r"\b(?:(?P<o>first|second|third|last|перв|втор|трет|последн)[а-я]*[ -]"
    r"(?P<u>weekend|week|недел|выходны)[а-я]* (?:of )?|"
    rf"(?P<p>{'|'.join(_PARTS)})[а-я]*[ -](?:of )?|(?P<w>weekend|week|недел)[а-я]* (?:of )|"
    r"(?P<about>around|about|approximately|около|примерно) )(?:the )?$"
)
_MOST_WORDS = 7
_DATE_LIKE = re.compile(
    rf"\b{_DAY}{_TH} ?{_MONTH}\b|\b{_MONTH} {_DAY}{_TH}\b|\b(?:before|after|in|since|until|до|после|с) {_YEAR}\b|"
    r"\b(?:few|several|many|нескольк\w+) (?:years?|months?|weeks?|days?|лет|месяцев|недель|дней)\b"
)
_FILLER_TEXT = """
    in on at the a an of around about approximately since by during from between night evening morning afternoon date
    week period sometime day monday tuesday wednesday thursday friday saturday sunday
    в во на с со к между около примерно года году год г неделе день числа
"""
_FILLER = set(_FILLER_TEXT.split())


def gold_spans(text: str) -> tuple[Span, ...]:
    """The spans of days that an answer accepts; none where it names no date, or is about more than a date."""
    folded = text.casefold().replace("ё", "е").strip(" .")
    for read in (_ranged, _dated, _monthly, _seasonal, _yearly):
        if found := read(folded):
            spans, start, end = found
            before, behind = folded[:start], folded[end:]
            if not spans or any(w not in _FILLER for w in re.findall(r"[^\W_]+", f"{before} {behind}")):
                return ()
            return tuple(dict.fromkeys(spans))
    return ()


def names_a_date(text: str) -> bool:
    """Whether a short answer speaks of a date or of vague years, such as `gold_spans` may have left unresolved."""
    return len(text.split()) <= _MOST_WORDS and bool(_DATE_LIKE.search(text.casefold().replace("ё", "е")))


def _month(word: str) -> int:
    if word.isdigit():
        return int(word)
    return _MONTHS.get(word[:3]) or _MONTHS[word[:2]]


def _date(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), _month(month), int(day))
    except ValueError:
        return None


def _ranged(text: str) -> tuple[list[Span], int, int] | None:
    for pattern in _RANGES:
        if m := pattern.search(text):
            month, month2 = m["m"] or m["m2"], m["m2"] or m["m"]
            first, last = _date(m["y"], month, m["d"]), _date(m["y"], month2, m["d2"])
            return ([(first, last)] if first and last and first <= last else []), *m.span()
    return None


def _dated(text: str) -> tuple[list[Span], int, int] | None:
    for pattern in _EXACT:
        if (m := pattern.search(text)) and (day := _date(m["y"], m["m"], m["d"])):
            return _placed(text, m, (day, day))
    return None


def _monthly(text: str) -> tuple[list[Span], int, int] | None:
    m = _MONTH_YEAR.search(text)
    return _placed(text, m, _month_span(int(m["y"]), _month(m["m"]))) if m else None


def _seasonal(text: str) -> tuple[list[Span], int, int] | None:
    """Northern seasons; winter may be named after the year that it begins in or ends in."""
    if not (m := _SEASON.search(text)):
        return None
    year, month = int(m["y"]), _SEASONS[m["s"]]
    years = (year, year - 1) if month == 12 else (year,)
    ends = [(y, month + 2) if month < 12 else (y + 1, 2) for y in years]
    return [(date(y, month, 1), _month_span(*end)[1]) for y, end in zip(years, ends, strict=True)], *m.span()


def _yearly(text: str) -> tuple[list[Span], int, int] | None:
    m = _YEAR_ONLY.search(text)
    return _placed(text, m, (date(int(m["y"]), 1, 1), date(int(m["y"]), 12, 31))) if m else None


def _month_span(year: int, month: int) -> Span:
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def _placed(text: str, match: re.Match[str], span: Span) -> tuple[list[Span], int, int]:
    """A dated span with the words before it: "the week before", "early", "first weekend of"."""
    before = text[: match.start()]
    if m := _RELATIVE.search(before):
        return _relative(m, span), m.start(), match.end()
    if m := _WITHIN.search(before):
        return _within(m, span), m.start(), match.end()
    return [span], *match.span()


def _relative(m: re.Match[str], span: Span) -> list[Span]:
    sign = -1 if m["side"] in ("before", "перед", "до") else 1
    anchor, unit = span[0] if sign < 0 else span[1], m["u"]
    given = m["n"] or ""
    count = int(given) if given.isdigit() else _COUNTS[given]
    if count == 0:
        return (
            [_ordered(anchor + timedelta(sign), anchor + timedelta(7 * sign))] if unit in ("day", "дн", "ден") else []
        )
    if span[0].month != span[1].month:
        return []  # "a week before 2023" is not meant to the day
    if unit in ("day", "дн", "ден"):
        return [_one(anchor + timedelta(sign * count))]
    if unit in ("week", "недел"):
        there = anchor + timedelta(7 * sign * count)
        return [_ordered(there, there - timedelta(6 * sign)), _calendar_week(there)]
    if unit in ("weekend", "выходны"):
        return [_weekend(anchor, sign, count)]
    if unit in ("month", "месяц"):
        months = anchor.year * 12 + anchor.month - 1 + sign * count
        return [_month_span(months // 12, months % 12 + 1)]
    return [_one(_weekday(anchor, _WEEKDAYS[unit[:3]], sign, count))]


def _within(m: re.Match[str], span: Span) -> list[Span]:
    first, last = span
    if m["about"]:
        return [(first - timedelta(3), last + timedelta(3))] if first == last else [span]
    if m["w"]:
        return _around(m["w"], first) if first == last else []
    if m["p"]:
        low, high = _PARTS[m["p"]]
        if (first.year, first.month) == (last.year, last.month):
            return [(first.replace(day=low), min(first.replace(day=1) + timedelta(high - 1), last))]
        return [(date(first.year, (low + 9) // 10 * 4 - 3, 1), _month_span(first.year, (low + 9) // 10 * 4)[1])]
    return _ordinal(m["o"], m["u"] in ("weekend", "выходны"), first, last)


def _around(unit: str, day: date) -> list[Span]:
    """The week of a day: its calendar week. The weekend of a day: that of its calendar week, and the nearest one."""
    if unit != "weekend":
        return [_calendar_week(day)]
    monday = _calendar_week(day)[0]
    saturdays = [monday + timedelta(5)]
    if day.weekday() <= 1:
        saturdays.append(monday - timedelta(2))
    return [(s, s + timedelta(1)) for s in saturdays]


def _ordinal(word: str, weekend: bool, first: date, last: date) -> list[Span]:
    n = {"first": 0, "second": 1, "third": 2, "перв": 0, "втор": 1, "трет": 2}.get(word)
    if weekend:
        saturday = first + timedelta((5 - first.weekday()) % 7 + 7 * (n or 0))
        if n is None:
            saturday = last - timedelta((last.weekday() - 5) % 7)
        return [(saturday, saturday + timedelta(1))]
    if n is None:
        return [(last - timedelta(6), last), _calendar_week(last)]
    start = first + timedelta(7 * n)
    monday = first + timedelta(-first.weekday() % 7 + 7 * n)
    return [(start, start + timedelta(6)), (monday, monday + timedelta(6))]


def _weekend(anchor: date, sign: int, count: int) -> Span:
    """The count-th Saturday and Sunday wholly before or after a day."""
    edge = _weekday(anchor, 6 if sign < 0 else 5, sign, count)
    return _ordered(edge, edge + timedelta(sign))


def _weekday(anchor: date, weekday: int, sign: int, count: int) -> date:
    ahead = (sign * (weekday - anchor.weekday()) - 1) % 7 + 1
    return anchor + timedelta(sign * (ahead + 7 * (count - 1)))


def _calendar_week(day: date) -> Span:
    monday = day - timedelta(day.weekday())
    return monday, monday + timedelta(6)


def _ordered(a: date, b: date) -> Span:
    return min(a, b), max(a, b)


def _one(day: date) -> Span:
    return day, day
