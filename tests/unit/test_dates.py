"""Timestamps: every written form that the benchmarks use, and nothing that has to be guessed."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.corpus import date_text
from memtrial.dates import parse_timestamp, weekday_agrees

MINUTES = st.datetimes().map(lambda t: t.replace(second=0, microsecond=0))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023/05/20 (Sat) 02:21", datetime(2023, 5, 20, 2, 21)),
        ("2023/05/20 (Mon) 02:21", datetime(2023, 5, 20, 2, 21)),  # a wrong weekday is readable
        ("2023/05/20 (Sat) 02:21:33", datetime(2023, 5, 20, 2, 21, 33)),
        ("2023/05/20", datetime(2023, 5, 20)),
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56)),
        ("12:05 am on 1 January, 2024", datetime(2024, 1, 1, 0, 5)),
        ("12:30 pm on 29 February, 2024", datetime(2024, 2, 29, 12, 30)),
        ("2022-05-20T20:09:18", datetime(2022, 5, 20, 20, 9, 18)),
        ("2022-05-20T20:09:18Z", datetime(2022, 5, 20, 20, 9, 18)),
        ("2022-05-20T20:09:18.987+03:00", datetime(2022, 5, 20, 20, 9, 18)),
        ("2022-05-20 20:09", datetime(2022, 5, 20, 20, 9)),
        ("2022-05-20", datetime(2022, 5, 20)),
        ("8 мая 2023", datetime(2023, 5, 8)),
        ("8 мая 2023, 14:05", datetime(2023, 5, 8, 14, 5)),
        ("31 Декабря 2023 23:59", datetime(2023, 12, 31, 23, 59)),
    ],
)
def test_known_forms(text: str, expected: datetime) -> None:
    assert parse_timestamp(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "soon",
        "May 2023",
        "20.05.2023",
        "05/20/2023",
        "2023/02/30 (Thu) 10:00",
        "2023/05/20 (Sat) 24:00",
        "2023/05/20 (Sat) 02:21:60",
        "0000-01-01",
        "13:05 pm on 8 May, 2023",
        "0:05 am on 8 May, 2023",
        "2023/05/20 (Foo) 02:21",
        "8 май 2023",
        "1684549260",
        "2023-05-20T20:09:18 tomorrow",
        "20230520",
        "٨ мая 2023",
    ],
)
def test_anything_else_is_an_error_that_says_what_was_expected(text: str) -> None:
    with pytest.raises(ValueError, match="expected a date like 2023/05/20"):
        parse_timestamp(text)


@given(MINUTES)
def test_rendered_times_read_back(time: datetime) -> None:
    assert parse_timestamp(date_text(time)) == time
    assert weekday_agrees(date_text(time))


@given(st.datetimes(timezones=st.none() | st.timezones()))
def test_iso_keeps_the_local_clock(time: datetime) -> None:
    try:
        text = time.isoformat()
        parsed = parse_timestamp(text)
    except ValueError:
        assert time.utcoffset() is not None and time.utcoffset().total_seconds() % 60  # type: ignore[union-attr]
        return
    assert parsed == time.replace(tzinfo=None, microsecond=0)


def test_weekday_agrees() -> None:
    assert weekday_agrees("2023/05/20 (Sat) 02:21")
    assert not weekday_agrees("2023/05/20 (Sun) 02:21")
    assert weekday_agrees("8 мая 2023")
