"""Date expressions against the library dateparser 1.5.0, on those that both know; its known faults are named.

The library gives one day for everything; here a week, month or year is an interval, so its day must lie within.
"""

from __future__ import annotations

import warnings
from datetime import date, datetime, time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtrial.scaffold.expressions import find

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import dateparser

SAID = st.dates(date(1990, 1, 1), date(2060, 1, 1))
ENGLISH = (
    "today", "yesterday", "tomorrow", "day before yesterday", "day after tomorrow", "tonight", "a week ago",
    "two weeks ago", "in 2 weeks", "in three days", "in a month", "2 weeks from now", "last week", "this week",
    "next week", "last month", "this month", "next month", "last year", "this year", "next year", "last Tuesday",
    "next Sunday", "on Friday", "on the 15th", "March 3, 2022", "3 March 2022", "2024-03-05", "14.03.2023",
)  # fmt: skip
RUSSIAN = (
    "сегодня", "вчера", "позавчера", "завтра", "послезавтра", "неделю назад", "две недели назад", "через неделю",
    "через 2 недели", "через месяц", "через год", "полгода назад", "пару дней назад", "на прошлой неделе",
    "на следующей неделе", "в прошлом месяце", "в следующем месяце", "в прошлом году", "в пятницу", "в воскресенье",
    "8 мая 2022 года", "08.05.2021",
)  # fmt: skip
UNITS = {"en": ("days", "weeks", "months", "years"), "ru": ("дней", "недель", "месяцев", "лет")}


def theirs(text: str, said: date, language: str) -> date | None:
    base = {"RELATIVE_BASE": datetime.combine(said, time(12)), "PREFER_DATES_FROM": "past"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = dateparser.parse(text, languages=[language], settings=base)
    return found.date() if found else None


def agree(text: str, said: date, language: str) -> None:
    day, ours = theirs(text, said, language), find(text, said)
    assert day is not None and ours
    assert any(e.first <= day <= e.last for e in ours), (text, said, day, ours)


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(st.tuples(st.just("en"), st.sampled_from(ENGLISH)), st.tuples(st.just("ru"), st.sampled_from(RUSSIAN))),
    SAID,
)
def test_the_library_names_a_day_within(expression: tuple[str, str], said: date) -> None:
    agree(expression[1], said, expression[0])


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(("en", "ru")), st.integers(2, 40), st.integers(0, 3), SAID)
def test_units_ago_agree(language: str, count: int, unit: int, said: date) -> None:
    agree(f"{count} {UNITS[language][unit]} {'ago' if language == 'en' else 'назад'}", said, language)


@settings(max_examples=200, deadline=None)
@given(SAID, SAID)
def test_a_day_without_a_year_is_theirs_unless_it_lies_ahead(named: date, said: date) -> None:
    text = f"{named:%B} {named.day}"
    ours, day = find(text, said), theirs(text, said, "en")
    assert day is not None and len(ours) == 1
    if day != ours[0].first:  # the library looks back only; here half a year ahead is nearer than most of a year ago
        assert said < ours[0].first and day < said and (ours[0].first - said).days <= 184


@pytest.mark.parametrize(
    ("text", "language", "fault", "first", "last"),
    [
        # A month, season or part of a month is no day.
        ("March 2022", "en", date(2022, 3, 25), date(2022, 3, 1), date(2022, 3, 31)),
        ("last summer", "en", None, date(2022, 6, 1), date(2022, 8, 31)),
        ("early May", "en", None, date(2023, 5, 1), date(2023, 5, 10)),
        ("last weekend", "en", None, date(2023, 5, 20), date(2023, 5, 21)),
        ("two weekends ago", "en", None, date(2023, 5, 13), date(2023, 5, 14)),
        ("the week before last", "en", None, date(2023, 5, 8), date(2023, 5, 14)),
        ("a few days ago", "en", None, date(2023, 5, 19), date(2023, 5, 23)),
        ("half a year ago", "en", None, date(2022, 11, 1), date(2022, 11, 30)),
        ("on Christmas", "en", None, date(2022, 12, 25), date(2022, 12, 25)),
        ("в прошлый вторник", "ru", None, date(2023, 5, 23), date(2023, 5, 23)),
        ("в мае 2022", "ru", None, date(2022, 5, 1), date(2022, 5, 31)),
        ("на позапрошлой неделе", "ru", None, date(2023, 5, 8), date(2023, 5, 14)),
        ("прошлым летом", "ru", None, date(2022, 6, 1), date(2022, 8, 31)),
    ],
)
def test_known_faults_of_the_library_are_put_right(
    text: str, language: str, fault: date | None, first: date, last: date
) -> None:
    said = date(2023, 5, 25)
    assert theirs(text, said, language) == fault
    assert [(e.first, e.last) for e in find(text, said)] == [(first, last)]
