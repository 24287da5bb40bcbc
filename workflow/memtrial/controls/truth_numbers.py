"""Numbers of English and Russian text read a second time, by a small table that shares nothing with the operators'."""

from __future__ import annotations

import re
from datetime import date

from memtrial.controls.truth_calendar import moved

BLANKS = "\u0020\u00a0\u202f"
_EN = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *(f"{n}teen" for n in ("thir", "four", "fif", "six", "seven", "eigh", "nine")),
]
_RU = [
    *(r"нол[ья]", r"од(?:ин|н\w{1,3})", r"дв(?:а|е|ух|ум|умя|ое|оих)", r"тр(?:и|ех|ем|емя|ое|оих)"),
    *(r"чет(?:ыре|ырех|ырем|ырьмя|веро)", r"пят(?:ь|и|ью|еро)", r"шест(?:ь|и|ью|еро)", r"сем(?:ь|и|ью|еро)"),
    *(r"вос(?:емь|ьми)", r"девят[ьи]", r"десят[ьи]"),
    *(rf"{n}надцат[ьи]" for n in ("один", "две", "три", "четыр", "пят", "шест", "сем", "восем", "девят")),
]
_TENS_EN = [f"{n}ty" for n in ("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine")]
_TENS_RU = [
    *("двадцат[ьи]", "тридцат[ьи]", "сорока?"),
    *(rf"(?:{n})десят[ьи]?" for n in ("пят[ьи]", "шест[ьи]", "сем[ьи]", "восемь|восьми")),
    "девяност[оа]",
]
_LARGE: dict[str, float] = {
    "half|пол": 0.5, "полтор[аы]|полутора": 1.5, "couple|pair|пар[ау]": 2, "dozens?|дюжин[ауы]?": 12,
    "hundred|ст[оа]": 100, "двести": 200, "триста": 300, "четыреста": 400, "пятьсот": 500,
    "k|к|thousand|тыс|тысяч[ауи]?": 1e3, "m|mln|million|млн|миллион(?:а|ов)?": 1e6,
    "once|однажды": 1, "twice|дважды": 2, "thrice|трижды": 3, "полчаса": 0.5, "полгода": 6, "полдюжины": 6,
}  # fmt: skip
_NUMBERS = [
    *((pattern, float(n)) for words in (_EN, _RU) for n, pattern in enumerate(words)),
    *((pattern, float(10 * n)) for words in (_TENS_EN, _TENS_RU) for n, pattern in enumerate(words, 2)),
    *_LARGE.items(),
]
_ORDINALS = [
    *(r"first|перв\w+", r"second|втор\w+", r"third|трет\w+", r"fourth|четверт\w+", r"fifth|пят(?:ый|ая|ое|ую|ого|ой)"),
    *(r"sixth|шест(?:ой|ая|ое|ую|ого)", r"seventh|седьм\w+", r"eighth|восьм(?:ой|ая|ое|ую|ого)"),
    *(
        r"ninth|девят(?:ый|ая|ое|ую|ого|ой)",
        r"tenth|десят(?:ый|ая|ое|ую|ого|ой)",
        r"eleventh|одиннадцат(?:ый|ая|ое|ую|ого|ой)",
    ),
    r"twelfth|двенадцат(?:ый|ая|ое|ую|ого|ой)",
]
_SCALES = (12, 100, 1e3, 1e6)
_GROUPED = rf"[1-9]\d{{0,2}}(?:([,{BLANKS}])\d{{3}})(?:\1\d{{3}})*(?:\.\d+)?(?!\d)"
_FIGURES = re.compile(rf"{_GROUPED}|\d+(?:[.,]\d+)?(?![.,]?\d)")
_WORD = re.compile(r"[\s-]*(?:an?\s+)?([^\W\d_]+)\.?")


def word_value(word: str) -> float | None:
    """Value of one number word, English or Russian, in any case form; null for another word."""
    folded = word.casefold().replace("ё", "е")
    return next((n for pattern, n in _NUMBERS if re.fullmatch(pattern, folded)), None)


def number(text: str) -> tuple[float, str] | None:
    """The number with which a text begins, after a sign of money, and what follows it; null if it begins with none.

    Figures ("1,325", "4 700", "3.5", "2,5"), number words, or figures and a word that multiplies them ("1.5 million");
    "an" counts one, and a half may follow. An ordinal word is its number.
    """
    text = re.sub(rf"^[$€£₽{BLANKS}]+|^(?:an?|the)\s+(?=half|couple|pair|dozen|hundred|thousand)", "", text.casefold())
    figures = _FIGURES.match(text)
    total, at = (_figures(figures[0]), figures.end()) if figures else (None, 0)
    while word := _WORD.match(text, at):
        found = word_value(word[1])
        if found is None or (figures and found not in _SCALES):
            break
        scaled = total and (found in _SCALES or total == 0.5)
        total = (total or 0.0) * found if scaled else (total or 0.0) + found
        at = word.end()
    if total is None and (one := re.match(r"an? (?=\w)", text)):
        total, at = 1.0, one.end()
    if total and re.match(r"\s*(?:and a half|с половиной|½)|hour and a half", text[at:]):
        total += 0.5
    if total is None and (word := _WORD.match(text)):
        places = [n for n, pattern in enumerate(_ORDINALS, 1) if re.fullmatch(pattern, word[1].replace("ё", "е"))]
        return (float(places[0]), text[word.end() :]) if places else None
    return None if total is None else (float(total), text[at:])


def value(text: str) -> float | None:
    """The number with which a text begins; null if it begins with none."""
    found = number(text)
    return found[0] if found else None


def _figures(text: str) -> float:
    if re.fullmatch(_GROUPED, text):
        return float(re.sub(rf"[,{BLANKS}]", "", text))
    return float(text.replace(",", "."))


def span(first: date, last: date) -> list[int]:
    """From one day to a later one: days, days with both ends, weeks and days left, calendar months and days left.

    The months are the most that, added to the first day (or the end of a shorter month), do not pass the last one.
    """
    days = (last - first).days
    months = 12 * (last.year - first.year) + last.month - first.month
    months -= moved(first, months) > last
    return [days, days + 1, days // 7, days % 7, months, (last - moved(first, months)).days]
