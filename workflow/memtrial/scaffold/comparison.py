"""Comparison and ordering: the events that a question compares on a line each, in time order, with their days.

A question that names its events has the best dates of each, two at most; another has one line for each day of its
strongest statements. Where the days of a line may lie after those of a later one the order is said to be undecided:
which event is first or last is left to the reader. A comparison of amounts also shows what the statements of each side
count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from memtrial.corpus import day_text
from memtrial.scaffold.dates import Entry, Sided, dated_text, event_mark
from memtrial.scaffold.evidence import ScaffoldError
from memtrial.scaffold.expressions import find
from memtrial.scaffold.layout import Labels, Line, Section, quote, section
from memtrial.scaffold.quantities import figure
from memtrial.scaffold.quantities import find as quantities

VERSION = "1"

_AMOUNTS = re.compile(
    r"\b(?:more|less|fewer|most|least|older|younger|longer|shorter|cheaper|bigger|faster|taller|heavier|how much"
    r"|difference in|больше|меньше|старше|младше|дольше|дороже|дешевле|чаще|реже|насколько|на сколько|разниц\w+ в)\b",
    re.IGNORECASE,
)
# Statements looked into for the amounts of a side.
SIDE_STATEMENTS = 3
# Lines of an event that the question names among others.
EVENT_LINES = 2


def of_amounts(question: str) -> bool:
    """Whether the question compares amounts."""
    return bool(_AMOUNTS.search(question))


def ordered(found: Sequence[Entry]) -> list[Entry]:
    """The best entries of each named event, or all entries of the only one, by first and last day."""
    certain = [e for e in found if not (e.expression and e.expression.reading)]
    places: Counter[int] = Counter()
    best = []
    for entry in certain:
        places[entry.event] += 1
        if not entry.event or places[entry.event] <= EVENT_LINES:
            best.append(entry)
    return sorted(best, key=lambda e: (e.first, e.last, e.event))


def sections(
    found: Sequence[Entry],
    events: Sequence[Sided],
    amounts: bool,
    terms: Sequence[str],
    labels: Labels,
) -> list[Section]:
    """The events in time order; with `amounts`, what each side counts."""
    line = ordered(found)
    for before, after in pairwise(line):
        if after.first < before.first:
            raise ScaffoldError(f"{day_text(after.first)} stands after {day_text(before.first)} in time order")
    texts = [Line(_text(n, entry, line, labels), entry.match.score) for n, entry in enumerate(line)]
    order = section(labels, "order", texts) if len(line) > 1 else []
    return [*order, *(section(labels, "sides", _sides(events, terms, labels)) if amounts else [])]


def _text(place: int, entry: Entry, line: Sequence[Entry], labels: Labels) -> str:
    undecided = any(other.last >= entry.first for other in line[:place])
    key = "order_stated" if entry.expression else "order_said"
    return labels[key].format(
        days=dated_text(entry, labels), event=event_mark(entry, labels), name=entry.match.shown.name,
        undecided=labels["undecided"] if undecided else "", quote=quote(entry.match.sentence.text, labels),
    )  # fmt: skip


def _sides(events: Sequence[Sided], terms: Sequence[str], labels: Labels) -> list[Line]:
    """Each quantity of a side's best statements, with the statement."""
    lines = []
    for event, matches in events:
        for match in matches[:SIDE_STATEMENTS]:
            time = match.shown.time
            dates = [e for e in find(match.sentence.text, time.date() if time else None) if e.reading != "since"]
            if counted := quantities(match.sentence.text, terms, dates):
                shown = ", ".join(f"{figure(q.value)} ({quote(q.text, labels)})" for q in counted)
                text = labels["side"].format(
                    event=labels["event"].format(number=event.number).strip(), name=match.shown.name, quantities=shown,
                    quote=quote(match.sentence.text, labels),
                )  # fmt: skip
                lines.append(Line(text, match.score))
    return lines
