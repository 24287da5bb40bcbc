"""The dates operator: which statements are dated, by event, and what lies between them."""

from __future__ import annotations

from datetime import date

import pytest
from scaffold_cases import at, matched, packet_of, scaffold
from scaffold_cases import built as build

from memtrial.corpus import Corpus
from memtrial.records import Question, Scaffold, Session, Slot, Turn
from memtrial.scaffold import dates
from memtrial.scaffold.evidence import ScaffoldError


def part(built: Scaffold, name: str) -> list[str]:
    lines = [built.text[p.start : p.end].split("\n")[1:] for p in built.parts if p.section == name]
    return lines[0] if lines else []


def test_events_are_matched_apart_and_the_interval_lies_between_them() -> None:
    built = scaffold(
        "How many days passed between my cat's arrival and her first check-up?",
        (at(4, 14), ["My cat arrived yesterday! The arrival was loud.", "Great."]),
        (at(4, 28), ["The cat had her check-up today."]),
        order=[1, 0],
    )
    assert part(built, "intervals") == [
        "- 2024/04/13 (Sat) (Session 2 [event 1 of the question]) to 2024/04/28 (Sun) (Session 1 [event 2 of the "
        "question]): 15 days, 16 counting both the first and the last day; 2 weeks 1 days; 0 calendar months 15 days"
    ]
    first, second = part(built, "dates")
    assert first.startswith("- Session 2 [event 1 of the question], said 2024/04/14 (Sun) 09:00: “yesterday” = ")
    assert "“today” = 2024/04/28 (Sun) (3 days, 4 counting both" in second


def test_russian_events() -> None:
    built = scaffold(
        "Сколько дней прошло между отъездом и возвращением?",
        (at(4, 14), ["Мой отъезд был вчера."]),
        (at(4, 20), ["Возвращение — 16 апреля. На прошлой неделе шёл дождь."]),
    )
    (interval,) = part(built, "intervals")
    assert "с 2024/04/13 (Sat) (Session 1 [событие 1 вопроса]) по 2024/04/16 (Tue)" in interval
    assert "дней: 3, считая первый и последний: 4" in interval


def test_an_event_that_nothing_matches_is_said_to_be_absent() -> None:
    built = scaffold("Which did I start first, the sail boat or the steam engine?", (at(4, 1), ["I started the boat."]))
    assert "- Event 2 of the question: no statement shown holds the words that only it has" in part(built, "dates")


def test_the_date_may_stand_beside_the_statement_or_in_the_answer_to_it() -> None:
    built = scaffold("When did I see the dentist?", (at(4, 18), ["I went to the dentist. That was last Tuesday."]))
    (line,) = part(built, "dates")
    assert "“last Tuesday” = 2024/04/16 (Tue)" in line
    assert line.endswith("beside: “I went to the dentist.”, in: “That was last Tuesday.”")
    unrelated = scaffold("When did I see the dentist?", (at(4, 18), ["The dentist is nice. A. B! C? D! E. On May 3."]))
    assert "said 2024/04/18 (Thu)" in part(unrelated, "dates")[0]


def test_statements_of_the_same_day_are_one_line_and_weak_ones_are_left_out() -> None:
    built = scaffold(
        "When did I paint the old garden fence?",
        (at(4, 14), ["I painted the old garden fence yesterday. Yesterday the fence in the garden was old.", "Ok."]),
        (at(4, 20), ["Today I painted my nails."]),
    )
    (line,) = part(built, "dates")
    assert "2024/04/13 (Sat)" in line and line.endswith("(and 1 more)")


def test_days_that_the_question_names_come_first_and_are_shown() -> None:
    built = scaffold(
        "Which museum did I visit two weeks ago?",
        (at(3, 3), ["I visited the museum of the museum today."]),
        (at(4, 18), ["I visited a museum yesterday."]),
    )
    lines = part(built, "dates")
    assert lines[0] == "- The question itself names: about 2024/04/17 (Wed)"
    assert "2024/04/17 (Wed)" in lines[1] and "2024/03/03 (Sun)" in lines[2]
    assert part(built, "intervals") == []


def test_both_readings_are_shown_and_enter_no_interval() -> None:
    built = scaffold(
        "How long before the exam did I start the course?",
        (at(4, 18), ["My exam is on Friday. The course started today."]),
    )
    lines = part(built, "dates")
    assert any("“on Friday” = 2024/04/12 (Fri), if it is past" in line for line in lines)
    assert any("“on Friday” = 2024/04/19 (Fri), if it is to come" in line for line in lines)
    assert part(built, "intervals") == []


def test_intervals_of_periods_have_a_least_and_a_greatest_length() -> None:
    built = scaffold(
        "How many days passed between the race and the wedding?",
        (at(4, 18), ["The race was last week.", "Ok.", "The wedding was yesterday."]),
    )
    assert part(built, "intervals") == [
        "- 2024/04/08 (Mon) to 2024/04/14 (Sun) (Session 1 [event 1 of the question]) to 2024/04/17 (Wed) "
        "(Session 1 [event 2 of the question]): 3 to 9 days"
    ]


def test_a_question_that_states_nothing_dates_nothing() -> None:
    found, _ = matched("When did I paint?", (at(4, 1), ["Should I paint?"]), (at(4, 2), ["Did I paint yesterday?"]))
    assert [e.first for e in dates.entries(found, 0, ())] == [date(2024, 4, 1)]


@pytest.mark.parametrize(
    "fault",
    [
        {"first": date(2024, 4, 2), "last": date(2024, 4, 1)},
        {"first": date(2024, 4, 3), "last": date(2024, 4, 3)},
    ],
)
def test_a_date_that_the_packet_does_not_give_is_an_error(fault: dict[str, date]) -> None:
    found, _ = matched("When did I paint?", (at(4, 1), ["I painted."]))
    (entry,) = dates.entries(found, 0, ())
    assert entry.first == date(2024, 4, 1)
    with pytest.raises(ScaffoldError):
        dates.check(entry._replace(**fault))


def test_nothing_matches_nothing_is_dated() -> None:
    assert dates.by_event([], [], (), several=False) == []


def test_a_speaker_is_no_event() -> None:
    turns = [Turn("t", 0, "user", "Ann", "I won the race on May 3.", None)]
    corpus = Corpus([Session("c", 0, "s", "t", at(5, 9))], turns)
    packet = packet_of(corpus, [Slot(1, 0, "prefix", "whole", None, 0, 9, 9)], ["x"])
    built = build(Question("q", "c", "When did Ann celebrate after the race?", None, "en", []), packet, corpus)
    assert "Event 1 of the question: no statement" in built.text
    alone = build(Question("q", "c", "When was Ann there after the race?", None, "en", []), packet, corpus)
    assert "of the question" not in alone.text and "“May 3” = 2024/05/03" in alone.text
