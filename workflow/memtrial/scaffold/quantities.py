"""Quantities in a sentence: a number (figures or words, English or Russian) with the unit or thing that it counts.

Dates, clock times, ordinals and a lone "one" that counts nothing asked for are no quantities. The unit is a currency,
a per cent sign, or the stem of the counted word: of the next three words the first that the question names, else the
first that is not a stop word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from memtrial.scaffold.calendar_words import NUMBER, number
from memtrial.scaffold.expressions import Expression
from memtrial.scaffold.words import STOP_WORDS, TIME_UNITS
from memtrial.text import stem, tokens

_CURRENCIES = (
    ("$", r"\$|dollars?\b|usd\b|bucks?\b|доллар\w*"),
    ("€", r"€|euros?\b|eur\b|евро\b"),
    ("£", r"£|gbp\b"),
    ("₽", r"₽|rub\b|rubles?\b|roubles?\b|рубл\w+|руб\b"),
)
_SYMBOL_FIRST = re.compile(r"(?P<c>[$€£₽])\s?(?P<n>\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)(?!\w)")
_NUMBER = re.compile(rf"(?P<n>{NUMBER})(?!\s*(?:[ap]\.?m\b|o'clock)|:\d|-?(?:st|nd|rd|th|го|й|я|е)\b)", re.IGNORECASE)
_CURRENCY_NEXT = tuple((sign, re.compile(rf"\s*(?:{pattern})", re.IGNORECASE)) for sign, pattern in _CURRENCIES)
_WORDS_NEXT = re.compile(r"[\s-]*([^.,;:!?()]*)")


class Quantity(NamedTuple):
    """A number as written, its value, what it counts (units agree if this is equal), and that word as written."""

    text: str
    value: float
    unit: str
    counted: str


def figure(value: float) -> str:
    """A value as shown: without a decimal point if it is whole, else with at most four decimals."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def find(text: str, terms: Collection[str], dates: Iterable[Expression] = ()) -> list[Quantity]:
    """Quantities of a sentence in order; `terms` are the question's stems, `dates` its date expressions."""
    for expression in dates:
        blank = " " * (expression.end - expression.start)
        text = f"{text[: expression.start]}{blank}{text[expression.end :]}"
    found: list[tuple[int, Quantity]] = []
    for match in _SYMBOL_FIRST.finditer(text):
        if (value := number(match["n"])) is not None:
            found.append((match.start(), Quantity(match.group(), value, match["c"], match["c"])))
    taken = [(m.start(), m.end()) for m in _SYMBOL_FIRST.finditer(text)]
    for match in _NUMBER.finditer(text):
        value = number(match["n"])
        if value is None or any(start <= match.start() < end for start, end in taken):
            continue
        counted = _counted(text[match.end() :], terms)
        unit = stem(counted) if counted else ""
        if counted and not (value == 1 and not match["n"][0].isdigit() and unit not in terms):
            found.append((match.start(), Quantity(match["n"], value, unit, counted)))
    return [quantity for _, quantity in sorted(found)]


def _counted(after: str, terms: Collection[str]) -> str | None:
    if after.lstrip().startswith("%"):
        return "%"
    for sign, pattern in _CURRENCY_NEXT:
        if pattern.match(after):
            return sign
    rest = _WORDS_NEXT.match(after)
    following = tokens(rest.group(1))[:3] if rest else []
    named = [w for w in following if stem(w) in terms]
    counted = [w for w in following if w.isalpha() and (w not in STOP_WORDS or w in TIME_UNITS)]
    return next(iter(named or counted), None)
