"""Date expressions and intervals, in English and Russian: worked examples and laws."""

from __future__ import annotations

from datetime import date, timedelta
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.scaffold.calendar_words import number
from memtrial.scaffold.dates import span_text
from memtrial.scaffold.evidence import ScaffoldError
from memtrial.scaffold.expressions import find
from memtrial.scaffold.headings import HEADINGS

SAID = date(2023, 5, 25)  # a Thursday


def days(text: str, said: date | None = SAID) -> list[tuple[str, str]]:
    """Resolved expressions, as (words, day) or (words, first..last)."""
    return [
        (e.text, f"{e.first:%m-%d}" if e.first == e.last and e.first.year == SAID.year
         else f"{e.first}" if e.first == e.last else f"{e.first}..{e.last}")
        for e in find(text, said)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved on March 3rd.", [("March 3rd", "03-03")]),
        ("It was 3 March, or the 4th of April?", [("3 March", "03-03"), ("4th of April", "04-04")]),
        ("Booked for Dec 12", [("Dec 12", "2022-12-12")]),  # December 2023 is more than six months away
        ("Booked for Nov 12", [("Nov 12", "11-12")]),
        ("on May 20, 2021", [("May 20, 2021", "2021-05-20")]),
        ("2024-03-05 and 2023/02/30", [("2024-03-05", "2024-03-05")]),
        ("3/14/2023, 14/3/2023 but not 3/4/2023, 24/7", [("3/14/2023", "03-14"), ("14/3/2023", "03-14")]),
        ("today, yesterday, the day before yesterday, last night",
         [("today", "05-25"), ("yesterday", "05-24"), ("day before yesterday", "05-23"), ("last night", "05-24")]),
        ("3 days ago and twenty-five days ago", [("3 days ago", "05-22"), ("twenty-five days ago", "04-30")]),
        ("two weeks ago", [("two weeks ago", "05-11")]),
        ("a couple of months ago", [("a couple of months ago", "2023-03-01..2023-03-31")]),
        ("five years ago", [("five years ago", "2018-01-01..2018-12-31")]),
        ("last Tuesday, last Thursday, last Fri",
         [("last Tuesday", "05-23"), ("last Thursday", "05-18"), ("last Fri", "05-19")]),
        ("next Thursday, this Sunday", [("next Thursday", "06-01"), ("this Sunday", "05-28")]),
        ("last week", [("last week", "2023-05-15..2023-05-21")]),
        ("two weekends ago", [("two weekends ago", "2023-05-13..2023-05-14")]),
        ("last month, this year", [("last month", "2023-04-01..2023-04-30"), ("this year", "2023-01-01..2023-12-31")]),
        ("in February, last May", [("in February", "2023-02-01..2023-02-28"), ("last May", "2022-05-01..2022-05-31")]),
        ("March 2022, in 2016", [("March 2022", "2022-03-01..2022-03-31"), ("in 2016", "2016-01-01..2016-12-31")]),
        ("the week before last", [("the week before last", "2023-05-08..2023-05-14")]),
        ("the Friday before last", [("Friday before last", "05-12")]),
        ("this past Friday, this coming Friday", [("this past Friday", "05-19"), ("this coming Friday", "05-26")]),
        ("a few days ago", [("a few days ago", "2023-05-19..2023-05-23")]),
        ("several months ago", [("several months ago", "2022-11-01..2023-03-31")]),
        ("a year ago", [("a year ago", "2022-05-01..2022-05-31")]),
        ("a year and a half ago", [("a year and a half ago", "2021-11-01..2021-11-30")]),
        ("2 years and 3 months ago", [("2 years and 3 months ago", "2021-02-01..2021-02-28")]),
        ("We fly in two weeks", [("in two weeks", "06-08")]),
        ("I wrote it in two weeks", []),  # told as past it is a duration
        ("3 days from now", [("3 days from now", "05-28")]),
        ("I came on May 3 and left two days later", [("May 3", "05-03"), ("two days later", "05-05")]),
        ("I came on May 3; the next day I left", [("May 3", "05-03"), ("the next day", "05-04")]),
        ("two days later, the next day", []),
        ("last summer, summer of 2021",
         [("last summer", "2022-06-01..2022-08-31"), ("summer of 2021", "2021-06-01..2021-08-31")]),
        ("I skied in the winter", [("in the winter", "2022-12-01..2023-02-28")]),
        ("early May, mid-June", [("early May", "2023-05-01..2023-05-10"), ("mid-June", "2023-06-11..2023-06-20")]),
        ("the end of June", [("the end of June", "2023-06-21..2023-06-30")]),
        ("late 2021", [("late 2021", "2021-09-01..2021-12-31")]),
        ("earlier this week", [("earlier this week", "2023-05-22..2023-05-25")]),
        ("over the past week", [("over the past week", "2023-05-18..2023-05-25")]),
        ("first week of May", [("first week of May", "2023-05-01..2023-05-07")]),
        ("last Friday in June 2022", [("last Friday in June 2022", "2022-06-24")]),
        ("the first weekend of August", [("first weekend of August", "2023-08-05..2023-08-06")]),
        ("since March 3, by May 2nd", [("March 3", "03-03"), ("May 2nd", "05-02")]),
        ("May 3-7", [("May 3-7", "2023-05-03..2023-05-07")]),
        ("May of last year", [("May of last year", "2022-05-01..2022-05-31")]),
        ("August last year", [("August last year", "2022-08-01..2022-08-31")]),
        ("the twenty-first of May", [("twenty-first of May", "05-21")]),
        ("last Christmas, on New Year's Eve",
         [("last Christmas", "2022-12-25"), ("on New Year's Eve", "2022-12-31")]),
        ("for Halloween 2021", [("for Halloween 2021", "2021-10-31")]),
        ("on 3/22 but not on 3/4 or 24/7", [("3/22", "03-22")]),
        ("on Friday, May 5", [("May 5", "05-05")]),
        ("the other day, every Friday, on Friday evenings, on a Sunday afternoon, two days before May 9", []),
        ("one or two days ago, 2-3 days ago, 1.5 days ago, days ago", []),
        ("I may go on a march, he sat down, this may be wrong, at 5 pm, on the 5th floor", []),
    ],
)  # fmt: skip
def test_english(text: str, expected: list[tuple[str, str]]) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Переехал 8 мая.", [("8 мая", "05-08")]),
        ("8-го мая 2022 года", [("8-го мая 2022 года", "2022-05-08")]),
        ("08.05.2021", [("08.05.2021", "2021-05-08")]),
        ("сегодня, вчера, позавчера", [("сегодня", "05-25"), ("вчера", "05-24"), ("позавчера", "05-23")]),
        ("два дня назад", [("два дня назад", "05-23")]),
        ("двадцать пять дней назад", [("двадцать пять дней назад", "04-30")]),
        ("неделю назад", [("неделю назад", "05-18")]),
        ("три месяца назад", [("три месяца назад", "2023-02-01..2023-02-28")]),
        ("пять лет тому назад", [("пять лет тому назад", "2018-01-01..2018-12-31")]),
        ("в прошлый вторник", [("прошлый вторник", "05-23")]),
        ("в эту субботу", [("эту субботу", "05-27")]),
        ("на прошлой неделе", [("прошлой неделе", "2023-05-15..2023-05-21")]),
        ("на прошлых выходных", [("прошлых выходных", "2023-05-20..2023-05-21")]),
        ("в прошлом году", [("прошлом году", "2022-01-01..2022-12-31")]),
        ("в январе, в 2016 году", [("в январе", "2023-01-01..2023-01-31"), ("в 2016 году", "2016-01-01..2016-12-31")]),
        ("на позапрошлой неделе", [("позапрошлой неделе", "2023-05-08..2023-05-14")]),
        ("несколько дней назад", [("несколько дней назад", "2023-05-19..2023-05-23")]),
        ("полгода назад", [("полгода назад", "2022-11-01..2022-11-30")]),
        ("полтора года назад", [("полтора года назад", "2021-11-01..2021-11-30")]),
        ("недели две назад", [("недели две назад", "05-11")]),
        ("Едем через две недели", [("через две недели", "06-08")]),
        ("Через неделю мы вернулись", []),
        ("3 мая купил, через два дня вернул", [("3 мая", "05-03"), ("через два дня", "05-05")]),
        ("прошлым летом", [("прошлым летом", "2022-06-01..2022-08-31")]),
        ("летом 2021 года", [("летом 2021 года", "2021-06-01..2021-08-31")]),
        ("в начале мая", [("в начале мая", "2023-05-01..2023-05-10")]),
        ("в конце прошлого года", [("конце прошлого года", "2022-09-01..2022-12-31")]),
        ("в мае прошлого года", [("в мае прошлого года", "2022-05-01..2022-05-31")]),
        ("с 3 по 7 мая", [("3 по 7 мая", "2023-05-03..2023-05-07")]),
        ("двадцать первого мая", [("двадцать первого мая", "05-21")]),
        ("на Новый год", [("на Новый год", "2022-12-31..2023-01-01")]),
        ("в первую субботу мая", [("первую субботу мая", "05-06")]),
        ("за последнюю неделю", [("за последнюю неделю", "2023-05-18..2023-05-25")]),
        ("на днях, каждую пятницу, два-три дня назад, одну или две недели назад, шаг назад", []),
    ],
)
def test_russian(text: str, expected: list[tuple[str, str]]) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I won it on Friday!", [("05-19", "")]),
        ("We are going on Friday.", [("05-26", "")]),
        ("My exam is on Friday.", [("05-19", "past"), ("05-26", "coming")]),
        ("I saw him Monday, by chance.", [("05-22", "")]),
        ("Since Wednesday I have a dog.", [("05-24", "")]),
        ("I will be there on the 15th.", [("06-15", "")]),
        ("We met on the 15th.", [("05-15", "")]),
        ("В субботу мы ходили в кино.", [("05-20", "")]),
        ("В субботу пойдём в кино.", [("05-27", "")]),
        ("Встреча в субботу.", [("05-20", "past"), ("05-27", "coming")]),
        ("I signed up for September 20.", [("2022-09-20", "past"), ("09-20", "coming")]),
        ("I signed up for June 20.", [("06-20", "")]),
        ("I've had it for 3 years now.", [("2020-01-01..2020-12-31", "since")]),
        ("I ran for 3 years.", []),
        ("Играю уже полгода.", [("2022-11-01..2022-11-30", "since")]),
    ],
)
def test_what_the_words_do_not_decide_has_both_readings(text: str, expected: list[tuple[str, str]]) -> None:
    shown = [day for _, day in days(text)]
    assert list(zip(shown, (e.reading for e in find(text, SAID)), strict=True)) == expected


