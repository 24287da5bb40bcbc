"""How much of a unit a number in its place says: whole numbers only, never a part of a range or a longer number."""

from __future__ import annotations

import re

from memtrial.controls.truth_numbers import number, word_value
from memtrial.text import stem, tokens

# Signs and words that mean the same; "pounds" is a weight.
_MONEY = (r"\$|доллар|dollar|usd|buck", "€|euro|eur|евро", "£|gbp|quid", "₽|rub|roub|руб", "%|per ?cent|процент")
# Pattern of the words for a unit, its family, and how much of the smallest unit of that it is.
_UNITS: tuple[tuple[str, str, float], ...] = (
    (r"sec(?:ond)?s?|сек(?:унд\w*)?", "time", 1),
    (r"min(?:ute)?s?|мин(?:ут\w*)?", "time", 60),
    (r"h(?:ou)?rs?|час\w*", "time", 3600),
    (r"days?|день|дн\w+|сут\w+", "time", 86_400),
    (r"w(?:ee)?ks?|недел\w*", "time", 604_800),
    (r"mo(?:nth)?s?|месяц\w*", "months", 1),
    (r"y(?:ea)?rs?|год\w*|лет", "months", 12),
    (r"cm|centimet\w+|см|сантиметр\w*", "length", 1),
    (r"met(?:er|re)s?|метр\w*", "length", 100),
    (r"kms?|kilomet\w+|км|километр\w*", "length", 100_000),
    (r"gr(?:am\w*)?|гр(?:амм\w*)?", "weight", 1),
    (r"kgs?|kilo(?:gram\w*|s)?|кг|кило(?:грамм\w*)?", "weight", 1000),
    (r"ml|millilit\w+|мл|миллилитр\w*", "volume", 1),
    (r"lit(?:er|re)s?|литр\w*", "volume", 1000),
    (r"miles?|mi|мил[ияь]\w?", "miles", 1),
    (r"f(?:ee|oo)?t|фут\w*", "feet", 1),
    (r"inch(?:es)?|дюйм\w*", "inches", 1),
    (r"lbs?|pounds?|фунт\w*", "pounds", 1),
    (r"times?|раза?", "times", 1),
)
# Words that are a number and its unit at once, and that unit.
_BOTH = ((r"полчаса|получас", "hours"), (r"полгода", "months"), (r"once|twice|thrice|однажды|дважды|трижды", "times"))
# Of four words after a number one is its unit.
_REACH = 4
_LONGER_AFTER = re.compile(r"\s?[-–—/]\s?\d|[.,:]\d|[\u0020\u00a0\u202f]\d{3}(?!\d)")
_LONGER_BEFORE = re.compile(r"\d[.,:/]$|\d\s?[-–—]\s?$|(?<!\d)[1-9]\d{0,2}[\u0020\u00a0\u202f]$")


def amount(quote: str, before: str, after: str, unit: str | None) -> float | None:
    """How much of a unit (null: of anything) a quotation says that begins with a number; null if it says none of it.

    `before` and `after` are what stands around it in its line.
    """
    found = number(quote + after)
    if found is None or (quote[0].isdigit() and _LONGER_BEFORE.search(before)) or _LONGER_AFTER.match(found[1]):
        return None
    value, following = found
    if unit is None:
        return value
    if money := next((pattern for pattern in _MONEY if re.match(pattern, unit.casefold())), None):
        beside = re.match(money, quote.casefold()) or re.match(rf"\s*(?:{money})", following)
        return value if beside else None
    both = next((u for pattern, u in _BOTH if re.match(pattern, quote.casefold())), "")
    for word in [*tokens(both), *tokens(re.split(r"[.!?;](?:\s|$)", following)[0])][:_REACH]:
        if (factor := _factor(word, unit)) is not None:
            return value * factor
        if word[0].isdigit() or word_value(word) not in (None, 1):
            return None
    return None


def _factor(word: str, unit: str) -> float | None:
    """How much of a unit one of a word is; null if they do not convert."""
    ours, theirs = _unit(word), _unit(unit.casefold())
    if ours and theirs:
        return ours[1] / theirs[1] if ours[0] == theirs[0] else None
    return 1.0 if stem(word) == stem(unit.casefold().replace("ё", "е")) else None


def _unit(word: str) -> tuple[str, float] | None:
    return next(((family, size) for pattern, family, size in _UNITS if re.fullmatch(pattern, word)), None)
