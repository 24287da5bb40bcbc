"""Chronology: clock order, ties and unknown times."""

from __future__ import annotations

from scaffold_cases import EN, at, shown

from memtrial.scaffold import chronology


def test_chronology_goes_by_clock_then_slot_and_unknown_times_come_last() -> None:
    sessions = shown((at(3, 2, 20, 56), ["a"]), (at(3, 2, 0, 55), ["b"]), (at(3, 2, 20, 56), ["c"]), (None, ["d"]))
    (section,) = chronology.sections(sessions[::-1], EN)
    assert section.title == "Sessions in clock order, earliest first: 4"
    assert [line.text for line in section.lines] == [
        "2024/03/02 (Sat) 00:55: Session 2",
        "2024/03/02 (Sat) 20:56: Session 1",
        "2024/03/02 (Sat) 20:56: Session 3",
        "unknown: Session 4",
    ]


def test_no_sessions_no_section() -> None:
    assert chronology.sections([], EN) == []
