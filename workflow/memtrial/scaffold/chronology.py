"""Chronology: the packet's sessions in true clock order, day and time of day, with weekday and neutral name.

Sessions of the same minute keep their slot order; those without a time come last.
"""

from __future__ import annotations

from memtrial.corpus import date_text
from memtrial.scaffold.evidence import Shown
from memtrial.scaffold.layout import Labels, Line, Section, section

VERSION = "1"


def sections(shown: list[Shown], labels: Labels) -> list[Section]:
    """One line a slot."""
    ordered = sorted(shown, key=lambda s: (s.time is None, s.clock()))
    return section(labels, "chronology", [Line(f"{date_text(s.time)}: {s.name}") for s in ordered])
