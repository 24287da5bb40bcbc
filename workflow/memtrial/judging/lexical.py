"""The lexical judge: NOT a language model. It compares words, so it neither understands paraphrase nor negation.

An answer is right if a reference stands in it as a run of words, or if its token F1 with a reference (multiset overlap,
best over references, as in SQuAD) reaches the threshold. Words are stems without English articles; number words up to
twenty, and the tens, equal digits; 1,200 equals 1200. Where abstaining is right, an answer is right if it abstains, and
elsewhere an abstaining answer is wrong. The rule is the same for all question types: a preference question, whose gold
describes a good answer instead of giving one, is hardly ever right by it.
"""

from __future__ import annotations

import re
from collections import Counter

from memtrial.judging.protocols.base import is_abstention
from memtrial.records import Gold
from memtrial.text import nfc, stem, tokens

PROTOCOL = "lexical-v1"

_NUMBERS = {
    "0": "zero ноль", "1": "one один одна одно", "2": "two twice два две дважды", "3": "three три трое трижды",
    "4": "four четыре четверо", "5": "five пять пятеро", "6": "six шесть", "7": "seven семь", "8": "eight восемь",
    "9": "nine девять", "10": "ten десять", "11": "eleven одиннадцать", "12": "twelve двенадцать",
    "13": "thirteen тринадцать", "14": "fourteen четырнадцать", "15": "fifteen пятнадцать",
    "16": "sixteen шестнадцать", "17": "seventeen семнадцать", "18": "eighteen восемнадцать",
    "19": "nineteen девятнадцать", "20": "twenty двадцать", "30": "thirty тридцать", "40": "forty сорок",
    "50": "fifty пятьдесят", "60": "sixty шестьдесят", "70": "seventy семьдесят", "80": "eighty восемьдесят",
    "90": "ninety девяносто", "100": "hundred сто",
}  # fmt: skip
_DIGITS = {word: digits for digits, words in _NUMBERS.items() for word in words.split()}
_ARTICLES = frozenset({"a", "an", "the"})
_THOUSANDS = re.compile(r"(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))")
_DECIMAL = re.compile(r"(?<![\d.,])(\d+)[.,](\d+)(?![\d.,]*\d)")
_ABSTAINS = (
    r"(?:not|never|n['’]t)\b[^.;\n]{0,40}\b(?:mention|said|say|stat|specif|provid|discuss|given|know|find|determin|record"
    r"|availab|answer|contain|includ|enough|sufficient|in the (?:session|convers))",
    r"\bnone of the (?:session|convers)",
    r"\bno (?:such |relevant |available |specific |further )?(?:information|mention|record|details?|data|evidence)\b",
    r"\b(?:unknown|unanswerable|unspecified|insufficient information)\b",
    r"\bне (?:был[аио]? )?(?:упомина|упомян|указан|говор|сказан|сообща|извест|знаю|обсужда|хватает)",
    r"\bнет (?:так(?:ой|их) )?(?:информац|сведен|данн|упомин)",
    r"\b(?:этого|такого|об этом|ответа|информации|сведений|данных|упоминаний)\b[^.;\n]{0,20}\bнет\b",
    r"\bнеизвестно\b",
    r"\bв сессиях\b[^.;\n]{0,20}\bнет\b",
)
_ABSTENTION = re.compile("|".join(_ABSTAINS), re.IGNORECASE)

MADE_OF = [PROTOCOL, _NUMBERS, sorted(_ARTICLES), _THOUSANDS.pattern, _DECIMAL.pattern, _ABSTAINS]


def normal_tokens(text: str) -> list[str]:
    """A text's stems as this judge compares them.

    >>> normal_tokens("The two cats cost $1,200.50")
    ['2', 'cat', 'cost', '1200d50']
    """
    plain = _DECIMAL.sub(r"\1d\2", _THOUSANDS.sub("", nfc(text)))
    return [_DIGITS.get(t) or stem(t) for t in tokens(plain) if t not in _ARTICLES]


def abstains(answer: str) -> bool:
    """Whether an answer says, in one of the known ways, that the information is missing."""
    return bool(_ABSTENTION.search(nfc(answer)))


def token_f1(answer: list[str], reference: list[str]) -> float:
    """Harmonic mean of precision and recall of the answer's tokens, as multisets; 0 if either is empty."""
    common = sum((Counter(answer) & Counter(reference)).values())
    return 2 * common / (len(answer) + len(reference)) if common else 0.0


def contains(answer: list[str], reference: list[str]) -> bool:
    """Whether the reference's tokens stand in the answer one after the other; an empty reference does not."""
    n = len(reference)
    return n > 0 and any(answer[i : i + n] == reference for i in range(len(answer) - n + 1))


def rule(gold: Gold, answer: str, f1_threshold: float) -> tuple[bool, float, str]:
    """Whether the answer is right, its grade in [0, 1] (F1; where abstaining is right, 1 or 0), and why in one word."""
    silent = abstains(answer)
    if is_abstention(gold):
        return silent, float(silent), "abstains" if silent else "answers"
    words = normal_tokens(answer)
    references = [normal_tokens(r) for r in gold.reference_answers]
    grade = round(max(token_f1(words, r) for r in references), 6)
    if silent and not any(abstains(r) for r in gold.reference_answers):
        return False, grade, "abstains"
    if any(contains(words, r) for r in references):
        return True, grade, "contains"
    return (True, grade, "overlaps") if grade >= f1_threshold else (False, grade, "differs")
