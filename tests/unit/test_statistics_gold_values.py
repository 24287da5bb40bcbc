from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.records import Gold
from memtrial.statistics.gold_days import gold_spans
from memtrial.statistics.gold_values import KINDS, GoldValue, content_stems, durations_in, gold_value, numbers_in


def value(*answers: str, abstention: bool = False) -> GoldValue:
    return gold_value(Gold("q", list(answers), "t", {}, abstention))


def span(first: str, last: str | None = None) -> tuple[date, date]:
    return date.fromisoformat(first), date.fromisoformat(last or first)


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("3", 3), ("Three", 3), ("3 times", 3), ("$1,300", 1300), ("$2.50", 2.5), ("12 kilometres", 12),
        ("twenty-five", 25), ("two hundred", 200), ("Twice a week", 2), ("At least once a month", 1),
        ("4 pots: a fern, an ivy, a cactus and a palm.", 4), ("Six plates, which he gave away", 6),
        ("I visited seven castles. They were large.", 7), ("4700 рублей.", 4700), ("12 500 рублей", 12500),
        ("двадцать три", 23), ("сто двадцать", 120), ("У троих: Анны, Олега и Веры.", 3), ("35 минут.", 35),
        ("3 тысячи", 3000), ("семь тысяч двести", 7200),
    ],
)  # fmt: skip
def test_a_number_is_read_in_figures_and_words(answer: str, number: float) -> None:
    assert value(answer) == GoldValue("number", (number,))


@pytest.mark.parametrize("answer", ["Castle Hunter 3", "2D racing", "Room 14", "a 5K run", "28:45", "7 pm", "В 7:05."])
def test_a_name_with_a_number_and_a_clock_time_are_strings(answer: str) -> None:
    assert value(answer).kind == "string"


@pytest.mark.parametrize(
    ("answer", "durations"),
    [
        ("7 days. 8 days (including the last day) is also acceptable.", [(7, "days"), (8, "days")]),
        ("2 weeks", [(2, "weeks")]), ("six months", [(6, "months")]), ("nearly three months", [(3, "months")]),
        ("10 years ago", [(10, "years")]), ("a week", [(1, "weeks")]), ("полгода", [(6, "months")]),
        ("2 дня.", [(2, "days")]), ("10 дней назад.", [(10, "days")]), ("три недели", [(3, "weeks")]),
    ],
)  # fmt: skip
def test_a_duration_may_have_two_ways_of_counting(answer: str, durations: list[tuple[float, str]]) -> None:
    assert value(answer) == GoldValue("duration", tuple(durations))


@pytest.mark.parametrize(
    ("answer", "day"),
    [
        ("7 May 2023", "2023-05-07"), ("May 7, 2023", "2023-05-07"), ("October 13th, 2023", "2023-10-13"),
        ("3June, 2022.", "2022-06-03"), ("Janurary 5, 2024", "2024-01-05"), ("2023-05-07", "2023-05-07"),
        ("Friday, May 10, 2024, at 2:30 pm", "2024-05-10"), ("on 5 June, 2023", "2023-06-05"),
        ("The sunday before 25 May 2023", "2023-05-21"), ("The Friday before 15 July 2022", "2022-07-08"),
        ("Saturday after 27 January, 2023", "2023-01-28"), ("two days before 3 July 2023", "2023-07-01"),
        ("the day after 31 December 2023", "2024-01-01"), ("8 апреля 2024 года.", "2024-04-08"),
        ("1 мая 2024", "2024-05-01"),
    ],
)  # fmt: skip
def test_a_day(answer: str, day: str) -> None:
    assert value(answer) == GoldValue("day", (span(day),))


