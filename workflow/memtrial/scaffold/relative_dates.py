"""Date expressions that count from the day on which they were said: weekdays, periods, "N units ago", "in N units".

One function a kind of expression, as in `calendar_dates`.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from memtrial.scaffold import calendar_words as words
from memtrial.scaffold.calendar_dates import Span, by_tense, month_span, one, third, which
from memtrial.scaffold.verbs import tense

_DAY = timedelta(days=1)
_PERFECT = re.compile(r"(?:\b(?:have|has)|['’](?:ve|s))\b[^.!?;]*$", re.IGNORECASE)
_SINCE, _UNTIL = ("since", "с", "со"), ("by", "until", "till", "до", "к")
PERFECT_CHARS = 120
# "A few" units, inclusive.
FEW = (2, 6)
MOST_UNITS = 5000


def weekday(match: re.Match[str], said: date | None) -> list[Span]:
    """As "Last Friday", "this Friday", "next Friday", "Friday before last"."""
    direction = -2 if match["w"] is None else which(match["w"])
    if said is None or direction is None:
        return []
    target = words.weekday(match["d"])
    if direction == 0:
        return [one(said + timedelta(days=target - said.weekday()))]
    near = _nearest(target, said, -1 if direction < 0 else 1)
    return [one(near - timedelta(weeks=1) if direction == -2 else near)]


def _nearest(target: int, said: date, way: int) -> date:
    """The nearest such weekday before (-1) or after (1) a day, never the day itself."""
    return said + way * timedelta(days=(way * (target - said.weekday())) % 7 or 7)


def bare_weekday(match: re.Match[str], said: date | None) -> list[Span]:
    """A weekday alone ("on Friday"): the nearest before or after, by tense, or by preposition ("since", "until")."""
    if said is None:
        return []
    before, after = (one(_nearest(words.weekday(match["d"]), said, way)) for way in (-1, 1))
    preposition = words.key(match.groupdict().get("to") or "")
    if preposition in _SINCE or preposition in _UNTIL:
        return [before if preposition in _SINCE else after]
    return by_tense(match, [before], [after])


def bare_weekend(match: re.Match[str], said: date | None) -> list[Span]:
    """As "Over the weekend": the last or the coming one, by tense."""
    return [] if said is None else by_tense(match, [shifted("weekend", -1, said)], [shifted("weekend", 0, said)])


def period(match: re.Match[str], said: date | None) -> list[Span]:
    """As "Last week", "end of this month", "the year before last"."""
    direction = -2 if match["w"] is None else which(match["w"])
    if said is None or direction is None:
        return []
    name = words.key(match["u"])
    unit = "weekend" if name.startswith("выход") else words.unit(name)
    span = shifted(unit, direction, said)
    return [span if unit in ("week", "weekend") else third(span, match["p"])]


def within_period(match: re.Match[str], said: date | None) -> list[Span]:
    """As "Earlier this week": from its first day to the day on which it was said; "later this week": from there on."""
    if said is None:
        return []
    span = shifted(words.unit(match["u"]), 0, said)
    return [Span(said, span.last) if words.key(match["t"]) == "later" else Span(span.first, said)]


def rolling(match: re.Match[str], said: date | None) -> list[Span]:
    """As "The past week": the week up to the day on which it was said."""
    return [Span(said - _step(words.unit(match["u"]), 1), said)] if said else []


def _step(unit: str, count: int) -> relativedelta:
    unit = "week" if unit == "weekend" else unit
    return relativedelta(**{f"{unit}s": count})


def shifted(unit: str, steps: int, said: date) -> Span:
    """The week, weekend, month or year that lies `steps` from the one of `said`."""
    if unit == "year":
        return Span(date(said.year + steps, 1, 1), date(said.year + steps, 12, 31))
    if unit == "month":
        moved = said + relativedelta(months=steps)
        return month_span(moved.year, moved.month)
    monday = said - timedelta(days=said.weekday()) + timedelta(weeks=steps)
    return Span(monday + 5 * _DAY if unit == "weekend" else monday, monday + 6 * _DAY)


def ago(match: re.Match[str], said: date | None) -> list[Span]:
    """As "N days ago" is a day, "N weeks ago" about a day, "N months ago" a calendar month, "N years ago" a year.

    "A year ago", half a year and a year and a half name a month, about; "a few" units run from two to six.
    """
    return _moved(match, said, -1)


def ahead(match: re.Match[str], said: date | None) -> list[Span]:
    """As "In N weeks", unless the sentence tells it as past: then it says how long something took."""
    return [] if tense(match.string, match.start()) < 0 else _moved(match, said, 1)


def began(match: re.Match[str], said: date | None) -> list[Span]:
    """As "For N years" after a perfect ("I've had it …"), "N years now": when it began."""
    if words.key(match.group()).startswith("for") and not _PERFECT.search(
        match.string, max(0, match.start() - PERFECT_CHARS), match.start()
    ):
        return []
    return [span._replace(about=True, reading="since") for span in _moved(match, said, -1)]


def _moved(match: re.Match[str], said: date | None, way: int) -> list[Span]:
    counted, unit = match["n"], words.unit(match["u"])
    if said is None:
        return []
    if words.few(counted):
        first, last = sorted(said + _step(unit, way * n) for n in FEW)
        if unit in ("month", "year"):
            first, last = shifted(unit, 0, first).first, shifted(unit, 0, last).last
        return [Span(first, last, True)]
    groups = match.groupdict()
    count = words.count(counted)
    if count is None or abs(count) > MOST_UNITS:
        return []
    if smaller := groups.get("u2"):
        return _with_smaller(said, (unit, way * count), (words.unit(smaller), way * (words.count(groups["n2"]) or 0)))
    count += 0.5 * bool(groups.get("half") or groups.get("later_half"))
    in_months = unit == "year" and (count == 1 or count % 1 == 0.5)
    if in_months:
        unit, count = "month", 12 * count
    if not float(count).is_integer():
        return []
    steps = way * int(count)
    if unit in ("day", "week"):
        day = said + _step(unit, steps)
        return [Span(day, day, unit == "week" or words.loose(counted))]
    return [shifted(unit, steps, said)._replace(about=in_months)]


def _with_smaller(said: date, larger: tuple[str, float], smaller: tuple[str, float]) -> list[Span]:
    """As "N years and M months": about that month, or about that day where the smaller unit is a week or a day."""
    if not (larger[1].is_integer() and smaller[1].is_integer()):
        return []
    day = said + _step(larger[0], int(larger[1])) + _step(smaller[0], int(smaller[1]))
    return [(shifted(smaller[0], 0, day) if smaller[0] in ("month", "year") else one(day))._replace(about=True)]


def near_day(match: re.Match[str], said: date | None) -> list[Span]:
    """Yesterday, tomorrow and their like."""
    offsets = {"позавчера": -2, "вчера": -1, "прошлой ночью": -1, "завтра": 1, "послезавтра": 2,
               "day before yesterday": -2, "yesterday": -1, "last night": -1, "tomorrow": 1,
               "day after tomorrow": 2}  # fmt: skip
    return [one(said + timedelta(days=offsets.get(words.key(match["t"]), 0)))] if said else []


def from_other(match: re.Match[str], other: date) -> list[Span]:
    """As "Two days later", "the next day", counted from a day named before."""
    if match["n"] is None:
        return [one(other + (-1 if match["e"] else 1) * _DAY)]
    count = words.count(match["n"])
    if count is None or not count.is_integer() or count > MOST_UNITS:
        return []
    day = other + _step(words.unit(match["u"]), int(count) * (-1 if match["e"] else 1))
    return [one(day)]
