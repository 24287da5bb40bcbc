"""One number, date or name of a reference answer changed, so that the answer is wrong and looks right.

A change is made only where it decides: the changed word stands in every reference and not in the question, the
reference admits no alternatives and is short, and a number or date is what the question asks for (or is nearly all of
the reference). Benchmarks forgive a count that is off by one, so numbers move by at least two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from memtrial.judging.controls.values import pick
from memtrial.judging.controls.wording import ALTERNATIVES, ASKS_AMOUNT, ASKS_DATE
from memtrial.judging.lexical import normal_tokens
from memtrial.text import tokens

MAX_WORDS = 12
BARE_WORDS = 4
_FAR = 2  # least distance of two members of a cycle


class Change(NamedTuple):
    """A changed reference: its text, what kind of thing was changed (number, date, name), and from what to what."""

    text: str
    kind: str
    before: str
    after: str


Edit = tuple[str, str, str]


class Cycle(NamedTuple):
    """Words that take each other's place; `targets` are the indices that may come in (empty: all)."""

    kind: str
    words: tuple[str, ...]
    targets: tuple[int, ...] = ()


def _cycle(kind: str, words: str, *targets: int) -> Cycle:
    return Cycle(kind, tuple(words.split()), targets)


# Months come in that have 31 days, so that a day of the month stays one.
_LONG = (0, 2, 4, 6, 7, 9, 11)
_MONTH_CYCLES = tuple(
    _cycle("date", words, *_LONG)
    for words in (
        "January February March April May June July August September October November December",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
        "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    )
)
CYCLES = (
    *_MONTH_CYCLES,
    _cycle("date", "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
    _cycle("date", "понедельник вторник среда четверг пятница суббота воскресенье"),
    _cycle("date", "понедельник вторник среду четверг пятницу субботу воскресенье"),
    _cycle("date", "понедельникам вторникам средам четвергам пятницам субботам воскресеньям"),
    _cycle("number", "two three four five six seven eight nine ten eleven twelve"),
    _cycle("number", "два три четыре"),
    _cycle("number", "двух трёх четырёх"),
    _cycle("number", "пять шесть семь восемь девять десять"),
    _cycle("number", "пяти шести семи восьми девяти десяти"),
)
_MONTHS = "|".join(w for c in _MONTH_CYCLES for w in c.words)
_TIME = re.compile(r"(?<![\d:.])(\d{1,2}):(\d\d)(?![\d:])")
_YEAR = re.compile(r"(?<![\w.,:/-])(?:19|20)\d\d(?![\w:/-]|[.,]\d)")
_NUMBER = re.compile(r"(?<![\w.,:/–-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\w|[:/–-]|[.,]\d|\.\s+\w)")
_AFTER_MONTH = re.compile(rf"(?:{_MONTHS})\s+$", re.IGNORECASE)
_BEFORE_MONTH = re.compile(rf"\s+(?:of\s+)?(?:{_MONTHS})\b", re.IGNORECASE)
_BEFORE_RANGE = re.compile(r"\s*(?:to|and|по|до|и|[–-])\s*\d")
_INSIDE = re.compile(r"(?<=[a-zа-яё,] )[A-ZА-ЯЁ][\w’'-]+")
_NAME = re.compile(
    r"(?:[Tt]he )?[\"“«']?(?:[Tt]he )?((?:[A-ZА-ЯЁ][\w’'.-]*)(?: (?:of |the |& )?[A-ZА-ЯЁ][\w’'.-]*)*)[\"”»'.]*"
)


def change(
    references: Sequence[str], question: str, name: str | None, names: Iterable[str], *seed: object
) -> Change | None:
    """The first reference with its date, else its number, else its name changed; None where no change would decide.

    `name` is the name that the first reference is, if it is one; `names` are those that may come in, best first.
    """
    text = references[0]
    if ALTERNATIVES.search(text) or len(tokens(text)) > MAX_WORDS:
        return None
    held, asked = [set(normal_tokens(r)) for r in references], set(normal_tokens(question))
    for kind, before, after in _edits(text, question, name, names, seed):
        old, new = set(normal_tokens(before)), set(normal_tokens(after))
        out, into = old - new, new - old
        if out and into and all(old <= words and not into & words for words in held) and not (out | into) & asked:
            parts = re.split(rf"(?<!\w){re.escape(before)}(?!\w)", text)
            return Change(after.join(parts), kind, before, after)
    return None


def _edits(
    text: str, question: str, name: str | None, names: Iterable[str], seed: tuple[object, ...]
) -> Iterator[Edit]:
    """Possible changes in order of preference: kind, what goes out, what comes in."""
    bare = len(tokens(text)) <= BARE_WORDS
    if bare or ASKS_DATE.search(question):
        yield from _cycled("date", text, seed)
    if bare or ASKS_AMOUNT.search(question) or ASKS_DATE.search(question):
        yield from _times(text, seed)
    if (bare or ASKS_AMOUNT.search(question)) and ": " not in text:
        yield from _numbers(text, seed)
        yield from _cycled("number", text, seed)
    if bare or ASKS_DATE.search(question):
        for found in _YEAR.finditer(text):
            yield "date", found[0], str(int(found[0]) - 2 - pick(3, *seed, "year"))
    if name:
        yield from (("name", name, other) for other in names)


def _cycled(kind: str, text: str, seed: tuple[object, ...]) -> Iterator[Edit]:
    for cycle in (c for c in CYCLES if c.kind == kind):
        folded = [w.casefold() for w in cycle.words]
        found = [m for m in re.finditer(rf"\b(?:{'|'.join(cycle.words)})\b", text, re.IGNORECASE) if _is(cycle, m)]
        # Two months or weekdays are a range; half of it changed is a muddle, not an answer.
        if len({m[0].casefold() for m in found}) != 1:
            continue
        here, size = folded.index(found[0][0].casefold()), len(folded)
        apart = [min((i - here) % size, (here - i) % size) for i in range(size)]
        far = [i for i in cycle.targets or range(size) if apart[i] >= min(_FAR, size // 2)]
        word = cycle.words[far[pick(len(far), *seed, kind)]]
        yield kind, found[0][0], word.capitalize() if found[0][0][0].isupper() else word


def _is(cycle: Cycle, found: re.Match[str]) -> bool:
    """English names of months and days are capitalised: "may" and "march" are other words."""
    return not cycle.words[0][0].isupper() or found[0][0].isupper()


def _times(text: str, seed: tuple[object, ...]) -> Iterator[Edit]:
    for found in _TIME.finditer(text):
        first, by = int(found[1]), 2 + pick(3, *seed, "time")
        moved = first + by if first > 23 else first - by if first > 12 else (first + by - 1) % 12 + 1
        yield "number", found[0], f"{moved}:{found[2]}"


def _numbers(text: str, seed: tuple[object, ...]) -> Iterator[Edit]:
    """Numbers that are no part of a date, moved by three tenths, by at least two."""
    for found in _NUMBER.finditer(text):
        if _YEAR.fullmatch(found[0]) or _in_date(text, found):
            continue
        whole, _, decimals = found[0].replace(",", "").partition(".")
        value, unit = int(whole + decimals), 10 ** len(decimals)
        step = max(2 * unit, round(0.3 * value / unit) * unit)
        moved = value - step if value - step >= 2 * unit and pick(2, *seed, "number") else value + step
        shown = f"{moved // unit:,}" if "," in found[0] else str(moved // unit)
        yield "number", found[0], f"{shown}.{moved % unit:0{len(decimals)}}" if decimals else shown


def _in_date(text: str, found: re.Match[str]) -> bool:
    after = text[found.end() :]
    return bool(_AFTER_MONTH.search(text[: found.start()]) or _BEFORE_MONTH.match(after) or _BEFORE_RANGE.match(after))


def names_of(references: Mapping[str, str], texts: Iterable[str]) -> dict[str, str]:
    """By question id the reference answers that are a name and nothing else.

    A single word is taken for one if it is capitalised inside a sentence of `texts` and nowhere in lower case.
    """
    seen = list(texts)
    capitalised = {w for text in seen for w in _INSIDE.findall(text)}
    lower = {w for text in seen for w in text.split() if w.islower()}
    found = {i: name for i, r in references.items() if (name := _whole_name(r))}
    return {i: n for i, n in found.items() if " " in n or (n in capitalised and n.casefold() not in lower)}


def _whole_name(text: str) -> str | None:
    """The name that a text consists of, quotes, article and full stop aside; None if there is more in it, or less."""
    found = _NAME.fullmatch(text.strip())
    return found[1].rstrip(".") if found else None
