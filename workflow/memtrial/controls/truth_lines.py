"""What a line of a scaffold quotes, names and dates, checked against the slots of its packet: true of any section."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import NamedTuple

from memtrial.controls.truth_dates import counted_from, readings
from memtrial.corpus import date_text, day_text

# What stands for a quotation while the words around it are read.
HOLE = "\ue000"
NAME = r"(?:Session|Passage) \d+"
DAY = r"\d{4}/\d\d/\d\d \(\w{3}\)"
STAMP = re.compile(rf"({DAY})( \d\d:\d\d)?")
FIGURE = re.compile(r"\d+(?:\.\d+)?")
_QUOTE = re.compile(r"“([^“”]*)”|«([^«»]*)»")
_STRAIGHT = str.maketrans(dict.fromkeys("“”«»", '"'))
_SAID = re.compile(rf"(?:{DAY} \d\d:\d\d|unknown), {NAME}, (?P<speaker>[^{HOLE}]+): {HOLE}$")
_MEANS = re.compile(rf"{HOLE} = [^{HOLE};]*?({DAY})(?: (?:to|по) ({DAY}))?")
# So much of a date expression is not all of it: a range, a year left out, a day beside the one that it names.
_DATE_AFTER = re.compile(r"[-–—/]\d|,?\s(?:19|20)\d\d\b")
_DATE_BEFORE = re.compile(r"\d[-–—/]$|\bday (?:before|after) $", re.IGNORECASE)
# A date expression is looked for in so many words.
_LONGEST = 5
_MARKS = ".,;:!?…()[]\"'“”«»—–-"


class Shown(NamedTuple):
    """A slot as the packet shows it: its number, its time, and its lines with their speakers, without the date line."""

    number: int
    time: datetime | None
    lines: list[tuple[str, str]]

    def day(self) -> date | None:
        """The day of the session."""
        return self.time.date() if self.time else None


class Line(NamedTuple):
    """A line of a scaffold, its quotations, its own words with a hole for each of them, and the slot that it is about.

    `name` is the first slot that it names, or that of the line before where it says that it goes on with it.
    """

    text: str
    quotes: list[str]
    words: str
    name: str | None

    def names(self) -> list[str]:
        """The slots named outside quotations, in order."""
        return re.findall(NAME, self.words)

    def own_words(self) -> str:
        """Its words without a speaker's name, which may hold anything."""
        said = _SAID.search(self.words)
        return self.words[: said.start("speaker")] if said else self.words


class Ledger:
    """What was checked and found, and what lines may refer to: slots, the question, what other lines say.

    `days`: (slot, first, last) of the date lines; `events`: numbers of the question's events; `items`: question terms
    held, and slots, of the counted items; `terms`: how many question terms there are.
    """

    def __init__(self, question: str, asked: datetime | None, slots: Mapping[str, Shown]) -> None:
        """`asked`: when the question was asked; `slots`: by neutral name."""
        self.question = question
        self.asked = asked.date() if asked else None
        self.slots = slots
        self.days: set[tuple[str, date, date]] = set()
        self.items: list[tuple[float, set[str]]] = []
        self.cut_items = False
        self.events: set[int] = set()
        self.events_complete = False
        self.terms: set[float] = set()
        self.faults: list[str] = []
        self.unchecked: list[str] = []
        self.checked = 0

    def expect(self, right: bool, fault: str, line: str) -> None:
        """Count a check, and note what it found wrong."""
        self.checked += 1
        if not right:
            self.faults.append(f"{fault}: {line}")


def parsed(text: str, before: Line | None) -> Line:
    """A line; one that names no slot goes on with that of the line before."""
    words = _QUOTE.sub(HOLE, text)
    named = re.search(NAME, words)
    name = named[0] if named else before.name if before else None
    return Line(text, [a or b for a, b in _QUOTE.findall(text)], words, name)


def figures(words: str) -> list[float]:
    """The numbers in a line's own words, apart from days, times and slot names."""
    return [float(n) for n in FIGURE.findall(re.sub(NAME, "", STAMP.sub("", words)))]


def day_of(text: str) -> date | None:
    """The day of a text like `2023/05/20 (Sat)`; null if there is none."""
    try:
        return date(*map(int, text[:10].split("/")))
    except ValueError:
        return None


def lone_days(line: Line) -> list[date]:
    """The days of a line that stand without a time, those that exist."""
    return [d for day, clock in STAMP.findall(line.own_words()) if not clock and (d := day_of(day))]


