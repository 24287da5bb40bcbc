"""Quantities in a sentence: a number (figures or words, English or Russian) with the unit or thing that it counts.

Dates, clock times, ordinals, ranges ("10-12") and a lone "one" that counts nothing asked for are no quantities. What a
number counts is a unit (aliases and currencies: `units`), or the stem of a word among the next four, up to a stop word:
of those that the question names, else of all, the first English plural, else the first that is no adjective.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from memtrial.scaffold.calendar_words import NUMBER, NUMBERS, number
from memtrial.scaffold.expressions import Expression
from memtrial.scaffold.units import CURRENCIES, ORDINALS, SCALES, SPOKEN, UNIT_OF
from memtrial.scaffold.words import BETWEEN, STOP_WORDS
from memtrial.text import stem

_FIGURES = r"\d{1,3}(?:[, \u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?"
_SCALE = rf"(?:\s?(?P<s>{'|'.join(sorted(SCALES, key=len, reverse=True))})\b\.?)?"
_SCALE_NEXT = re.compile(_SCALE, re.IGNORECASE)
_HALF = r"(?P<h>\s+and\s+a\s+half\b|\s+с\s+половиной\b|½)?"
_NO_QUANTITY = r"(?!\s*(?:[ap]\.?m\b|o'clock)|:\d|-?(?:st|nd|rd|th|го|й|я|е|му|х)\b|\s?[-–—]\s?\d|[.,]\d)"
_MONEY = re.compile(rf"(?P<c>[$€£₽])\s?(?P<n>{_FIGURES}){_SCALE}(?!\w|\s?[-–—]\s?\d|[.,]\d)", re.IGNORECASE)
_NUMBER = re.compile(
    rf"(?<![$€£₽#№])(?P<n>(?<![\w.,:/–—-])(?:{_FIGURES})(?=\s?(?:[kкm]|тыс|млн)\b)"
    rf"|{NUMBER}){_SCALE}{_HALF}{_NO_QUANTITY}",
    re.IGNORECASE,
)
_SPOKEN = re.compile("|".join(rf"(?P<w{i}>\b(?:{p})\b)" for i, (p, _, _) in enumerate(SPOKEN)), re.IGNORECASE)
_RATE = re.compile(r"(?:\b(?:per|each|every|times|once|twice|раз|раза|в)\s+)$", re.IGNORECASE)
# A figure, or the beginning of a number word: looking for one first saves most sentences the long pattern.
_HINT = re.compile(
    r"\d|\b(?:an? |one|two|three|four|five|six|seven|eight|nine|ten|elev|twel|thir|fif|for|zero|twen|eigh|half|once"
    r"|thrice|dozen|hundred|thousand|од[ин]|дв|тр|чет|пят|шест|сем|вос|дев|дес|сор|ст[оа]|пол|пар|тыс|дюж|час"
    r"|нол)", re.IGNORECASE
)  # fmt: skip
_NEXT = re.compile(r"[ \u00a0\u202f-]?(%|[$€£₽]|[^\W\d_]+(?:['’][^\W\d_]+)?)")
_ORDINAL = re.compile(
    rf"\b(?:(?P<o>{'|'.join(w for w in ORDINALS if w < 'а')})\b|(?P<n>\d+)(?:st|nd|rd|th)\b"
    rf"|(?P<r>{'|'.join(w.replace('е', '[её]') for w in ORDINALS if w >= 'а')})(?:[ыио]й|[аь]я|ого|ую"
    rf"|[ьо]е|ом|ьего|ьей)\b)",
    re.IGNORECASE,
)
_NEXT_WORD = re.compile(r"(?:(?<=\s)|(?<=-))[^\W\d_]+")
_ADJECTIVE_RU = re.compile(r"(?:ых|их|ые|ие|ого|его|ую|юю|ая|яя|ой|ей|ый|ий)$")
_PHRASE = re.compile(r"(?:[\s'’-]+[^\W\d_]+)*")
_REACH = 4


class Quantity(NamedTuple):
    """A quantity as written, its value, what it counts (units agree if this is equal), and that as it is shown."""

    text: str
    value: float
    unit: str
    counted: str


class _Found(NamedTuple):
    start: int
    end: int
    value: float
    unit: str
    counted: str


def figure(value: float) -> str:
    """A value as shown: without a decimal point if it is whole, else with at most four decimals."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def find(text: str, terms: Collection[str], dates: Iterable[Expression] = ()) -> list[Quantity]:
    """Quantities of a sentence in order; `terms` are the question's stems, `dates` its date expressions."""
    if not _HINT.search(text):
        return []
    plain = text
    for expression in dates:
        blank = " " * (expression.end - expression.start)
        plain = f"{plain[: expression.start]}{blank}{plain[expression.end :]}"
    found: list[_Found] = []
    for quantity in [*_money(plain), *_spoken(plain, terms), *_numbers(plain, terms)]:
        if all(quantity.end <= other.start or other.end <= quantity.start for other in found):
            found.append(quantity)
    return [Quantity(text[q.start : q.end], q.value, q.unit, q.counted) for q in sorted(found)]


