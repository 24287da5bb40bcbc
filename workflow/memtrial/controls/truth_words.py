"""Names of months, weekdays, units and directions in English and Russian, for the second reading of dates: as data."""

from __future__ import annotations

import re

MONTHS = (
    ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
     "december"],
    ["январ", "феврал", "март", "апрел", "ма", "июн", "июл", "август", "сентябр", "октябр", "ноябр", "декабр"],
)  # fmt: skip
WEEKDAYS = (
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    ["понедельник", "вторник", "сред", "четверг", "пятниц", "суббот", "воскресень"],
)
SEASONS = {"весн": 2, "spring": 2, "лет": 5, "summer": 5, "осен": 8, "autumn": 8, "fall": 8, "зим": 11, "winter": 11}
ORDINALS = {"first|1st|перв": 1, "second|2nd|втор": 2, "third|3rd|трет": 3, "fourth|4th|четверт": 4, "last|послед": -1}
NEAR = {
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
    "this afternoon": 0, "this evening": 0, "tomorrow": 1, "day after tomorrow": 2,
    "позавчера": -2, "вчера": -1, "прошлой ночью": -1, "сегодня": 0, "завтра": 1, "послезавтра": 2,
}  # fmt: skip
WHICH = (
    (r"позапрошл\w+", -2),
    (r"last|past|previous|this (?:past|last)|(?:прошл|минувш)\w+", -1),
    (r"this|эт(?:от|у|о|ом|ой|ого|и|их|им)", 0),
    (r"next|coming|upcoming|this coming|(?:следующ|будущ|ближайш)\w+", 1),
)
UNITS = (
    (r"days?|день|дня|дней|дни|ден[ьке]\w*", "day"),
    (r"weekends?|выходн(?:ые|ых)", "weekend"),
    (r"weeks?|недел[яюиье]|недельк\w", "week"),
    (r"months?|месяц(?:а|ев|е|у)?", "month"),
    (r"years?|год(?:а|у|ом|ик\w*)?|лет", "year"),
)
PARTS = (
    (r"(?:early|beginning of|start of|начал\w)", 0),
    (r"(?:mid|middle of|середин\w)", 1),
    (r"(?:late|end of|кон(?:ец|ца|це|цу))", 2),
)

# Holidays of fixed days: pattern, first and last (month, day).
HOLIDAYS = (
    (r"christmas eve", (12, 24), (12, 24)),
    (r"(?:christmas|xmas)(?: day)?", (12, 25), (12, 25)),
    (r"рождеств\w", (1, 7), (1, 7)),
    (r"new year['’]?s eve", (12, 31), (12, 31)),
    (r"new year['’]?s(?: day)?", (1, 1), (1, 1)),
    (r"новый год|нового года|новому году", (12, 31), (1, 1)),
    (r"halloween", (10, 31), (10, 31)),
    (r"valentine['’]?s(?: day)?", (2, 14), (2, 14)),
)


def named(word: str, names: tuple[list[str], list[str]]) -> int | None:
    """Number (from 0) of a month or weekday by its English name or its beginning, or its Russian stem and ending."""
    english = [n for n, name in enumerate(names[0]) if len(word) >= 3 and name.startswith(word)]
    russian = [n for n, name in enumerate(names[1]) if re.fullmatch(rf"{name}[а-я]{{0,2}}", word)]
    # The stem of May begins that of March.
    return english[0] if english else max(russian, key=lambda n: len(names[1][n]), default=None)


def unit_of(word: str) -> str:
    """`day`, `week`, `weekend`, `month` or `year`, by a word that matches one of `UNITS`."""
    return next(unit for pattern, unit in UNITS if re.fullmatch(pattern, word))


def way_of(word: str | None) -> int | None:
    """-2 for the one before last, -1 for the last, 0 for this, 1 for the next; null for another word or none."""
    return next((n for pattern, n in WHICH if word and re.fullmatch(pattern, word)), None)
