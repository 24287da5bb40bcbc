"""The sections of a scaffold: what their lines compute and count, computed and counted again."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from itertools import pairwise
from math import fsum, isclose

from memtrial.controls.truth_amounts import amount
from memtrial.controls.truth_lines import (
    DAY,
    FIGURE,
    HOLE,
    NAME,
    Ledger,
    Line,
    check_expressions,
    check_quotations,
    check_stamps,
    dates_in,
    day_of,
    figures,
    lone_days,
    occurrences,
    parsed,
)
from memtrial.controls.truth_numbers import span, value
from memtrial.records import Part
from memtrial.text import stems

_QUANTITY = re.compile(rf"({FIGURE.pattern}) \({HOLE}(?:, ({NAME}))?\)")
_END = re.compile(rf"({DAY})(?: (?:to|по) ({DAY}))? \(({NAME})\)")
# "[event 2 of the question]": which event of the question a line belongs to.
_EVENT = re.compile(r" ?\[\D*(\d+)[^\]\d]*\](?! *$)")
_DELETED = re.compile(rf"(?:deleted|удалено)[^\]{HOLE}]*?({NAME})")
_ASKS_DELETION = re.compile(
    r"forget|delete|erase|remove|wipe|remember|store|keep|save|удал|забуд|сотр|запомин|храни|сохран", re.IGNORECASE
)
# Lines of these sections may say something of the question or of several slots.
_NAMELESS = ("dates", "spread", "quantities")
_WORDLESS = ("chronology", "intervals")
_SIDES = {"before": -1, "до": -1, "after": 1, "после": 1}


def check_section(part: Part, texts: list[str], ledger: Ledger) -> None:
    """All lines of a section, then what they say together. Numbers of a section of an unknown kind are faults."""
    lines: list[Line] = []
    for text in texts:
        line = parsed(text, lines[-1] if lines and part.section == "counting" else None)
        unknown = [n for n in line.names() if n not in ledger.slots]
        ledger.expect(not unknown, f"the packet has no {unknown}", text)
        nameless = not line.name and part.section not in _NAMELESS
        ledger.expect(not nameless, "a line of no slot", text)
        ledger.expect(bool(line.quotes or part.section in _WORDLESS or not line.name), "a line without words", text)
        if unknown or nameless:
            return
        lines.append(line)
        check_quotations(line, ledger)
        check_stamps(line, ledger)
        _LINES.get(part.section, _check_plain)(line, ledger)
    if part.section in _SECTIONS:
        _SECTIONS[part.section](lines, not part.cut_lines, ledger)


def _without_events(words: str, line: Line, ledger: Ledger) -> str:
    """A line's words without the marks of the question's events, whose numbers are noted."""
    numbers = {int(n) for n in _EVENT.findall(words)}
    known = ledger.events
    ledger.events = known | numbers
    ledger.expect(not ledger.events_complete or numbers <= known, "the question has no such event", line.text)
    return _EVENT.sub("", words)


def _check_plain(line: Line, ledger: Ledger) -> None:
    """A line that says nothing of its own but times of sessions."""
    ledger.expect(not figures(line.own_words()) and not lone_days(line), "a number or day from nowhere", line.text)


def _check_date(line: Line, ledger: Ledger) -> None:
    """A date expression and the days that it names, a statement and its day, or what is true of the question itself."""
    words, days = _without_events(line.words, line, ledger), lone_days(line)
    if not days and not line.quotes and not line.names():
        _check_event(line, ledger)
        return
    ledger.expect(1 <= len(days) <= 2 and days == sorted(set(days)), "these days make no interval", line.text)
    if not days:
        return
    if not line.names():
        said = ledger.asked or max((d for s in ledger.slots.values() if (d := s.day())), default=None)
        ledger.expect((days[0], days[-1]) in dates_in(ledger.question, said), "the question names no such", line.text)
        ledger.expect(not figures(words), "a number from nowhere", line.text)
        return
    name = line.names()[0]
    ledger.expect(bool(line.quotes), "a date without its statement", line.text)
    if len(line.quotes) < 2:
        ledger.expect(days == [ledger.slots[name].day()], f"that is not the day of {name}", line.text)
    else:
        found, statement = check_expressions(line, ledger), line.quotes[-1]
        ledger.expect(found == [(days[0], days[-1])], "these days are of no expression", line.text)
        right = line.quotes[0] in statement or statement.endswith("…")
        ledger.expect(right, "the expression is not in the statement", line.text)
    ledger.days.add((name, days[0], days[-1]))
    head, _, tail = words.rpartition(HOLE)
    more, most = figures(tail), sum(len(s.lines) for s in ledger.slots.values()) * 100
    ledger.expect(not more or (len(more) == 1 and 1 <= more[0] <= most), "a number from nowhere", line.text)
    _check_offset(head, line, days, ledger)


def _check_event(line: Line, ledger: Ledger) -> None:
    """That an event of the question is not in the packet: whose words they are only the operator can say."""
    numbers = figures(line.words)
    ledger.expect(len(numbers) == 1, "a number from nowhere", line.text)
    ledger.events |= {int(n) for n in numbers}
    ledger.unchecked.append(f"that the packet lacks it: {line.text}")


def _check_offset(words: str, line: Line, days: list[date], ledger: Ledger) -> None:
    """How far the days of a line are from the question's date, and on which side."""
    asked, first, last = ledger.asked, days[0], days[-1]
    expected: list[int] = []
    if asked and not first <= asked <= last:
        distances = sorted((abs((asked - first).days), abs((asked - last).days)))
        expected = distances if first < last else span(min(first, asked), max(first, asked))
        side = next((_SIDES[w] for w in re.findall(r"[^\W\d]+", words) if w in _SIDES), 0)
        ledger.expect(side == (-1 if last < asked else 1), "that is the wrong side of the question date", line.text)
    ledger.expect(figures(words) == expected, f"the distance is {expected}", line.text)


