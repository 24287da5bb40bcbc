"""A table as a page shows it: heads, rows of values with what is said of them in small, and where it came from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

from memtrial.report.data import SMALL, ReportData, Row, interval, over_conversations, percent, span, unjudged


class Value(NamedTuple):
    """One cell: its text, smaller lines under it, a warning, and for a heat map its shade from 0 to 1."""

    text: str
    small: tuple[str, ...] = ()
    mark: str = ""
    heat: float | None = None
    href: str = ""


class Head(NamedTuple):
    """A column's head; `number`: its cells are figures and stand to the right."""

    text: str
    small: str = ""
    number: bool = True


class Table(NamedTuple):
    """Rows of values, the first of which names the row. `gold`: the set of questions it counts, empty if it has none.

    `source` is the table of the statistics that it shows, `more` how many of its rows are left to the CSV.
    """

    label: str
    heads: list[Head]
    rows: list[list[Value]]
    source: str
    gold: str = ""
    note: str = ""
    more: int = 0


def question_link(question_id: str) -> str:
    """Where the question browser shows a question."""
    return f"questions.html#{quote(question_id, safe='')}"


def cell_value(data: ReportData, row: Row, passes: bool = True) -> Value:
    """Who answered and who judged, as the head of a row."""
    passed = f"pass {row['reader_pass']}" if passes and row.get("reader_pass") else ""
    small = (data.reader_name(row["reader"]), passed, data.judge_name(row.get("judge", "")))
    told = " · ".join(filter(None, small))
    system = row["system"]
    return Value(system or "all", (told,) if told else (), data.system_mark(system) if system else "")


def n_of(row: Row) -> str:
    """A row's number of questions, with a dagger where it is small."""
    return f"n={row['n']:,}{' †' if row['n'] < SMALL else ''}"


def accuracy_value(row: Row, heat: float | None = None) -> Value:
    """A row of the accuracy table: the rate and the interval that leads it, or bounds while rows are unjudged."""
    small = [n_of(row)]
    if row["accuracy"] is None:
        text = f"{span(row['bound_low'], row['bound_high'])}"
        small.append(f"{unjudged(row)} unjudged")
        return Value(text, tuple(small), heat=heat)
    low, high = interval(row)
    told = span(low, high) if low != high else ""  # a bootstrap of verdicts that are all alike says nothing
    small.append(f"c {told}" if over_conversations(row) else told)
    if row["n_disputed"] and row["disputed_low"] is not None:
        small.append(f"d {span(row['disputed_low'], row['disputed_high'])}")
    return Value(percent(row["accuracy"]), tuple(filter(None, small)), heat=heat)


def shades(values: Sequence[float | None]) -> list[float | None]:
    """Each value's place between the lowest and the highest, 0 to 1; nothing for a missing one."""
    known = [v for v in values if v is not None]
    low, width = (min(known), max(known) - min(known)) if known else (0.0, 0.0)
    return [None if v is None else round((v - low) / width, 3) if width else 0.5 for v in values]