@pytest.mark.parametrize(
    ("answer", "spans"),
    [
        ("June 2023", [("2023-06-01", "2023-06-30")]), ("February, 2024", [("2024-02-01", "2024-02-29")]),
        ("In 2013", [("2013-01-01", "2013-12-31")]), ("Since 2016", [("2016-01-01", "2016-12-31")]),
        ("The week before 9 June 2023", [("2023-06-02", "2023-06-08"), ("2023-05-29", "2023-06-04")]),
        ("The week of 23 August 2023", [("2023-08-21", "2023-08-27")]),
        ("The weekend before 17 July 2023", [("2023-07-15", "2023-07-16")]),
        ("two weekends before 17 July 2023", [("2023-07-08", "2023-07-09")]),
        ("The weekend of 24 June 2022", [("2022-06-25", "2022-06-26")]),
        ("first weekend of August 2023", [("2023-08-05", "2023-08-06")]),
        ("first week of June 2023", [("2023-06-01", "2023-06-07"), ("2023-06-05", "2023-06-11")]),
        ("last week of May 2023", [("2023-05-25", "2023-05-31"), ("2023-05-29", "2023-06-04")]),
        ("early August, 2023", [("2023-08-01", "2023-08-10")]), ("end of October 2023", [("2023-10-21", "2023-10-31")]),
        ("late February 2023", [("2023-02-21", "2023-02-28")]), ("summer 2022", [("2022-06-01", "2022-08-31")]),
        ("winter 2023", [("2023-12-01", "2024-02-29"), ("2022-12-01", "2023-02-28")]),
        ("a few days before May 24, 2023", [("2023-05-17", "2023-05-23")]),
        ("around April 2, 2023", [("2023-03-30", "2023-04-05")]),
        ("the month before 5 January 2023", [("2022-12-01", "2022-12-31")]),
        ("November 5-6, 2022", [("2022-11-05", "2022-11-06")]),
        ("between 26 March and 20 April 2023", [("2023-03-26", "2023-04-20")]),
        ("На неделе с 13 по 19 мая 2024 года.", [("2024-05-13", "2024-05-19")]),
        ("в марте 2024 года", [("2024-03-01", "2024-03-31")]), ("летом 2022", [("2022-06-01", "2022-08-31")]),
    ],
)  # fmt: skip
def test_an_interval_of_days(answer: str, spans: list[tuple[str, str]]) -> None:
    assert value(answer) == GoldValue("interval", tuple(span(*s) for s in spans))


@pytest.mark.parametrize(
    "answer",
    [
        "Yes", "No", "Да.", "No, he is afraid of heights", "13 August", "The week of April 3rd to 9th",
        "A few years ago", "a few years before 2023", "",
        "You did not mention this information. You mentioned staying in Oslo, but not in Bergen.",
        "The swim came first (March 30, 2024); the first run was on April 9, 2024.",
    ],
)  # fmt: skip
def test_what_is_none_of_these_is_not_measured(answer: str) -> None:
    assert value(answer) == GoldValue("none", ())


def test_an_abstention_and_an_absent_gold_are_not_measured() -> None:
    assert value("3", abstention=True).kind == value().kind == "none"


def test_a_string_is_its_content_stems() -> None:
    assert value("The Old Mill Houses") == GoldValue("string", (frozenset({"old", "mill", "hous"}),))
    assert content_stems("Зелёная чашка с чаем") == content_stems("зеленую чашку чая")


def test_alternative_references_of_one_kind_are_accepted_together() -> None:
    assert value("3", "four", "a green door") == GoldValue("number", (3, 4))


def test_an_impossible_day_is_no_day() -> None:
    assert gold_spans("31 June 2023") == ()


@given(st.dates(date(1950, 1, 1), date(2090, 1, 1)), st.integers(1, 9))
def test_relative_days_count_back_and_forth(day: date, n: int) -> None:
    shown = f"{day.day} {day:%B} {day.year}"
    assert value(shown).accepted == ((day, day),)
    for word, sign in (("before", -1), ("after", 1)):
        there = day + timedelta(sign * n)
        assert value(f"{n} days {word} {shown}").accepted == ((there, there),)
        near = value(f"the {there:%A} {word} {shown}").accepted[0][0]
        assert near.weekday() == there.weekday() and 0 < sign * (near - day).days <= 7
        (first, last), *_ = value(f"the week {word} {shown}").accepted
        assert (
            (last - first).days == 6 and day not in (first, last) and min(abs(first - day), abs(last - day)).days == 1
        )


@given(st.integers(0, 10**9))
def test_figures_are_read_back(n: int) -> None:
    assert numbers_in(f"{n} or ${n:,}") == [n, n]


def test_numbers_and_durations_in_running_text() -> None:
    assert numbers_in("On the 3rd day I ran 10.5 km, then two hundred and one person came") == [10.5, 200, 1]
    assert numbers_in("one two thirty five") == [1, 2, 35]
    assert durations_in("It took 21 days, or three weeks; later a month and полгода") == [
        (21, "days"), (3, "weeks"), (1, "months"), (6, "months"),
    ]  # fmt: skip


def test_every_value_is_of_a_known_kind() -> None:
    answers: list[Any] = ["7", "7 days", "7 May 2023", "May 2023", "red"]
    assert [value(a).kind for a in answers] == list(KINDS)
