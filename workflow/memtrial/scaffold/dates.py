"""Dates: what matching statements name resolved to days, their distance from the question, and from each other.

Each event that the question names is matched apart (`events`). A statement without a date takes that of a neighbouring
sentence of the same turn, or else, if it matches well, the day on which it was said; both are labelled so. Statements
that match much worse than the best one are left out; of those that name the same days the best is shown. Where the
question itself names days, dates within them come first.

Distances are shown in days, counted both ways (without and with the first day), in weeks and days, and in calendar
months and days. A week or a month has a least and a greatest distance instead.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import combinations
from typing import NamedTuple

from dateutil.relativedelta import relativedelta

from memtrial.corpus import date_text, day_text
from memtrial.records import Question
from memtrial.scaffold.events import Event
from memtrial.scaffold.evidence import ScaffoldError, Sentence, Shown
from memtrial.scaffold.expressions import Expression, find
from memtrial.scaffold.layout import Labels, Line, Section, quote, section
from memtrial.scaffold.matching import LIMIT, Match

VERSION = "2"

_ASKS_SPAN = re.compile(
    r"\b(?:how (?:long|many (?:\w+ )?(?:days|weeks|months|years))|passed|elapsed|between|apart|after how)\b"
    r"|\b(?:как (?:долго|давно)|сколько (?:\w+ )?(?:времени|дней|недель|месяцев|лет)|прошло|между|через сколько)\b",
    re.IGNORECASE,
)
# A statement is looked into if it matches at least so well, compared with the best one of its event.
NAMES_DATE = 0.4
DATE_BESIDE = 0.5
NO_DATE = 0.7
# What its match counts for the order of the days, where the date stands beside it, and where there is none.
WEIGHT_BESIDE = 0.8
WEIGHT_UNDATED = 0.6
# Statements looked into where the events asked for are named as one.
LIMIT_SEVERAL = 3 * LIMIT
# Best dates compared with each other where the question names one event only, and of each event where it names more.
COMPARED_DAYS = 4
COMPARED_EVENT_DAYS = 2
COMPARED_SPAN = timedelta(days=31)
# How far about a week, month or year ago may be off.
ABOUT_DAYS = timedelta(days=3)
# How far in sentences a date may stand from a statement of the same turn that names none.
BESIDE_SENTENCES = 2
# Sentences of the answering turn that are looked into where a question matches.
ANSWERED = 2


# An event with the statements that match it.
Sided = tuple[Event, Sequence[Match]]


class Entry(NamedTuple):
    """A matching statement with a date: what it names, what a sentence beside it names, or (null) its session's day.

    `event` is the number of the question's event that it matches, 0 if the question names one only; `statements`
    counts those that name the same days.
    """

    event: int
    match: Match
    source: Sentence
    expression: Expression | None
    first: date
    last: date
    statements: int

    def narrow(self) -> bool:
        """It lies within a month, and no other reading is possible."""
        return self.last - self.first < COMPARED_SPAN and not (self.expression and self.expression.reading)


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


def entries(matches: Sequence[Match], event: int, named: Sequence[Expression], several: bool = False) -> list[Entry]:
    """Dates of the best matching statements of an event, best match first, after those within the days `named`."""
    found: dict[tuple[date, date], Entry] = {}
    beside, undated = (NAMES_DATE, NAMES_DATE) if several else (DATE_BESIDE, NO_DATE)
    strengths = [(m, m.score / matches[0].score) for m in matches[: LIMIT_SEVERAL if several else LIMIT]]
    dated = [e for m, s in strengths if s >= NAMES_DATE for e in _of_statement(m, event, s >= beside, s >= undated)]
    for entry in sorted(dated, key=lambda e: -_strength(e)):
        check(entry)
        known = found.get((entry.first, entry.last), entry._replace(statements=0))
        found[entry.first, entry.last] = known._replace(statements=known.statements + 1)
    return sorted(found.values(), key=lambda e: not any(_within(e, n) for n in named))


def _within(entry: Entry, named: Expression) -> bool:
    slack = ABOUT_DAYS * named.about
    return named.first - slack <= entry.last and entry.first <= named.last + slack


def _strength(entry: Entry) -> float:
    """How well an entry matches, less where its date is not the statement's own."""
    if entry.expression is None:
        return entry.match.score * WEIGHT_UNDATED
    return entry.match.score * (1 if entry.source is entry.match.sentence else WEIGHT_BESIDE)


def check(entry: Entry) -> None:
    """A date must come from words of the statement's turn or of the answer to it, or be the day of its session."""
    time, source, expression = entry.match.shown.time, entry.source, entry.expression
    if entry.last < entry.first:
        raise ScaffoldError(f"an interval from {entry.first} to {entry.last} runs backwards")
    answers = entry.match.sentence.asks() and source.turn_index == entry.match.sentence.turn_index + 1
    if (
        not (answers or source.turn_index == entry.match.sentence.turn_index)
        or source not in entry.match.shown.indexed.sentences
    ):
        raise ScaffoldError(f"{entry.match.shown.name} does not say {source.text!r} beside the statement it dates")
    said = expression is None or source.text[expression.start : expression.end] == expression.text
    if not said or (expression is None and (time is None or entry.first != time.date())):
        raise ScaffoldError(f"{entry.first} is no day that {entry.match.shown.name} names or has")


def _of_statement(match: Match, event: int, beside: bool, undated: bool) -> list[Entry]:
    """The dates of a statement; `beside`, `undated`: those around it, and its session's day, will do."""
    day = match.shown.time.date() if match.shown.time else None
    for source in [match.sentence, *(_beside(match) if beside else ())]:
        if expressions := find(source.text, day):
            return [Entry(event, match, source, e, e.first, e.last, 1) for e in expressions]
    stated = day and undated and not match.sentence.asks()
    return [Entry(event, match, match.sentence, None, day, day, 1)] if stated and day else []


