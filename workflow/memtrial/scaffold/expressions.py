"""Date expressions of English and Russian, resolved against the day on which they were said.

An expression resolves to a day, or to an interval where it names a week, weekend, month, season or year: never to a day
that it does not name. "Now" is never consulted; without the day on which it was said, only a complete date resolves.
Rules:

- a day or month without a year: the latest such date that is not more than six months after the day it was said on;
  where that is more than three months ahead and the sentence is told as past, the latest past one is possible too;
- "last Friday" is the nearest Friday before, "next Friday" the nearest after, "this Friday" the one of the ISO week;
  "on Friday" is one or the other as the sentence is told in the past or as coming, and both where it is neither;
  so are "on the 15th", "over the weekend", "in the summer";
- "last March" is the nearest March before the current month, "next March" the nearest after, "this March" of the year;
- weeks run from Monday to Sunday; the last weekend is the nearest Saturday with its Sunday that is wholly past;
- "N days ago" is a day, "N weeks ago" about a day, "N months ago" a calendar month, "N years ago" a calendar year (one
  year: about the calendar month); "a few" is two to six; "for N years now" is when it began;
- early, mid and late are thirds of a month (10, 10 and the rest of its days) and of a year (four months each);
- a season is three calendar months (northern hemisphere, winter from December, called by the year in which it ends);
- "two days later" counts from the last single day named before it, and does not resolve without one;
- day and month in figures count only with a year, or after "on" and its like where one of them can be no month;
  "3/4/2024", which two customs read differently, does not count.
A number that is not whole, a choice ("one or two"), a range of units, "the other day", what counts from another date
("two days before May 9"), and days outside of the years 1 to 9999 do not resolve.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from memtrial.scaffold import calendar_dates as dated
from memtrial.scaffold import calendar_words as words
from memtrial.scaffold import relative_dates as relative
from memtrial.scaffold.calendar_dates import Span

_Rule = Callable[[re.Match[str], date | None], list[Span]]
CACHED_TEXTS = 1 << 16
NEAR_CHARS = 40


class Expression(NamedTuple):
    """A date expression where it stands in a text, and the days that it names (first = last for one day).

    `reading` as of a `Span`: one that may name a past or a coming day stands twice, with the same place.
    """

    start: int
    end: int
    text: str
    first: date
    last: date
    about: bool
    reading: str


_Y = r"(?P<y>(?:19|20)\d\d)"
_NO = r"(?P<{0}>(?!))?"
_WHICH_EN = r"(?P<w>this\s+(?:past|last|coming)|last|past|previous|this|next|coming|upcoming)"
_WHICH_RU = r"(?P<w>(?:(?:поза)?прошл|минувш|следующ|будущ|ближайш)\w{2,3}|эт(?:от|у|о|ом|ой|ого|и|их|им))"
_D = rf"(?P<d>\d{{1,2}}|{words.DAY_WORD})"
_TO = r"(?:\s*(?:-|–|—|to|through|по|до)\s*(?:the\s+)?(?P<e>\d{1,2})(?:st|nd|rd|th|-?го|-?е)?)?"
_TH = r"(?:st|nd|rd|th)?"
_OF_YEAR_EN = rf"(?:,?\s+(?:of\s+)?(?:{_Y}|(?P<r>last|this|next)\s+year)\b)?"
_OF_YEAR_RU = rf"(?:\s+(?:{_Y}(?:\s+г(?:ода?\b|оду\b|\.))?|(?P<r>(?:поза)?прошлого|этого|следующего)\s+года))?"
_PART_EN = rf"(?P<p>{words.PART_EN})"
_PART_RU = rf"(?P<p>{words.PART_RU})"
_DAYTIME_EN = r"(?:\s+(?:morning|afternoon|evening|night)\b)"
_N_EN = rf"(?P<n>{words.NUMBER}|\b(?:{words.COUNT_EN}))"
_N_RU = rf"(?P<n>{words.NUMBER}|\b(?:{words.COUNT_RU}))"
_U_EN = rf"(?P<u>{words.UNIT_EN})s?"
_U_RU = rf"(?P<u>{words.UNIT_RU}|(?<=пол)года)"
# "And a half" before or after the unit, or a number of a smaller one.
_HALF = r"(?P<half>\s+and\s+a\s+half)?"
_MORE_EN = rf"(?:(?P<later_half>\s+and\s+a\s+half)|\s+and\s+(?P<n2>{words.NUMBER}|an?)\s+(?P<u2>{words.UNIT_EN})s?)?"
_MORE_RU = rf"(?:\s+и\s+(?P<n2>{words.NUMBER})\s+(?P<u2>{words.UNIT_RU}))?"
_ENDS = r"(?![\w'’-])"
# "On Friday, March 3rd" names its day itself; "on Friday evenings" names none.
_NO_DATE = rf"(?!\s+(?:morning|afternoon|evening|night))(?!(?:,?\s+|,)(?:the\s+)?(?:\d|{words.MONTH_EN}\s+\d))"

# Where a weekday stands as an adverb ("I saw him Monday."): not after a determiner, nor before what it would modify.
_ADVERB = "(?<=[a-z] )" + "".join(
    rf"(?<!\b{word} )"
    for word in ("every", "each", "the", "a", "an", "by", "or", "of", "my", "and", "our", "per", "her", "his", "was",
                 "is", "for", "happy", "last", "on")
)  # fmt: skip
_CLAUSE_ENDS = r"(?=[.,!?;)]|$|\s+(?:and\s+(?:i|we|he|she|it|they|my|our|the)|but|so|with|at|to)\b)"
# "Since March 3" names a day.
_NO_DAY = r"(?!\s+(?:the\s+)?\d{1,2}(?!\d))"

_EXPLICIT: tuple[tuple[str, _Rule], ...] = (
    (r"(?<![\d./-])(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?![\d/-])", dated.full),
    (r"(?<![\d./-])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})(?![\d/-])", dated.full),
    (r"(?<![\d./-])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>\d{4})(?![\d/-])", dated.unordered),
    (rf"(?:(?<=\bon )|(?<=\bby )|(?<=\bsince )|(?<=\buntil )|(?<=\bfrom ))(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})"
     rf"{_NO.format('y')}(?![\d/-])", dated.unordered),
    (rf"\b(?P<m>{words.MONTH_EN})\s+(?:the\s+)?{_D}{_TH}\b{_TO}(?![:.]\d){_OF_YEAR_EN}", dated.named_day),
    (rf"(?<![\d.:/-]){_D}{_TH}{_TO}\s+(?:of\s+)?(?P<m>{words.MONTH_EN})(?!\w){_OF_YEAR_EN}", dated.named_day),
    (rf"(?<![\d.:/-]){_D}(?:-?го|-?е)?{_TO}\s+(?P<m>{words.MONTH_RU})\b{_OF_YEAR_RU}", dated.named_day),
    (rf"\b(?:in|since|of|by|during|until|around|for|{_WHICH_EN})[\s-]+{_PART_EN}?(?P<m>{words.LONE_MONTH_EN})\b{_NO_DAY}"
     rf"{_OF_YEAR_EN}", dated.named_month),
    (rf"\b{_NO.format('w')}{_PART_EN}(?P<m>{words.LONE_MONTH_EN})\b{_NO_DAY}{_OF_YEAR_EN}", dated.named_month),
    (rf"\b{_NO.format('w')}{_NO.format('p')}{_NO.format('r')}(?P<m>{words.LONE_MONTH_EN}),?\s+(?:of\s+)?{_Y}\b",
     dated.named_month),
    (rf"\b{_NO.format('w')}{_NO.format('p')}{_NO.format('y')}(?P<m>{words.LONE_MONTH_EN})\s+(?:of\s+)?"
     r"(?P<r>last|this|next)\s+year\b", dated.named_month),
    (rf"\b(?:в|с|до|к|на|за)\s+{_PART_RU}?(?:{_WHICH_RU}\s+)?(?P<m>{words.MONTH_RU})\b{_OF_YEAR_RU}",
     dated.named_month),
    (rf"\b(?P<o>{words.ORDINAL_EN})\s+(?P<u>week(?:end)?|{words.WEEKDAY_EN})\s+(?:of|in)\s+"
     rf"(?P<m>{words.LONE_MONTH_EN})\b{_OF_YEAR_EN}", dated.of_month),
    (rf"\b(?P<o>{words.ORDINAL_RU})\s+(?P<u>недел[юеия]|выходны[ех]|{words.WEEKDAY_RU})\s+(?P<m>{words.MONTH_RU})\b"
     rf"{_OF_YEAR_RU}", dated.of_month),
    (rf"\bon\s+the\s+{_D}(?:st|nd|rd|th)\b(?=\s*(?:[.,;!?)]|$|(?:and|at|with|after|for|in|to|but|so|we|i|it)\b))",
     dated.day_of_month),
    (rf"\b{_D}(?:-?го)?\s+числа\b", dated.day_of_month),
    (rf"\b(?:in|since|by|until|from|during|back\s+in)\s+{_PART_EN}?{_Y}\b(?![-/.]\d)", dated.bare_year),
    (rf"\b{_PART_EN}{_Y}\b(?![-/.]\d)", dated.bare_year),
    (rf"\b(?:в|с|до|к|из)\s+{_PART_RU}?{_Y}\s+г(?:од[ауе]?\b|\.)", dated.bare_year),
)  # fmt: skip
_RELATIVE: tuple[tuple[str, _Rule], ...] = (
    (rf"\b{_WHICH_EN}\s+(?P<d>{words.WEEKDAY_EN}){_ENDS}", relative.weekday),
    (rf"\b{_WHICH_RU}\s+(?P<d>{words.WEEKDAY_RU})", relative.weekday),
    (rf"\b{_NO.format('w')}(?P<d>{words.WEEKDAY_EN})\s+before\s+last\b", relative.weekday),
    (rf"\b(?P<to>on|since|by|until|till)\s+(?P<d>{words.WEEKDAY_EN}){_ENDS}{_DAYTIME_EN}?{_NO_DATE}",
     relative.bare_weekday),
    (rf"(?<!\bevery )(?<!\beach )(?<!\bone )(?<!\ba )\b(?P<d>{words.WEEKDAY_EN}){_ENDS}{_DAYTIME_EN}\b{_NO_DATE}",
     relative.bare_weekday),
    (rf"\b(?P<to>во?|со?|до|к)\s+(?P<d>{words.WEEKDAY_RU}){_NO_DATE}", relative.bare_weekday),
    (rf"{_ADVERB}(?P<d>{words.WEEKDAY_EN}){_CLAUSE_ENDS}{_NO_DATE}", relative.bare_weekday),
    (r"\b(?:over|on|at|during)\s+the\s+weekend\b|\bthe\s+weekend\s+was\b|\bна\s+выходных\b", relative.bare_weekend),
    (r"(?:\b(?:over|in|during|for|within)\s+the\s+(?:past|last)\s+|\bthis\s+past\s+)(?P<u>week|month|year)\b",
     relative.rolling),
    (rf"\b{_PART_EN}?{_WHICH_EN}\s+(?P<u>week|weekend|month|year)\b{_ENDS}", relative.period),
    (rf"\b{_NO.format('p')}the\s+{_NO.format('w')}(?P<u>week|weekend|month|year)\s+before\s+last\b", relative.period),
    (rf"\b{_PART_RU}?{_WHICH_RU}\s+(?P<u>недел[еяию]|месяц[еау]?|год[уа]?|выходны[ех])\b", relative.period),
    (r"\b(?P<t>earlier|later)\s+this\s+(?P<u>week|month|year)\b", relative.within_period),
    (r"\bза\s+последн(?:юю|ий)\s+(?P<u>неделю|месяц|год)\b", relative.rolling),
    (rf"\b(?:{_WHICH_EN}\s+|in\s+(?:the\s+)?|over\s+the\s+|during\s+the\s+)(?P<s>{words.SEASON_EN})\b"
     rf"(?!\s+(?:break|asleep|training))(?:\s+(?:of\s+)?{_Y}\b)?",
     dated.season),
    (rf"\b{_NO.format('w')}(?P<s>{words.SEASON_EN})\s+(?:of\s+)?{_Y}\b", dated.season),
    (rf"\b{_WHICH_RU}\s+(?P<s>{words.SEASON_RU})\b{_NO.format('y')}", dated.season),
    (rf"\b{_NO.format('w')}(?P<s>весной|летом|осенью|зимой)\b(?:\s+{_Y}(?:\s+года?)?)?", dated.season),
    (rf"(?:\b(?:{_WHICH_EN}|{_WHICH_RU.replace('<w>', '<v>')}|on|at|since|for|before|after|by|на|в|с|до|к)\s+)"
     rf"(?P<h>{words.HOLIDAY})\b(?:,?\s+{_Y})?", dated.holiday),
    (rf"{_N_EN}{_HALF}\s+{_U_EN}{_MORE_EN}\s+(?:ago|back(?!\s+(?:home|to|from|in|at|on|then)))\b", relative.ago),
    (rf"{_N_RU}\s*{_U_RU}{_MORE_RU}\s+(?:тому\s+)?назад\b", relative.ago),
    (rf"\b{_U_RU}\s+(?P<n>{words.NUMBER_WORD})\s+(?:тому\s+)?назад\b", relative.ago),
    (rf"(?<!пол)\b{_NO.format('n')}(?P<u>день|неделю|месяц|год)\s+(?:тому\s+)?назад\b", relative.ago),
    (rf"\bin\s+{_N_EN}\s+{_U_EN}(?:['’]\s*time)?\b(?!\s+(?:of|or|ago)\b)", relative.ahead),
    (rf"{_N_EN}\s+{_U_EN}\s+from\s+(?:now|today)\b", relative.ahead),
    (rf"\bчерез\s+(?:{_N_RU}\s*)?{_U_RU}\b", relative.ahead),
    (rf"\bfor\s+(?:about\s+|around\s+|almost\s+|nearly\s+|over\s+)?{_N_EN}{_HALF}\s+{_U_EN}{_MORE_EN}(?:\s+now)?\b",
     relative.began),
    (rf"{_N_EN}{_HALF}\s+{_U_EN}{_MORE_EN}\s+now\b", relative.began),
    (rf"\bуже\s+(?:почти\s+|около\s+)?{_N_RU}\s*{_U_RU}{_MORE_RU}\b(?!\s+(?:тому\s+)?назад)", relative.began),
    (r"\b(?P<t>day before yesterday|day after tomorrow|yesterday|last night|tomorrow|(?<!ago )today|tonight"
     r"|this (?:morning|afternoon|evening))\b", relative.near_day),
    (r"\b(?P<t>позавчера|вчера|сегодня|послезавтра|завтра|прошлой ночью)\b", relative.near_day),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), rule) for pattern, rule in (*_EXPLICIT, *_RELATIVE))
_LATER = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_N_EN}\s+{_U_EN}\s+(?:later|after\s+that|afterwards|(?P<e>earlier|before\s+that))\b",
        rf"\b{_NO.format('n')}{_NO.format('e')}{_NO.format('u')}(?:the\s+(?:next|following)\s+day|the\s+day\s+after)\b",
        rf"{_N_RU}\s*{_U_RU}\s+(?:спустя|позже|(?P<e>раньше|до\s+этого))",
        rf"\b(?:через|спустя)\s+{_N_RU}\s*{_U_RU}\b{_NO.format('e')}",
        rf"\b{_NO.format('n')}{_NO.format('e')}{_NO.format('u')}на\s+следующий\s+день\b",
    )
)
_ABOUT = re.compile(
    r"(?:about|around|almost|nearly|roughly|approximately|over|~|примерно|около|почти|где-то)\s*$", re.I
)
# "Two days before May 9" is not May 9.
_OFFSET = re.compile(
    r"\b(?:days?|weeks?|months?|years?|день|дн[яей]+|недел\w+|месяц\w*|лет|год\w*)\s+(?:before|after|до|после)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
# Every rule needs a figure or one of these; looking for them first saves most sentences the whole list.
_HINT = re.compile(
    r"\d|\b(?:ago|back)\b|day\b|today|tonight|tomorrow|last night|\b(?:this|last|past|previous|next|coming|upcoming)\b"
    r"|\b(?:later|earlier|before last|weekend|from now|now|in an?|for|few|several|mid|early|late|beginning|end)\b"
    rf"|\b(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b|\b{words.SEASON_EN}\b|\b{words.HOLIDAY}\b"
    r"|назад|вчера|завтра|сегодня|прошл|минувш|следующ|будущ|ближайш|\bэт|через|спустя|позже|\bуже\b|выходн|последн"
    rf"|\b{words.MONTH_EN}\b|\b{words.MONTH_RU}\b|\b{words.WEEKDAY_RU}|\b{words.SEASON_RU}\b|\b{words.NUMBER_WORD}",
    re.IGNORECASE,
)


def _resolve(rule: _Rule, match: re.Match[str], said: date | None) -> list[Span]:
    try:
        return rule(match, said)
    except (OverflowError, ValueError):  # a day beyond the years 1 to 9999
        return []


def _before(place: int) -> tuple[int, int]:
    """Where to look for the words just before a place."""
    return max(0, place - NEAR_CHARS), place


def _made(match: re.Match[str], span: Span) -> Expression:
    about = span.about or bool(_ABOUT.search(match.string, *_before(match.start())))
    return Expression(match.start(), match.end(), match.group(), span.first, span.last, about, span.reading)


@lru_cache(maxsize=CACHED_TEXTS)
def find(text: str, said: date | None) -> tuple[Expression, ...]:
    """Date expressions of a text in order, the longest where they overlap; those that do not resolve are left out."""
    if not _HINT.search(text):
        return ()
    found: dict[tuple[int, int], list[Expression]] = {}
    for pattern, rule in _COMPILED:
        for match in pattern.finditer(text):
            if match.span() not in found and (spans := _resolve(rule, match, said)):
                found[match.span()] = [_made(match, span) for span in spans]
    kept = _longest([e for made in found.values() for e in made if not _OFFSET.search(text, *_before(made[0].start))])
    return tuple(sorted(_longest([*kept, *_counted_from(text, kept)])))


def _counted_from(text: str, named: list[Expression]) -> list[Expression]:
    """Days counted from the last single day that was named before them."""
    found = []
    for match in (m for pattern in _LATER for m in pattern.finditer(text)):
        before = [e for e in named if e.end <= match.start() and e.first == e.last and not e.reading]
        if before:
            found += [_made(match, s) for s in relative.from_other(match, max(before).first)]
    return found


def _longest(found: list[Expression]) -> list[Expression]:
    """The longest of expressions that overlap; those of the same place all stay."""
    kept: dict[tuple[int, int], list[Expression]] = {}
    taken = bytearray(max((e.end for e in found), default=0))
    for expression in sorted(set(found), key=lambda e: (e.start - e.end, e.start)):
        place = expression[:2]
        if place in kept:
            kept[place].append(expression)
        elif not any(taken[slice(*place)]):
            taken[slice(*place)] = b"\1" * (place[1] - place[0])
            kept[place] = [expression]
    return [e for same in kept.values() for e in same]