def _check_interval(line: Line, ledger: Ledger) -> None:
    """Two resolved days or intervals, the earlier one first, and the time between them, or its bounds."""
    words = _without_events(line.words, line, ledger)
    ends = [
        (name, a, b)
        for first, last, name in _END.findall(words)
        if (a := day_of(first)) and (b := day_of(last or first))
    ]
    ledger.expect(len(ends) == 2, "an interval has two ends, each of a slot", line.text)
    if len(ends) != 2:
        return
    for end in ends:
        ledger.expect(end in ledger.days, f"no date of {end[0]} is {end[1]}", line.text)
    (_, first, first_last), (_, last, last_last) = ends
    ledger.expect((first, first_last) <= (last, last_last), "the ends are swapped", line.text)
    bounds = [max(0, (last - first_last).days), (last_last - first).days]
    expected = (
        [bounds] if first < first_last or last < last_last else [bounds, span(min(first, last), max(first, last))]
    )
    ledger.expect(figures(words) in expected, f"the time between them is {expected[-1]}", line.text)


def _check_order(line: Line, ledger: Ledger) -> None:
    """A day of a date line, or where there is none of its own: the session's, or one that its words name."""
    days, name = lone_days(line), line.name or ""
    slot = ledger.slots[name]
    known = [(a, b) for n, a, b in ledger.days if n == name]
    if day := slot.day():
        known.append((day, day))
    if days and (days[0], days[-1]) not in known:
        known += [found for text, _ in slot.lines for found in dates_in(text, slot.day())]
    ledger.expect(bool(days) and (days[0], days[-1]) in known, f"{name} has no such date", line.text)
    ledger.expect(not figures(_without_events(line.words, line, ledger)), "a number from nowhere", line.text)


def _check_item(line: Line, ledger: Ledger) -> None:
    """A numbered item: how often it was said and by how many slots, dates in it, how many question terms it holds."""
    words, names = re.sub(r"^\d+\. ", "", line.words), line.names()
    found = check_expressions(line, ledger)
    ledger.expect(sorted(d for i in found for d in set(i)) == sorted(lone_days(line)), "a day from nowhere", line.text)
    if not names:
        ledger.expect(not figures(words), "a number from nowhere", line.text)
        return
    head, _, tail = words.partition(HOLE)
    counts, held = figures(head), figures(tail)
    repeated = len(names) > 1 or bool(counts)
    right = not repeated or (len(counts) == 1 and counts[0] >= max(2, len(names) - 1) and names[0] in names[1:])
    ledger.expect(right, "the mentions are not those of the slots named", line.text)
    right = len(held) == 2 and _holds(held, ledger)
    ledger.expect(right, "the question terms do not add up", line.text)
    if right:
        ledger.items.append((held[0], set(names)))


def _holds(held: list[float], ledger: Ledger) -> bool:
    """Whether so many of so many question terms can be: all lines of a scaffold give the question as many."""
    ledger.terms.add(held[1])
    return len(ledger.terms) == 1 and 1 <= held[0] <= held[1] <= len(set(stems(ledger.question)))


def _check_spread(line: Line, ledger: Ledger) -> None:
    """How many of the items listed hold so many question terms or more, and how many slots they are from."""
    found = figures(line.words)
    right_terms = len(found) == 4 and _holds(found[:2], ledger)
    ledger.expect(right_terms, "the question terms do not add up", line.text)
    chosen = [names for held, names in ledger.items if right_terms and held >= found[0]]
    right: list[float] = [len(chosen), len(set().union(*chosen))]
    more = ledger.cut_items and found[2:] >= right
    ledger.expect(found[2:] == right or more, f"the counts are {right}", line.text)


