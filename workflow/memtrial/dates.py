"""Timestamps of benchmark files as naive datetimes: only the written forms we know, never a guess.

Source clocks are local, so a zone or a `Z` is dropped without shifting the hour. Fractions of a second are cut.
"""

from __future__ import annotations

import re
from datetime import datetime

EXPECTED = (
    "a date like 2023/05/20 (Sat) 02:21, 2023/05/20, 1:56 pm on 8 May, 2023, 2023-05-20T02:21:00, "
    "8 мая 2023 or 8 мая 2023, 14:05"
)

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ENGLISH = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_RUSSIAN = (
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
)
_MONTHS = {name: number for names in (_ENGLISH, _RUSSIAN) for number, name in enumerate(names, 1)}

_CLOCK = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"(?P<year>[0-9]{{4}})/(?P<month>[0-9]{{1,2}})/(?P<day>[0-9]{{1,2}})"
        rf"(?: \((?P<weekday>{'|'.join(_WEEKDAYS)})\))?(?: {_CLOCK})?",
        rf"(?P<year>[0-9]{{4}})-(?P<month>[0-9]{{2}})-(?P<day>[0-9]{{2}})"
        rf"(?:[t ]{_CLOCK}(?:[.,][0-9]+)?(?:z|[+-][0-9]{{2}}(?::?[0-9]{{2}})?)?)?",
        rf"{_CLOCK} ?(?P<half>am|pm) on (?P<day>[0-9]{{1,2}}) (?P<month>{'|'.join(_ENGLISH)}),? (?P<year>[0-9]{{4}})",
        rf"(?P<day>[0-9]{{1,2}}) (?P<month>{'|'.join(_RUSSIAN)}) (?P<year>[0-9]{{4}})(?:,? {_CLOCK})?",
    )
)


def parse_timestamp(text: str) -> datetime:
    """The naive local time that `text` states; a date without a clock time is its midnight.

    Raises `ValueError` saying what was expected for any other form, and for a day or hour that does not exist.
    A weekday is not compared with the date (see `weekday_agrees`).
    """
    parts = _match(text)
    try:
        return datetime(
            int(parts["year"] or 0),
            _month(parts["month"]),
            int(parts["day"] or 0),
            _hour(parts),
            int(parts["minute"] or 0),
            int(parts["second"] or 0),
        )
    except ValueError as error:
        raise ValueError(f"expected {EXPECTED}, found {text!r} ({error})") from None


def weekday_agrees(text: str) -> bool:
    """False if `text` states a weekday that its own date does not fall on. Raises as `parse_timestamp` does."""
    weekday = _match(text).get("weekday")
    return weekday is None or _WEEKDAYS[parse_timestamp(text).weekday()] == weekday


def _match(text: str) -> dict[str, str | None]:
    folded = " ".join(text.casefold().split())
    for form in _FORMS:
        if found := form.fullmatch(folded):
            return found.groupdict()
    raise ValueError(f"expected {EXPECTED}, found {text!r}")


def _month(name: str | None) -> int:
    return _MONTHS.get(name or "") or int(name or 0)


def _hour(parts: dict[str, str | None]) -> int:
    """The hour on the 24-hour clock: 12 am is midnight, 12 pm is noon."""
    hour, half = int(parts["hour"] or 0), parts.get("half")
    if half is None:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError(f"hour {hour} {half}")
    return hour % 12 + (12 if half == "pm" else 0)
