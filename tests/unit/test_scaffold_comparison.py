"""Comparison and ordering: events in time order, undecided ones marked, amounts by side."""

from __future__ import annotations

from datetime import date

import pytest
from scaffold_cases import EN, at, matched, scaffold

from memtrial.records import Scaffold
from memtrial.scaffold import comparison, dates
from memtrial.scaffold.evidence import ScaffoldError


def part(built: Scaffold, name: str) -> list[str]:
    lines = [built.text[p.start : p.end].split("\n")[1:] for p in built.parts if p.section == name]
    return lines[0] if lines else []


def test_named_events_stand_in_time_order() -> None:
    built = scaffold(
        "Which happened first, the purchase of the boat or the repair of the roof?",
        (at(4, 14), ["The purchase of my boat was yesterday."]),
        (at(4, 20), ["The roof repair was on March 9."]),
    )
    assert part(built, "order") == [
        "- 2024/03/09 (Sat): Session 2 [event 2 of the question]: “The roof repair was on March 9.”",
        "- 2024/04/13 (Sat): Session 1 [event 1 of the question]: “The purchase of my boat was yesterday.”",
    ]


def test_overlapping_periods_leave_the_order_undecided() -> None:
    built = scaffold(
        "Что было раньше: покупка лодки или ремонт крыши?",
        (at(4, 18), ["Покупка лодки была на прошлой неделе."]),
        (at(4, 15), ["Ремонт крыши был в пятницу."]),
    )
    first, second = part(built, "order")
    assert first.startswith("- с 2024/04/08 (Mon) по 2024/04/14 (Sun): Session 1 [событие 1 вопроса]: ")
    assert second.startswith("- 2024/04/12 (Fri): Session 2 [событие 2 вопроса] (возможно, не позже предыдущей строки")


def test_events_named_as_one_are_listed_by_day() -> None:
    built = scaffold(
        "What is the order of the museums I visited, from earliest to latest?",
        (at(4, 14), ["I visited the Stone Museum today.", "Ok."]),
        (at(2, 3), ["A fine day at the museum of glass."]),
        (at(3, 5), ["Yesterday I visited a museum of maps."]),
    )
    assert [line[2:12] for line in part(built, "order")] == ["2024/02/03", "2024/03/04", "2024/04/14"]
    assert "(said then, names no date itself)" in part(built, "order")[0]


def test_amounts_are_shown_by_side_and_no_side_is_said_to_win() -> None:
    built = scaffold(
        "Did I pay more for the lamp than for the chair?",
        (at(4, 1), ["The lamp cost $40. It rained.", "Ok.", "I got the chair for 65 dollars."]),
    )
    assert part(built, "sides") == [
        "- [event 1 of the question] Session 1: 40 (“$40”); from: “The lamp cost $40.”",
        "- [event 2 of the question] Session 1: 65 (“65 dollars”); from: “I got the chair for 65 dollars.”",
    ]


def test_a_single_event_has_no_order() -> None:
    built = scaffold("Which happened first, the boat or the roof?", (at(4, 14), ["The boat came today."]))
    assert part(built, "order") == []


def test_a_broken_order_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = matched("When did I paint?", (at(4, 1), ["I painted today. I painted on March 3."]))
    entries = dates.entries(found, 0, ())
    assert [e.first for e in comparison.ordered(entries)] == [date(2024, 3, 3), date(2024, 4, 1)]
    monkeypatch.setattr(comparison, "ordered", lambda found: sorted(found, key=lambda e: e.first, reverse=True))
    with pytest.raises(ScaffoldError, match="in time order"):
        comparison.sections(entries, [], False, [], EN)