def ordinals(text: str, thing: str) -> list[Quantity]:
    """Ordinal numbers from two up before the counted `thing` (a stem): "my fourth tournament", "третий раз"."""
    found = []
    for match in _ORDINAL.finditer(text):
        word = (match["o"] or match["n"] or match["r"]).casefold().replace("ё", "е")
        value = int(word) if word.isdigit() else next(n for stem_, n in ORDINALS.items() if word.startswith(stem_))
        # A number or a mark ends the phrase: in "February 30th, 3 lamps" nothing says which lamp.
        phrase = _PHRASE.match(text, match.end())
        reach = list(_NEXT_WORD.finditer(text, *phrase.span()))[:_REACH] if phrase else []
        for last in reach:
            if stem(last.group().casefold().replace("ё", "е")) == thing:
                if value > 1:
                    found.append(Quantity(text[match.start() : last.end()], value, thing, last.group()))
                break
    return found


def _money(text: str) -> Iterable[_Found]:
    for match in _MONEY.finditer(text):
        if (value := _value(match["n"])) is not None:
            yield _Found(*match.span(), _scaled(value, match["s"]), match["c"], match["c"])


def _spoken(text: str, terms: Collection[str]) -> Iterable[_Found]:
    for match in _SPOKEN.finditer(text):
        _, value, unit = SPOKEN[int(str(match.lastgroup)[1:])]
        if unit:
            if not (unit == "hours" and _RATE.search(text[: match.start()])):
                yield _Found(*match.span(), value, unit, match.group())
            continue
        scale = _SCALE_NEXT.match(text, match.end())
        end = scale.end() if scale else match.end()
        if counted := _counted(text, end, terms):
            value = _scaled(value, scale["s"] if scale else None)
            yield _Found(match.start(), counted.end, value, counted.unit, counted.counted)


def _numbers(text: str, terms: Collection[str]) -> Iterable[_Found]:
    for match in _NUMBER.finditer(text):
        value = _value(match["n"])
        counted = _counted(text, match.end(), terms)
        if value is None or counted is None:
            continue
        if value == 1 and not match["n"][0].isdigit() and stem(counted.counted.casefold()) not in terms:
            continue
        value = _scaled(value, match["s"]) + (0.5 if match["h"] else 0)
        yield _Found(match.start(), counted.end, value, counted.unit, counted.counted)


def _value(text: str) -> float | None:
    """The value of a numeral or number words; a comma after a nought groups no thousands."""
    return float(text.replace(",", ".")) if re.fullmatch(r"0,\d+", text) else number(text)


def _scaled(value: float, scale: str | None) -> float:
    return value * SCALES[scale.casefold()] if scale else value


def _counted(text: str, at: int, terms: Collection[str]) -> _Found | None:
    """What the number that ends there counts; its start and value mean nothing."""
    following: list[tuple[str, int]] = []
    while len(following) < _REACH and (match := _NEXT.match(text, at)):
        word, at = match.group(1), match.end()
        folded = word.casefold().replace("ё", "е")
        if folded == "%" or folded in CURRENCIES:
            return None if following else _Found(0, at, 0, folded, folded)
        if folded in UNIT_OF:
            return _Found(0, at, 0, UNIT_OF[folded], word)
        if folded in NUMBERS:
            break
        if folded in STOP_WORDS and (folded not in BETWEEN or any(w not in BETWEEN for w, _ in following)):
            break
        following.append((word, at))
    content = [c for c in following if c[0].casefold() not in BETWEEN]
    named = [c for c in content if stem(c[0].casefold().replace("ё", "е")) in terms]
    content = named or content
    plural = [c for c in content if c[0].endswith("s") and not c[0].endswith("ss")]
    nouns = [c for c in content if not _ADJECTIVE_RU.search(c[0].casefold())]
    for word, end in (plural or nouns or content)[:1]:
        return _Found(0, end, 0, stem(word.casefold().replace("ё", "е")), word)
    return None
