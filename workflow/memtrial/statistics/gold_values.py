"""What a gold answer says, as typed values: a number, a duration, a day, an interval of days, or a short string.

This reader shares nothing with the scaffold's operators: it measures them, so it must not repeat their mistakes.
Days and intervals are read by `gold_days`. A gold of another make (long text, yes or no, an abstention, none at all)
is of kind `none` and not measured. An answer may accept several values ("21 days. 22 days is also acceptable.").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from memtrial.records import Gold
from memtrial.statistics.gold_days import gold_spans, names_a_date
from memtrial.text import nfc, stems, tokens

KINDS = ("number", "duration", "day", "interval", "string")
Duration = tuple[float, str]  # how many, and of which of UNITS
_MOST_STEMS = 5  # a longer answer is text that can be put in other words, not a string to be found
_MOST_WORDS = 9  # of a first clause that is taken to say a number ("I attended three weddings")

_SIMPLE = {
    0: "zero ноль", 1: "one once один одна одно одну одного одной одному одним однажды",
    2: "two twice both couple два две двух двум двумя двое двоих дважды пара пару оба обе",
    3: "three thrice три трех трем тремя трое троих трижды", 4: "four четыре четырех четырем четырьмя четверо",
    5: "five пять пяти пятью пятеро", 6: "six шесть шести шестью", 7: "seven семь семи семью",
    8: "eight восемь восьми восемью", 9: "nine девять девяти девятью", 10: "ten десять десяти десятью",
    11: "eleven одиннадцать одиннадцати", 12: "twelve dozen двенадцать двенадцати",
    13: "thirteen тринадцать тринадцати", 14: "fourteen четырнадцать четырнадцати",
    15: "fifteen пятнадцать пятнадцати", 16: "sixteen шестнадцать шестнадцати",
    17: "seventeen семнадцать семнадцати", 18: "eighteen восемнадцать восемнадцати",
    19: "nineteen девятнадцать девятнадцати", 20: "twenty двадцать двадцати", 30: "thirty тридцать тридцати",
    40: "forty сорок сорока", 50: "fifty пятьдесят пятидесяти", 60: "sixty шестьдесят шестидесяти",
    70: "seventy семьдесят семидесяти", 80: "eighty восемьдесят восьмидесяти", 90: "ninety девяносто девяноста",
    100: "сто ста", 200: "двести двухсот", 300: "триста трехсот", 400: "четыреста четырехсот", 500: "пятьсот пятисот",
    600: "шестьсот", 700: "семьсот", 800: "восемьсот", 900: "девятьсот", 1.5: "полтора полторы", 0.5: "пол",
}  # fmt: skip
_WORDS = {word: float(value) for value, words in _SIMPLE.items() for word in words.split()}
_SCALES = {"hundred": 100.0, "thousand": 1e3, "million": 1e6, "k": 1e3, "тыс": 1e3, "тысяча": 1e3, "тысячи": 1e3}
_SCALES |= {"тысячу": 1e3, "тысяч": 1e3, "миллион": 1e6, "миллиона": 1e6, "миллионов": 1e6, "млн": 1e6}
_FIGURE = r"\d{1,3}(?:[,\u00a0\u202f ]\d{3})+(?:\.\d+)?(?!\d)|\d+(?:[.,]\d+)?"
_TOKEN = re.compile(rf"(?P<figure>{_FIGURE})(?P<ordinal>(?:st|nd|rd|th|-?(?:го|й|я|е|му))\b)?|(?P<word>[^\W\d_]+)")

_UNIT_WORDS = {
    "days": "day days день дня дней дню днем сутки суток", "weeks": "week weeks неделя недели недель неделю",
    "months": "month months месяц месяца месяцев", "years": "year years год года лет",
}  # fmt: skip
UNITS = {word: unit for unit, words in _UNIT_WORDS.items() for word in words.split()}
_HALVES = {"полгода": (6.0, "months"), "полугода": (6.0, "months"), "полмесяца": (0.5, "months")}
_CLOCK = re.compile(r"\b\d{1,2}(?::\d{2}(?:\s?[ap]\.?m\b)?|\s?[ap]\.?m\b)", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_HEAD = re.compile(r"^[^.,:;(!?]*(?:[.,:](?=\d)[^.,:;(!?]*)*")
_MOST_COUNTED = 3  # words behind a number that say what it counts ("three times a week")
_SPEAKERS = {"i", "you", "we", "я", "ты", "вы"}
_HEDGE_TEXT = """
    at least most about around nearly almost only just over more than exactly approximately likely for
    у в около примерно почти всего не менее более
"""
_HEDGES = set(_HEDGE_TEXT.split())
_NOTHING = {"yes", "no", "likely", "да", "нет"}
_FUNCTION_TEXT = """
    a an the of in on at to for and or with by from her his their its my your is was were are it she he they i
    в во на с со к у и или по о об от до за из для не мой моя его ее их
