"""Words of the calendar and of numbers in English and Russian, as data and as pattern fragments.

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
WEEKDAY_RU = r"(?:понедельник[ау]?|вторник[ау]?|сред[ауые]|четверг[ау]?|пятниц[ауые]|суббот[ауые]|воскресень[еяю])\b"

UNIT_EN = r"(?:day|week|weekend|month|year)"
UNIT_RU = r"(?:день|дн[яей]+|недел[яюиь]|месяц(?:а|ев)?|год(?:а)?|лет)"

# First month of a season of three (northern hemisphere, by calendar months).
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "весн": 3, "лет": 6, "осен": 9, "зим": 12}
SEASON_EN = r"(?:spring|summer|autumn|fall|winter)"
SEASON_RU = r"(?:весн(?:ой|а|ы|у)|лет(?:ом|о|а)|осен(?:ью|ь|и)|зим(?:ой|а|ы|у))"

# Holidays with a fixed date: pattern, first and last (month, day).
HOLIDAYS: tuple[tuple[str, tuple[int, int], tuple[int, int]], ...] = (
    (r"christmas eve", (12, 24), (12, 24)),
    (r"(?:christmas|xmas)(?: day)?(?! (?:party|tree|market|gift|present|card|dinner|lights))", (12, 25), (12, 25)),
    (r"boxing day", (12, 26), (12, 26)),
    (r"new year['’]?s eve", (12, 31), (12, 31)),
    (r"new year['’]?s(?: day)?", (1, 1), (1, 1)),
    (r"(?:st\.? )?valentine['’]?s(?: day)?", (2, 14), (2, 14)),
    (r"st\.? patrick['’]?s(?: day)?", (3, 17), (3, 17)),
    (r"april fools['’]?(?: day)?", (4, 1), (4, 1)),
    (r"cinco de mayo", (5, 5), (5, 5)),
    (r"juneteenth", (6, 19), (6, 19)),
    (r"halloween", (10, 31), (10, 31)),
    (r"(?:international )?women['’]?s day", (3, 8), (3, 8)),
    (r"католическ(?:ое|ого|ому) рождеств[оаеу]", (12, 25), (12, 25)),
    (r"рождеств[оаеу]", (1, 7), (1, 7)),
    (r"нов(?:ый|ого|ому|ым) год(?:а|у|ом)?", (12, 31), (1, 1)),
    (r"(?:день|дня|дню) (?:святого|св\.) валентина", (2, 14), (2, 14)),
    (r"(?:день|дня|дню) победы", (5, 9), (5, 9)),
    (r"х[эе]ллоуин[ае]?", (10, 31), (10, 31)),
)
HOLIDAY = "|".join(pattern for pattern, _, _ in HOLIDAYS)
_HOLIDAYS = tuple((re.compile(pattern), first, last) for pattern, first, last in HOLIDAYS)

# Words for a part of a month or year: 0 its beginning, 1 its middle, 2 its end.
_PARTS = {"early": 0, "beg": 0, "sta": 0, "mid": 1, "lat": 2, "end": 2, "нач": 0, "сер": 1, "кон": 2}
PART_EN = r"(?:early|mid|late)[\s-]+|(?:(?:the|at|in)\s+)*(?:beginning|start|middle|end)\s+of\s+(?:the\s+)?"
PART_RU = r"(?:начале|начала|середине|середины|конце|конца|концу)\s+"

_DAYS_EN = _listed(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
_DAYS_RU = _listed(
    "первого второго третьего четвертого пятого шестого седьмого восьмого девятого десятого одиннадцатого двенадцатого "
    "тринадцатого четырнадцатого пятнадцатого шестнадцатого семнадцатого восемнадцатого девятнадцатого двадцатого"
)
_DAY_WORDS: dict[str, int] = {
    **{word: n for words in (_DAYS_EN, _DAYS_RU) for n, word in enumerate(words, 1)},
    **{f"twenty-{word}": 20 + n for n, word in enumerate(_DAYS_EN[:9], 1)},
    **{f"двадцать {word}": 20 + n for n, word in enumerate(_DAYS_RU[:9], 1)},
    "thirtieth": 30, "thirty-first": 31, "тридцатого": 30, "тридцать первого": 31,
}  # fmt: skip
DAY_WORD = "|".join(sorted((w.replace("е", "[её]") if w >= "а" else w for w in _DAY_WORDS), key=lambda w: (-len(w), w)))
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1,
             "перв": 1, "втор": 2, "трет": 3, "четверт": 4, "последн": -1}  # fmt: skip
ORDINAL_EN = r"(?:first|1st|second|2nd|third|3rd|fourth|4th|last)"
ORDINAL_RU = r"(?:перв|втор|трет|четв[её]рт|последн)\w{1,3}"

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


def day(text: str) -> int:
    """Day of the month, in figures or as an ordinal word."""
    return int(text) if text.isdigit() else _DAY_WORDS[" ".join(key(text).split())]


def season(word: str) -> int:
    """First month of a season, in any case form."""
    name = key(word)
    return next(m for stem, m in _SEASONS.items() if name.startswith(stem))


def holiday(words: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """First and last (month, day) of a holiday; New Year's night runs over the turn of the year."""
    name = key(words)
    return next((first, last) for pattern, first, last in _HOLIDAYS if pattern.match(name))


def part(word: str) -> int:
    """0, 1 or 2: the beginning, middle or end that the words name."""
    return next(n for stem, n in _PARTS.items() if re.search(rf"\b{stem}", key(word)))


def ordinal(word: str) -> int:
    """1 .. 4, or -1 for the last."""
    name = key(word)
    return next(n for stem, n in _ORDINALS.items() if name.startswith(stem))


_COUNTS = {"": 1.0, "a": 1.0, "an": 1.0, "a couple of": 2.0, "couple of": 2.0, "a couple": 2.0, "пару": 2.0,
           "half a": 0.5, "пол": 0.5, "полтора": 1.5, "полторы": 1.5}  # fmt: skip
_FEW = re.compile(r"(?:a )?few|several|нескольк(?:о|их|им)")
COUNT_EN = r"a\s+couple(?:\s+of)?|(?:a\s+)?few|several|half\s+a|an?"
COUNT_RU = r"пару|нескольк(?:о|их)|полтор[аы]|пол(?=года)"


def loose(text: str | None) -> bool:
    """Whether the words name a number that is not meant exactly ("a couple of")."""
    return key(text or "").startswith(("a couple", "couple", "пару"))


def few(text: str | None) -> bool:
    """Whether the words name a small number that they leave open."""
    return bool(text and _FEW.fullmatch(" ".join(key(text).split())))


def count(text: str | None) -> float | None:
    """How many units the words before a unit count: a number, "a", "a couple of", "half a"; none says one."""
    folded = " ".join(key(text or "").split())
    return _COUNTS[folded] if folded in _COUNTS else number(folded)


def number(text: str) -> float | None:
    """Value of a numeral ("1,325", "4 700", "3.5", "2,5") or number words ("twenty-five", "сто двадцать"), else null.

    A comma before exactly three digits groups thousands, but not after a nought, else it is a decimal comma; a blank
    groups thousands.
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
    if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", plain):
        return float(plain.replace(",", ""))
    return float(plain.replace(",", ".")) if re.fullmatch(r"\d+(?:[.,]\d+)?", plain) else None
