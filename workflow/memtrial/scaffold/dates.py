"""Dates: expressions in matching statements resolved to days, their distance from the question, and from each other.

A statement that names no date counts as said on its session's day, and is labelled so, if it matches at least half as
well as the best one. Distances are shown in days,
counted both ways (without and with the first day), in weeks and days, and in calendar months and days.
Only single days enter intervals; a week or a month has a least and a greatest distance from the question instead.
"""

from __future__ import annotations

from datetime import date
from itertools import combinations
from typing import NamedTuple

from dateutil.relativedelta import relativedelta

from memtrial.corpus import date_text, day_text
from memtrial.records import Question
from memtrial.scaffold.evidence import ScaffoldError
from memtrial.scaffold.expressions import Expression, find
from memtrial.scaffold.layout import Labels, Line, Section, quote, section
from memtrial.scaffold.matching import LIMIT, Match

# All pairs of so many days are compared: 15 intervals.
COMPARED_DAYS = 6


class Entry(NamedTuple):
    """A matching statement with a date that it names, or (null expression) the day on which it was said."""

    match: Match
    expression: Expression | None
    first: date
    last: date


def span_text(first: date, last: date, labels: Labels) -> str:
    """The time from one day to a later or equal one, in days (both ways of counting), weeks and calendar months.

    Raises `ScaffoldError` if the ends are swapped.
    """
    if last < first:
        raise ScaffoldError(f"an interval from {first} to {last} runs backwards")
    days = (last - first).days
    apart = relativedelta(last, first)
    weeks, rest = divmod(days, 7)
    months = 12 * apart.years + apart.months
    return labels["span"].format(days=days, inclusive=days + 1, weeks=weeks, rest=rest, months=months, over=apart.days)


def entries(matches: list[Match]) -> list[Entry]:
    """Dates of the best matching statements, best match first."""
    found = []
    for match in matches[:LIMIT]:
        time = match.shown.time
        expressions = find(match.sentence.text, time.date() if time else None)
        found += [Entry(match, e, e.first, e.last) for e in expressions]
        if not expressions and time and 2 * match.score >= matches[0].score:
            found.append(Entry(match, None, time.date(), time.date()))
    return found


def sections(matches: list[Match], question: Question, labels: Labels) -> list[Section]:
    """The resolved dates, and the intervals between the best of them."""
    found = entries(matches)
    asked = question.asked_at.date() if question.asked_at else None
    lines = [Line(_entry_text(e, asked, labels), e.match.score) for e in found]
    return [*section(labels, "dates", lines), *section(labels, "intervals", _intervals(found, labels))]


def _entry_text(entry: Entry, asked: date | None, labels: Labels) -> str:
    days = day_text(entry.first)
    if entry.first != entry.last:
        days = labels["interval"].format(first=days, last=day_text(entry.last))
    offset = _offset(entry, asked, labels) if asked else ""
    shown, text = entry.match.shown, quote(entry.match.sentence.text)
    if entry.expression is None:
        return labels["undated"].format(name=shown.name, days=days, offset=offset, quote=text)
    return labels["resolved"].format(
        name=shown.name, said=date_text(shown.time), words=entry.expression.text,
        days=labels["about"] * entry.expression.about + days, offset=offset, quote=text,
    )  # fmt: skip


def _offset(entry: Entry, asked: date, labels: Labels) -> str:
    if entry.first != entry.last:
        if entry.first <= asked <= entry.last:
            return ""
        side = "before" if entry.last < asked else "after"
        ends = sorted((abs((asked - entry.first).days), abs((asked - entry.last).days)))
        return labels["offset_range"].format(least=ends[0], most=ends[1], side=labels[side])
    if entry.first == asked:
        return labels["same_day"]
    first, last = sorted((entry.first, asked))
    side = labels["before" if entry.first < asked else "after"]
    return labels["offset"].format(span=span_text(first, last, labels), side=side)


def _intervals(found: list[Entry], labels: Labels) -> list[Line]:
    """All pairs of the best matching distinct days; a pair matches as well as the worse of its two."""
    best: dict[date, Entry] = {}
    for entry in found:
        if entry.first == entry.last and len(best) < COMPARED_DAYS:
            best.setdefault(entry.first, entry)
    lines = []
    for first, last in combinations(sorted(best.values(), key=lambda e: e.first), 2):
        text = labels["between"].format(
            first=day_text(first.first), last=day_text(last.first), first_name=first.match.shown.name,
            last_name=last.match.shown.name, span=span_text(first.first, last.first, labels),
        )  # fmt: skip
        lines.append(Line(text, min(first.match.score, last.match.score)))
    return lines
