"""Arithmetic of days, weeks, months, seasons and years: the ground on which date expressions are read a second time."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

Interval = tuple[date, date]


def day(days: date) -> Interval:
    """A single day."""
    return days, days


def month(index: int) -> Interval:
    """The month of that number, counted from January of the year 0."""
    year, place = divmod(index, 12)
    return date(year, place + 1, 1), date(year, place + 1, monthrange(year, place + 1)[1])


def month_of(said: date) -> int:
    """The number of a day's month, as `month` takes it."""
    return 12 * said.year + said.month - 1


def moved(said: date, months: int) -> date:
    """The same day of another month, or the last of a shorter one."""
    first, last = month(month_of(said) + months)
    return first.replace(day=min(said.day, last.day))


def period(unit: str, steps: int, said: date) -> Interval:
    """The day, week (from Monday), weekend, month or year that lies `steps` from the one of a day."""
    if unit == "day":
        return day(said + timedelta(days=steps))
    if unit == "month":
        return month(month_of(said) + steps)
    if unit == "year":
        return date(said.year + steps, 1, 1), date(said.year + steps, 12, 31)
    monday = said - timedelta(days=said.weekday()) + timedelta(weeks=steps)
    return monday + timedelta(days=5 if unit == "weekend" else 0), monday + timedelta(days=6)


def later(said: date, unit: str, count: float) -> date:
    """The day so many units after a day (before it, if negative); a fraction of a year is one of months."""
    if unit in ("month", "year"):
        return moved(said, round(count * (12 if unit == "year" else 1)))
    return said + timedelta(days=round(count * (1 if unit == "day" else 7)))


def third(whole: Interval, part: int) -> Interval:
    """The beginning (0), middle (1) or end (2) of a month (10, 10 and the other days) or year (four months each)."""
    first, last = whole
    if first.month == last.month:
        return first.replace(day=1 + 10 * part), last if part == 2 else first.replace(day=10 + 10 * part)
    start = month_of(first) + 4 * part
    return month(start)[0], month(start + 3)[1]


def nearest(weekday: int, said: date, way: int) -> date:
    """The nearest day of that weekday (Monday is 0) before (-1) or after (1) a day."""
    return next(d for n in range(1, 8) if (d := said + timedelta(days=way * n)).weekday() == weekday)