def _check_quantities(line: Line, ledger: Ledger) -> None:
    """Quantities of one unit, each as its quotation says, and their sum."""
    unit, _, words = line.words.partition(": ")
    unit, values = unit.split(",")[0], []
    stated = _QUANTITY.findall(words)
    for (figure, name), quote in zip(stated, line.quotes, strict=False):
        ledger.expect(bool(name), f"{quote!r} is of no slot", line.text)
        if not name or value(quote) is None:
            ledger.unchecked.append(f"{quote!r}: {line.text}")
            values.append(float(figure))
            continue
        said = [
            a for around in occurrences(quote, ledger.slots[name]) if (a := amount(quote, *around, unit)) is not None
        ]
        right = any(isclose(a, float(figure), abs_tol=5e-5) for a in said)
        ledger.expect(right, f"in {name}, {quote!r} is no {figure} of {unit!r} (but {said})", line.text)
        values.append(next((a for a in said if isclose(a, float(figure), abs_tol=5e-5)), float(figure)))
    ledger.expect(0 < len(stated) == len(line.quotes), "a quantity without its quotation", line.text)
    rest = figures(_QUANTITY.sub("", words))
    right = not rest or (len(rest) == 1 and len(values) > 1 and isclose(rest[0], fsum(values), abs_tol=1e-4))
    ledger.expect(right, f"the sum is {fsum(values)}", line.text)


def _check_side(line: Line, ledger: Ledger) -> None:
    """The quantities of a statement, each as its quotation says."""
    words = _without_events(line.words, line, ledger)
    stated = _QUANTITY.findall(words)
    ledger.expect(len(stated) == len(line.quotes) - 1, "a quantity without its quotation", line.text)
    for (figure, _), quote in zip(stated, line.quotes, strict=False):
        said = [amount(quote, *around, None) for around in occurrences(quote, ledger.slots[line.name or ""])]
        right = any(a is not None and isclose(a, float(figure), abs_tol=5e-5) for a in said)
        ledger.expect(right, f"{quote!r} is no {figure}", line.text)
    ledger.expect(not figures(_QUANTITY.sub("", words)), "a number from nowhere", line.text)


def _check_chronology(lines: list[Line], complete: bool, ledger: Ledger) -> None:
    """Each slot once, by time, then slot; those without a time last."""
    names = [name for line in lines for name in line.names()]
    slots = [ledger.slots[n] for n in names]
    clock = [(s.time is None, s.time or datetime.min, s.number) for s in slots]
    text = "; ".join(line.text for line in lines)
    ledger.expect(clock == sorted(clock), "the sessions are not in clock order", text)
    ledger.expect(len(set(names)) == len(names), "a session stands twice", text)
    ledger.expect(
        len(lines) == len(names) and (not complete or len(names) == len(ledger.slots)), "one is missing", text
    )


def _check_events(lines: list[Line], complete: bool, ledger: Ledger) -> None:
    """No more events are told apart than the question can name: a pair, or the items of a list."""
    most = max(2, 1 + len(re.findall(r",|\b(?:and|or|и|или)\b", ledger.question)))
    ledger.expect(ledger.events <= set(range(1, most + 1)), f"the events are {sorted(ledger.events)}", lines[0].text)
    ledger.events_complete = complete


def _check_recency(lines: list[Line], complete: bool, ledger: Ledger) -> None:
    """Statements by time, and what a mark names is not older than the statement that it marks."""
    times = [ledger.slots[line.name or ""].time or datetime.min for line in lines]
    ledger.expect(times == sorted(times), "the statements are not in clock order", "; ".join(x.text for x in lines))
    for line, time in zip(lines, times, strict=True):
        for name in line.names()[1:]:
            ledger.expect((ledger.slots[name].time or datetime.min) >= time, f"{name} is older", line.text)
        for name in _DELETED.findall(line.words):
            asks = any(_ASKS_DELETION.search(text) for text, _ in ledger.slots[name].lines)
            ledger.expect(asks, f"{name} does not ask for a deletion", line.text)


def _check_numbering(lines: list[Line], complete: bool, ledger: Ledger) -> None:
    ledger.cut_items = not complete
    numbers = [int(m[1]) for line in lines if (m := re.match(r"(\d+)\. ", line.words))]
    right = numbers == list(range(1, len(lines) + 1)) if complete else numbers == sorted(set(numbers))
    ledger.expect(right and len(numbers) == len(lines), f"the list runs {numbers}", "; ".join(x.text for x in lines))


def _check_sequence(lines: list[Line], complete: bool, ledger: Ledger) -> None:
    for before, after in pairwise(lines):
        ledger.expect(
            lone_days(before)[:1] <= lone_days(after)[:1], "not in time order", f"{before.text}; {after.text}"
        )


_LINES: Mapping[str, Callable[[Line, Ledger], None]] = {
    "dates": _check_date,
    "intervals": _check_interval,
    "order": _check_order,
    "counting": _check_item,
    "spread": _check_spread,
    "quantities": _check_quantities,
    "sides": _check_side,
}
_SECTIONS: Mapping[str, Callable[[list[Line], bool, Ledger], None]] = {
    "chronology": _check_chronology,
    "dates": _check_events,
    "recency": _check_recency,
    "counting": _check_numbering,
    "order": _check_sequence,
}
