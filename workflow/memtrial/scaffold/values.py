"""Values in a statement that could answer a question about the present state of something.

What kind of value a question asks for is read from its wording: a number, a date or time, a name, or (yes or no) a
polarity; a question of no such kind is open, and any statement may answer it. A name is a run of capitalised words
that does not start the sentence, or a quoted title. Words of the question itself are no values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from memtrial.scaffold import quantities
from memtrial.scaffold.cues import ASKED_KINDS
from memtrial.scaffold.expressions import Expression
from memtrial.scaffold.gate import fold
from memtrial.scaffold.units import CURRENCIES, UNIT_OF
from memtrial.scaffold.words import NEGATIONS, STOP_WORDS
from memtrial.text import stem, tokens

_ASKED = {kind: re.compile("|".join(patterns)) for kind, patterns in ASKED_KINDS.items()}
_NEGATION = re.compile("|".join(NEGATIONS), re.IGNORECASE)
_MONEY_ASKED = re.compile(
    r"\b(?:money|price|cost|costs|rent|salary|wage|pay|paid|spend|spent|earn|earned|worth|amount|цен\w+|стоимост\w+"
    r"|зарплат\w+|рубл\w+|потрат\w+|стоит)\b"
)
_COUNTS = re.compile(r"\bhow many\b|(?<!\bво )\bсколько\b")
_BARE_NUMBER = re.compile(r"(?<![\w.,:/-])(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d+(?:[.,:-]\d+)*)\b(?!/)")
_CLOCK = re.compile(
    r"\b\d{1,2}(?::\d\d)?\s?[ap]\.?m\b|\b\d{1,2}:\d\d\b|\b(?:noon|midnight|полдень|полночь)\b", re.IGNORECASE
)
_DAY_NAME = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    r"|\b(?:понедельник|вторник|сред[ауы]|четверг|пятниц[ауы]|суббот[ауы]|воскресень[ея])(?:ам|и|ах)?\b",
    re.IGNORECASE,
)
# "27:45" is a time that something takes, unless it follows a word that only a clock time follows.
_DURATION = re.compile(
    r"(?<!\bat )(?<!\bby )(?<!\bsince )(?<!\buntil )(?<!\bfrom )(?<!\bв )(?<!\bдо )(?<!\bс )(?<![\w:])"
    r"\d{1,3}(?::\d\d){1,2}(?![\w:]|\s?[ap]\.?m\b)"
)
_DURATION_ASKED = re.compile(r"\b(?:(?:best|finish\w*|record) time|pace)\b|\bлучшее время\b")
_FREQUENCY = re.compile(
    r"\b(?:once|twice|thrice|(?:\w+|\d+) times) (?:a|an|per|every|each) \w+|\b(?:\w+ )?раза? в \w+|\b(?:every"
    r"|each) (?:other )?\w+|\b(?:daily|weekly|monthly|fortnightly|yearly)\b|\bкажд\w+ \w+|\b(?:ежедневно"
    r"|еженедельно)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"[A-ZА-ЯЁ][\w'’&-]*(?: (?:of |the |and |de )?[A-ZА-ЯЁ][\w'’&-]*)*")
_TITLE = re.compile(r"[“\"«]([^”\"»]{2,60})[”\"»]|(?<!\w)'([A-ZА-ЯЁ][^']{1,60})'(?!\w)")
_DURATIONS = ("seconds", "minutes", "hours")
_NO_NAMES = frozenset(["i", "i'm", "i've", "i'd", "i'll", "ok", "tv"])


class Value(NamedTuple):
    """A value as written (empty: it only affirms), and what makes two of them the same."""

    text: str
    key: str
    unit: str = ""


def kinds_asked(question: str) -> frozenset[str]:
    """Of `number`, `date`, `name` and `polarity` those that a question asks for; none: it is open."""
    folded = fold(question)
    return frozenset(kind for kind, pattern in _ASKED.items() if pattern.search(folded))


def units_asked(question: str, terms: Collection[str]) -> tuple[frozenset[str], bool]:
    """The units of quantities that answer a question, and whether no others do: it says of what it asks how many.

    The units are those that it names, its words (`terms`, stems), and currencies if it speaks of money.
    """
    folded = fold(question)
    named = {UNIT_OF[t] for t in tokens(folded) if t in UNIT_OF and t not in ("time", "second")}
    money = CURRENCIES if _MONEY_ASKED.search(folded) else ()
    durations = _DURATIONS if _DURATION_ASKED.search(folded) else ()
    only = bool(named or money or durations or _COUNTS.search(folded))
    return frozenset({*terms, *named, *money, *durations}), only


def find(text: str, kinds: Iterable[str], terms: Collection[str], dates: Sequence[Expression]) -> list[Value]:
    """The values of the kinds in a sentence; `terms` are the question's stems, `dates` the sentence's expressions."""
    found = [value for kind in sorted(kinds) for value in _FINDERS[kind](text, terms, dates)]
    told = (v for v in found if not v.text or not all(stem(t) in terms for t in tokens(v.text)))
    return list({v.key: v for v in told}.values())


def _numbers(text: str, terms: Collection[str], dates: Sequence[Expression]) -> list[Value]:
    found = [Value(m.group(), m.group().casefold(), "times") for m in _FREQUENCY.finditer(text)]
    found += [Value(m.group(), m.group(), "minutes") for m in _DURATION.finditer(text)]
    counted = quantities.find(text, terms, dates)
    found += [Value(q.text, f"{q.unit} {q.value}", q.unit) for q in counted if not _within(q.text, found)]
    known = [*found, *(Value(d.text, "") for d in dates), *(Value(m.group(), "") for m in _CLOCK.finditer(text))]
    bare = [m.group() for m in _BARE_NUMBER.finditer(text)]
    return [*found, *(Value(b, b) for b in bare if not _within(b, known))]


def _within(text: str, found: Iterable[Value]) -> bool:
    return any(text in value.text for value in found)


def _dates(text: str, terms: Collection[str], dates: Sequence[Expression]) -> list[Value]:
    found = [Value(d.text, f"{d.first} {d.last}") for d in dates]
    for pattern in (_CLOCK, _DAY_NAME):
        for match in pattern.finditer(text):
            if not _within(match.group(), found):
                found.append(Value(match.group(), match.group().casefold()))
    return found


def _names(text: str, terms: Collection[str], dates: Sequence[Expression]) -> list[Value]:
    found = [m.group(1) or m.group(2) for m in _TITLE.finditer(text)]
    start = re.match(r"\W*", text)
    for match in _NAME.finditer(text, start.end() if start else 0):
        name = match.group()
        if start and match.start() == start.end():  # the first word of a sentence has a capital anyway
            name = name.partition(" ")[2]
        if name and not any(name in other for other in (*found, *(d.text for d in dates))):
            found.append(name)
    return [Value(n, " ".join(sorted(map(stem, tokens(n))))) for n in found if _tells(n, terms)]


def _tells(name: str, terms: Collection[str]) -> bool:
    words = [t for t in tokens(name) if t not in _NO_NAMES and t not in STOP_WORDS]
    return any(stem(t) not in terms for t in words) and not _DAY_NAME.fullmatch(name)


def _polarity(text: str, terms: Collection[str], dates: Sequence[Expression]) -> list[Value]:
    match = _NEGATION.search(text)
    return [Value(match.group() if match else "", "no" if match else "yes")]


_FINDERS: dict[str, Callable[[str, Collection[str], Sequence[Expression]], list[Value]]] = {
    "number": _numbers, "date": _dates, "name": _names, "polarity": _polarity,
}  # fmt: skip