"""
_FUNCTION_WORDS = set(_FUNCTION_TEXT.split())


class GoldValue(NamedTuple):
    """A gold's kind (one of KINDS, or `none`) and the values that answer it.

    Values by kind: number float; duration (count, unit); day and interval (first day, last day); string the set of
    its content stems.
    """

    kind: str
    accepted: tuple[Any, ...]


def gold_value(gold: Gold) -> GoldValue:
    """The typed value of a question's reference answers; of several, those of the first one's kind are accepted."""
    if gold.abstention or not gold.reference_answers:
        return GoldValue("none", ())
    values = [_answer_value(answer) for answer in gold.reference_answers]
    accepted = [v for value in values if value.kind == values[0].kind for v in value.accepted]
    return GoldValue(values[0].kind, tuple(dict.fromkeys(accepted)))


def _answer_value(answer: str) -> GoldValue:
    text = " ".join(nfc(answer).split())
    if spans := gold_spans(_CLOCK.sub(" ", text)):
        return GoldValue("day" if all(first == last for first, last in spans) else "interval", spans)
    if names_a_date(text):
        return GoldValue("none", ())  # a day without a year, "a few years before 2023": says a time, but not which
    if found := _gold_durations(text):
        return GoldValue("duration", found)
    if number := _gold_number(text):
        return GoldValue("number", number)
    found_stems = content_stems(text)
    if 0 < len(found_stems) <= _MOST_STEMS and not _NOTHING & set(tokens(text)[:1]):
        return GoldValue("string", (found_stems,))
    return GoldValue("none", ())


def _gold_number(text: str) -> tuple[float, ...]:
    """The number of an answer whose first clause is one number and what it counts, or a sentence that says so.

    "The Witcher 3" and "2D adventure" hold a number but are none.
    """
    head = _HEAD.match(text)
    clause = head[0] if head and not _CLOCK.search(text) else ""
    found = list(_numbers(clause))
    words = tokens(clause)
    if len(found) != 1 or len(words) > _MOST_WORDS or clause[found[0][1] : found[0][1] + 1].isalpha():
        return ()
    said = bool(words) and words[0] in _SPEAKERS
    counted = len(tokens(clause[found[0][1] :])) <= _MOST_COUNTED
    starts = next((w for w in words if w not in _HEDGES), "")
    return (found[0][0],) if said or (counted and numbers_in(starts)) else ()


def _gold_durations(text: str) -> tuple[Duration, ...]:
    """The durations of an answer whose first sentence is little but one duration."""
    sentences = _SENTENCE.split(text)
    first = durations_in(sentences[0])
    rate = re.search(r"\b(?:once|twice|times|раза?)\b", sentences[0], re.IGNORECASE)
    if len(first) != 1 or rate or len(tokens(sentences[0])) > _MOST_STEMS:
        return ()
    unit = first[0][1]
    return tuple(dict.fromkeys(d for sentence in sentences for d in durations_in(sentence) if d[1] == unit))


def content_stems(text: str) -> frozenset[str]:
    """Stems of a text without articles, prepositions and the like."""
    return frozenset(stem for word in tokens(text) if word not in _FUNCTION_WORDS for stem in stems(word))


def numbers_in(text: str) -> list[float]:
    """The cardinal numbers of a text in order, figures and English or Russian number words: "$1,300", "twenty-five"."""
    return [value for value, _ in _numbers(text)]


def durations_in(text: str) -> list[Duration]:
    """Durations written as number and unit, in order: "21 days", "six months", "a week", "две недели", "полгода"."""
    found: list[Duration] = []
    ends = {end: value for value, end in _numbers(text)}
    for match in re.finditer(r"[^\W\d_]+", text.casefold().replace("ё", "е")):
        word, before = match[0], text[: match.start()].rstrip(" -\u00a0")
        if word in _HALVES:
            found.append(_HALVES[word])
        elif word in UNITS and len(before) in ends:
            found.append((ends[len(before)], UNITS[word]))
        elif word in UNITS and re.search(r"\b(?:an?|one)$", before, re.IGNORECASE):
            found.append((1.0, UNITS[word]))
    return found


def _numbers(text: str) -> Iterable[tuple[float, int]]:
    """The numbers of a text, each with the index of the character behind it; joined words make one number."""
    folded = text.casefold().replace("ё", "е")
    value, end, open_below = 0.0, -1, 0.0
    for match in _TOKEN.finditer(folded):
        word = match["word"] or ""
        joined = end >= 0 and not folded[end : match.start()].strip(" -\u00a0")
        part = _WORDS.get(word) if word else None
        if joined and word in _SCALES:
            value, end, open_below = value * _SCALES[word], match.end(), _SCALES[word]
            continue
        if joined and part is not None and 0 < part < open_below and part == int(part):
            value, end, open_below = value + part, match.end(), _below(part)
            continue
        if end >= 0:
            yield value, end
        value, end, open_below = 0.0, -1, 0.0
        if match["figure"] and not match["ordinal"]:
            value, end = _figure(match["figure"]), match.end()
        elif part is not None:
            value, end, open_below = part, match.end(), _below(part)
        elif word in _SCALES and word != "k":
            value, end, open_below = _SCALES[word], match.end(), _SCALES[word]
    if end >= 0:
        yield value, end


def _below(part: float) -> float:
    """What may still be added to a number word: ones to tens, tens and ones to hundreds."""
    if part >= 100:
        return 100.0
    return 10.0 if part >= 20 else 0.0


def _figure(text: str) -> float:
    plain = re.sub(r"[,\u00a0\u202f ](?=\d{3}(?:\D|$))", "", text)
    return float(plain.replace(",", "."))