def _beside(match: Match) -> list[Sentence]:
    """The sentences around a statement in its turn, nearest first; for a question also those that answer it."""
    sentence, sentences = match.sentence, match.shown.indexed.sentences
    places = [sentence.order + d for n in range(1, BESIDE_SENTENCES + 1) for d in (-n, n)]
    own = [sentences[p] for p in places if 0 <= p < len(sentences) and sentences[p].turn_index == sentence.turn_index]
    if not sentence.asks():
        return own
    after = sentences[sentence.order + 1 :]
    return own + [s for s in after[: 2 * BESIDE_SENTENCES + 2] if s.turn_index == sentence.turn_index + 1][:ANSWERED]


def question_dates(question: Question, shown: Sequence[Shown]) -> tuple[Expression, ...]:
    """Days that the question names, counted from its own time, or the last session's if it has none."""
    times = [s.time for s in shown if s.time]
    said = question.asked_at or max(times, default=None)
    return find(question.question, said.date()) if said else ()


def by_event(
    matches: Sequence[Match], events: Sequence[Sided], named: Sequence[Expression], several: bool
) -> list[Entry]:
    """The entries of each event, or of the question as a whole; `several`: it may name events as one ("my trips").

    Of several events each may match less than the best one, so the least match that names a date also does without.
    """
    if not events:
        return entries(matches, 0, named, several) if matches else []
    return [e for event, own in events if own for e in entries(own, event.number, named)]


def sections(
    found: Sequence[Entry],
    events: Sequence[Sided],
    named: Sequence[Expression],
    question: Question,
    labels: Labels,
) -> list[Section]:
    """The resolved dates, and the intervals between the best of them if the question names events or asks how long."""
    asked = question.asked_at.date() if question.asked_at else None
    lines = [Line(_entry_text(e, asked, labels), e.match.score) for e in found]
    own = [labels["named"].format(days=_surely(e, labels)) for e in named]
    absent = [labels["absent"].format(number=event.number) for event, matches in events if not matches]
    notes = [Line(text) for text in own + absent]
    intervals = _intervals(found, labels) if events or _ASKS_SPAN.search(question.question) else []
    return [*section(labels, "dates", notes + lines), *section(labels, "intervals", intervals)]


def days_text(first: date, last: date, labels: Labels) -> str:
    """A day, or an interval."""
    return day_text(first) if first == last else labels["interval"].format(first=day_text(first), last=day_text(last))


def event_mark(entry: Entry, labels: Labels) -> str:
    """Which of the question's events an entry belongs to; empty if there is one only."""
    return labels["event"].format(number=entry.event) if entry.event else ""


def dated_text(entry: Entry, labels: Labels) -> str:
    """The days of an entry with how surely they are meant."""
    return _surely(entry.expression, labels) if entry.expression else days_text(entry.first, entry.last, labels)


def _surely(expression: Expression, labels: Labels) -> str:
    reading = labels[f"reading_{expression.reading}"] if expression.reading else "{days}"
    return reading.format(
        days=labels["about"] * expression.about + days_text(expression.first, expression.last, labels)
    )


def _entry_text(entry: Entry, asked: date | None, labels: Labels) -> str:
    offset = _offset(entry, asked, labels) if asked else ""
    more = labels["more"].format(count=entry.statements - 1) if entry.statements > 1 else ""
    shown, text = entry.match.shown, quote(entry.match.sentence.text, labels)
    fields = {"event": event_mark(entry, labels), "name": shown.name, "days": dated_text(entry, labels),
              "offset": offset, "more": more, "quote": text}  # fmt: skip
    if entry.expression is None:
        return labels["undated"].format(**fields)
    fields |= {"said": date_text(shown.time), "words": quote(entry.expression.text, labels)}
    if entry.source is entry.match.sentence:
        return labels["resolved"].format(**fields)
    return labels["beside"].format(near=quote(entry.source.text, labels), **fields)


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


def _intervals(found: Sequence[Entry], labels: Labels) -> list[Line]:
    """Between the best days of different events, the best first; or between the best days of the only dated event."""
    alone = len({e.event for e in found}) == 1
    most = COMPARED_DAYS if alone else COMPARED_EVENT_DAYS
    counts: Counter[int] = Counter()
    ranked = []
    for entry in found:
        if entry.narrow() and counts[entry.event] < most:
            ranked.append((counts[entry.event], entry))
            counts[entry.event] += 1
    pairs = [(a + b, x, y) for (a, x), (b, y) in combinations(ranked, 2) if alone or x.event != y.event]
    return [_between(x, y, labels) for _, x, y in sorted(pairs, key=lambda p: (p[0], p[1].event, p[2].event))]


def _between(one: Entry, other: Entry, labels: Labels) -> Line:
    """A pair matches as well as the worse of its two."""
    first, last = sorted((one, other), key=lambda e: (e.first, e.last))
    names = {"first": days_text(first.first, first.last, labels), "last": days_text(last.first, last.last, labels),
             "first_name": first.match.shown.name + event_mark(first, labels),
             "last_name": last.match.shown.name + event_mark(last, labels)}  # fmt: skip
    if first.first == first.last and last.first == last.last:
        text = labels["between"].format(span=span_text(first.first, last.first, labels), **names)
    else:
        least, most = (last.first - first.last).days, (last.last - first.first).days
        text = labels["between_range"].format(least=max(0, least), most=most, **names)
    return Line(text, min(one.match.score, other.match.score))