def test_without_a_day_of_saying_only_complete_dates_resolve() -> None:
    assert days("yesterday, on May 3, last week, вчера, on May 4, 2023", None) == [("May 4, 2023", "05-04")]


def test_about_is_what_rounds_or_says_so() -> None:
    rounded = "two weeks ago, две недели назад, a couple of days ago, a year ago, about 3 days ago, почти 5 лет назад"
    assert [e.about for e in find(rounded, SAID)] == [True] * 6
    assert [e.about for e in find("2 days ago, 3 months ago, last week", SAID)] == [False] * 3


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.integers(0, 6))
def test_last_and_next_weekday_are_within_a_week_and_never_the_day_itself(said: date, target: int) -> None:
    name = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")[target]
    (last,), (following,) = find(f"last {name}", said), find(f"next {name}", said)
    assert last.first.weekday() == following.first.weekday() == target
    assert timedelta(1) <= said - last.first <= timedelta(7) and timedelta(1) <= following.first - said <= timedelta(7)


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.integers(0, 400))
def test_days_ago_subtract_and_explicit_days_come_back(said: date, count: int) -> None:
    (ago,) = find(f"{count} days ago", said)
    assert said - ago.first == timedelta(count)
    (explicit,) = find(f"on {ago.first:%B} {ago.first.day}, {ago.first.year}", None)
    assert explicit.first == explicit.last == ago.first


