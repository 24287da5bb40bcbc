"""Names of months, weekdays, units and numbers in English and Russian, as data and as pattern fragments.

Words are looked up by `key`: lower case, ё folded to е; Russian ones by their first letters, which carry no ending.
"""

from __future__ import annotations

import re


def _listed(text: str) -> list[str]:
    return text.split()


_MONTHS_EN = _listed("january february march april may june july august september october november december")
_MONTHS_RU = _listed("янв фев мар апр ма июн июл авг сен окт ноя дек")
_WEEKDAYS_EN = _listed("monday tuesday wednesday thursday friday saturday sunday")
_WEEKDAYS_RU = _listed("пон вто сре чет пят суб вос")

MONTH_EN = (
    r"(?:jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?|july?|aug(?:ust|\.)?"
    r"|sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)"
)
# Without a day, "may" and "march" are a month only with a capital letter; short forms are none.
LONE_MONTH_EN = r"(?:january|february|(?-i:March)|april|(?-i:May)|june|july|august|september|october|november|december)"
MONTH_RU = (
    r"(?:январ[ьяею]|феврал[ьяею]|март[аеу]?|апрел[ьяею]|ма[йяею]|июн[ьяею]|июл[ьяею]|август[аеу]?"
    r"|сентябр[ьяею]|октябр[ьяею]|ноябр[ьяею]|декабр[ьяею])"
)
WEEKDAY_EN = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|(?-i:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun))\b"
)
WEEKDAY_RU = r"(?:понедельник|вторник|сред[ауы]|четверг|пятниц[ауы]|суббот[ауы]|воскресенье)\b"

UNIT_EN = r"(?:day|week|weekend|month|year)"
UNIT_RU = r"(?:день|дн[яей]+|недел[яюиь]|месяц(?:а|ев)?|год(?:а)?|лет)"

_UNITS_EN = _listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS_EN = _listed("twenty thirty forty fifty sixty seventy eighty ninety")
_UNITS_RU = (
    "ноль ноля",
    "один одна одно одну одного одной одним",
    "два две двух двум двумя двое двоих",
    "три трех трем тремя трое троих",
    "четыре четырех четырем четырьмя четверо",
    "пять пяти пятью пятеро",
    "шесть шести шестью шестеро",
    "семь семи семью семеро",
    "восемь восьми",
    "девять девяти",
    "десять десяти",
    "одиннадцать одиннадцати",
    "двенадцать двенадцати",
    "тринадцать тринадцати",
    "четырнадцать четырнадцати",
    "пятнадцать пятнадцати",
    "шестнадцать шестнадцати",
    "семнадцать семнадцати",
    "восемнадцать восемнадцати",
    "девятнадцать девятнадцати",
)
_TENS_RU = (
    "двадцать двадцати",
    "тридцать тридцати",
    "сорок сорока",
    "пятьдесят пятидесяти",
    "шестьдесят шестидесяти",
    "семьдесят семидесяти",
    "восемьдесят восьмидесяти",
    "девяносто девяноста",
)
_LARGER = {
    12: "dozen дюжина дюжину",
    100: "hundred сто ста",
    200: "двести",
    300: "триста",
    400: "четыреста",
    500: "пятьсот",
    1000: "thousand тысяча тысячи тысяч тысячу",
}
NUMBERS: dict[str, int] = {
    **{word: n for n, word in enumerate(_UNITS_EN)},
    **{word: 10 * n for n, word in enumerate(_TENS_EN, 2)},
    **{word: n for n, forms in enumerate(_UNITS_RU) for word in forms.split()},
    **{word: 10 * n for n, forms in enumerate(_TENS_RU, 2) for word in forms.split()},
    **{word: n for n, forms in _LARGER.items() for word in forms.split()},
}
_WORDS = "|".join(sorted((w.replace("е", "[её]") if w >= "а" else w for w in NUMBERS), key=lambda w: (-len(w), w)))
NUMBER_WORD = rf"(?:{_WORDS})\b"
# A run of number words, or digits; not the tail of another number, a range or a choice ("2-3", "one or two").
NUMBER = (
    r"(?<![\w.,/:–—-])(?<!\bor )(?<!\bили )"
    rf"(?:{NUMBER_WORD}(?:[\s-]+{NUMBER_WORD})*|\d{{1,3}}(?:[ \u00a0\u202f]\d{{3}})+\b|\d+(?:[.,]\d+)*\b)"
)


def key(word: str) -> str:
    """A word as it is looked up; letters that a pattern takes for i, k or s whatever their case become those."""
    return word.casefold().replace("\u0307", "").replace("ı", "i").replace("ё", "е")


def month(word: str) -> int:
    """Month 1..12 of a name, full or abbreviated, in any case form."""
    name = key(word).rstrip(".")
    if name[0] >= "а":
        return next(n for n, m in enumerate(_MONTHS_RU, 1) if name.startswith(m))
    return next(n for n, m in enumerate(_MONTHS_EN, 1) if m.startswith(name[:3]))


def weekday(word: str) -> int:
    """Weekday 0 (Monday) .. 6 of a name, full or abbreviated, in any case form."""
    name = key(word)
    if name[0] >= "а":
        return _WEEKDAYS_RU.index(name[:3])
    return next(n for n, d in enumerate(_WEEKDAYS_EN) if d.startswith(name[:3]))


def unit(word: str) -> str:
    """`day`, `week`, `weekend`, `month` or `year`."""
    name = key(word)
    russian = {"д": "day", "н": "week", "м": "month", "г": "year", "л": "year"}
    return russian.get(name[0]) or name.removesuffix("s")


def number(text: str) -> float | None:
    """Value of a numeral ("1,325", "4 700", "3.5", "2,5") or number words ("twenty-five", "сто двадцать"), else null.

    A comma before exactly three digits groups thousands, otherwise it is a decimal comma; a blank groups thousands.
    Words must compose: "two three" is not a number.
    """
    if text[0].isdigit():
        return _numeral(text)
    total, last, parts = 0, 0, [NUMBERS[key(w)] for w in text.replace("-", " ").split()]
    for place, value in enumerate(parts):
        if place and value in (12, 100, 1000) and total:
            total, last = total * value, value
        # A smaller number may follow tens ("twenty-five"), hundreds or thousands ("сто двадцать").
        elif place == 0 or (last >= 20 and value < (10 if last < 100 else last)):
            total, last = total + value, value
        else:
            return None
    return float(total)


def _numeral(text: str) -> float | None:
    plain = re.sub(r"[ \u00a0\u202f]", "", text)
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain):
        return float(plain.replace(",", ""))
    return float(plain.replace(",", ".")) if re.fullmatch(r"\d+(?:[.,]\d+)?", plain) else None