def occurrences(quote: str, slot: Shown, speaker: str | None = None) -> Iterator[tuple[str, str]]:
    """What stands before and after a quotation in each line of a slot (of a speaker) that holds it as whole words."""
    for shown, by in slot.lines:
        text = shown.translate(_STRAIGHT)
        for wanted in (quote, quote[:-1]) if quote.endswith("…") else (quote,):
            start = text.find(wanted) if wanted and speaker in (None, by) else -1
            while start >= 0:
                before, after = text[:start], text[start + len(wanted) :]
                whole_start = not (before[-1:].isalnum() and wanted[0].isalnum())
                if whole_start and (wanted != quote or not (after[:1].isalnum() and wanted[-1].isalnum())):
                    yield before, after
                start = text.find(wanted, start + 1)


def check_quotations(line: Line, ledger: Ledger) -> None:
    """Each quotation stands in the slot named right after it, or else in that of the line (or a mention of it)."""
    said = _SAID.search(line.words)
    ledger.expect(not re.search("[“”«»]", line.own_words()), "a quotation that does not end", line.text)
    holes = [m.start() for m in re.finditer(HOLE, line.words)]
    for quote, hole in zip(line.quotes, holes, strict=True):
        following = re.match(rf", ({NAME})\)", line.words[hole + 1 :])
        names = [following[1]] if following else [line.name] if line.name else []
        # What else was said of an item stands in any of the slots that mention it.
        if hole > line.words.find("; ") > -1 and not following and re.match(r"\d+\. ", line.words):
            names += line.names()
        speaker = said["speaker"] if said else None
        stands = any(True for n in names for _ in occurrences(quote, ledger.slots[n], speaker))
        ledger.expect(stands, f"{names[0] if names else 'no slot'} does not say {quote!r}", line.text)


def check_stamps(line: Line, ledger: Ledger) -> None:
    """Days exist and have their weekday; a time is that of the slot named right after it, or else last before it."""
    words = line.own_words()
    for found in STAMP.finditer(words):
        day = day_of(found[1])
        ledger.expect(day is not None and day_text(day) == found[1], f"there is no day {found[1]}", line.text)
        if found[2]:
            following = re.match(rf"(?:, |: )({NAME})", words[found.end() :])
            names = [following[1]] if following else re.findall(NAME, words[: found.start()])[-1:]
            right = bool(names) and date_text(ledger.slots[names[0]].time) == found[0]
            ledger.expect(right, f"{found[0]} is not the time of {names}", line.text)
    if timeless := re.match(rf"(?:\d+\. )?unknown(?:, |: )({NAME})", words):
        ledger.expect(ledger.slots[timeless[1]].time is None, f"{timeless[1]} does have a time", line.text)


def check_expressions(line: Line, ledger: Ledger) -> list[tuple[date, date]]:
    """The days that a line says its quoted expressions mean, each compared with the readings of that expression."""
    found = []
    for match in _MEANS.finditer(line.words):
        first, last = day_of(match[1]), day_of(match[2] or match[1])
        if first and last and line.name:
            quote = line.quotes[line.words.count(HOLE, 0, match.start())]
            _check_expression(quote, (first, last), line, line.name, ledger)
            found.append((first, last))
    return found


def _check_expression(expression: str, days: tuple[date, date], line: Line, name: str, ledger: Ledger) -> None:
    slot = ledger.slots[name]
    around = list(occurrences(expression, slot))
    whole = any(not _DATE_AFTER.match(after) and not _DATE_BEFORE.search(before) for before, after in around)
    ledger.expect(whole, f"{expression!r} is a part of a longer expression", line.text)
    known = list(readings(expression, slot.day()) or [])
    if days not in known:
        for before, _ in around:
            known += counted_from(expression, dates_in(before, slot.day()))
    if known:
        ledger.expect(days in known, f"{expression!r} names another day", line.text)
    else:
        ledger.unchecked.append(f"{expression!r} said on {slot.day()}: {line.text}")


def dates_in(text: str, said: date | None) -> list[tuple[date, date]]:
    """All days that any few words of a text may name."""
    # A comma may stand in a number ("1,000 days ago") or, without a blank, after a word ("last week,as").
    runs = {run: None for form in (text, text.replace(",", " ")) for run in _runs(form)}
    found = [days for run in runs for days in readings(run, said) or []]
    return found + [days for run in runs for days in counted_from(run, found)]


def _runs(text: str) -> Iterator[str]:
    words = [bare for word in text.split() if (bare := word.strip(_MARKS))]
    for start in range(len(words)):
        for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
            yield " ".join(words[start:end])