@pytest.mark.parametrize(
    ("first", "last", "days", "weeks", "months"),
    [
        (date(2024, 4, 13), date(2024, 4, 28), "15 days, 16", "2 weeks 1 days", "0 calendar months 15 days"),
        # A month after 31 January is the last day of February: the convention of dateutil.
        (date(2024, 1, 31), date(2024, 2, 29), "29 days, 30", "4 weeks 1 days", "1 calendar months 0 days"),
        (date(2023, 3, 1), date(2024, 4, 1), "397 days, 398", "56 weeks 5 days", "13 calendar months 0 days"),
    ],
)
def test_spans(first: date, last: date, days: str, weeks: str, months: str) -> None:
    expected = f"{days} counting both the first and the last day; {weeks}; {months}"
    assert span_text(first, last, HEADINGS["en"]) == expected


def test_a_swapped_interval_is_an_error() -> None:
    with pytest.raises(ScaffoldError, match="backwards"):
        span_text(date(2024, 1, 2), date(2024, 1, 1), HEADINGS["en"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,325", 1325), ("4 700", 4700), ("2,5", 2.5), ("3.5", 3.5), ("1,325.50", 1325.5), ("1.000,5", None),
        ("0,125", 0.125),
        ("twenty-five", 25), ("two hundred", 200), ("dozen", 12), ("two three", None),
        ("сто двадцать пять", 125), ("две тысячи", 2000), ("трёх", 3), ("пять семь", None),
    ],
)  # fmt: skip
def test_numbers(text: str, value: float | None) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    "text", ["5 days ago", "last year", "last week", "next Friday", "on April 5", "9 years ago", "tomorrow"]
)
@pytest.mark.parametrize("said", [date.min, date.max])
def test_days_beyond_the_calendar_do_not_resolve(text: str, said: date) -> None:
    assert all(date.min <= e.first <= e.last <= date.max for e in find(text, said))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("ſix days ago", "six days ago"),
        ("fİve days ago", "five days ago"),
        ("last Frıday", "last Friday"),
        ("2 wee\u212as ago", "2 weeks ago"),
    ],
)
def test_letters_that_match_whatever_their_case_are_read(text: str, same: str) -> None:
    assert [e[3:] for e in find(text, SAID)] == [e[3:] for e in find(same, SAID)] != []


def test_both_languages_say_the_same_things() -> None:
    fields = {
        language: {key: {name for _, name, _, _ in Formatter().parse(text) if name} for key, text in labels.items()}
        for language, labels in HEADINGS.items()
    }
    assert fields["en"] == fields["ru"]
