"""What an answer's value is, and whether two answers share one: the strict reading, on which controls rest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from memtrial.judging.lexical import normal_tokens
from memtrial.stopwords import ENGLISH, RUSSIAN
from memtrial.text import sha256, stem

_YEAR = re.compile(r"(?:19|20)\d\d")
# Minutes in a unit of time, by the stem of its name.
_MINUTES = {
    stem(word): minutes
    for minutes, words in (
        (1, "minute minutes минута минуты минут"),
        (60, "hour hours час часа часов"),
        (1440, "day days день дня дней"),
        (10080, "week weeks неделя недели недель"),
        (43830, "month months месяц месяца месяцев"),
        (525960, "year years год года лет"),
    )
    for word in words.split()
}
_NEAR = 1.15
_SAYING = frozenset({"yes", "no", "да", "нет"})
_EMPTY_WORDS = frozenset(stem(w) for w in (ENGLISH | RUSSIAN) - _SAYING)


def pick(count: int, *parts: object) -> int:
    """A number in [0, count) that depends on nothing but the parts: the seed and what is chosen for."""
    return int(sha256("\0".join(map(str, parts)))[:12], 16) % count


def value_words(text: str) -> frozenset[str]:
    """Stems that carry an answer's value: numbers as digits, no stop words; all stems where nothing else is left.

    >>> sorted(value_words("In the week before 9 June"))
    ['9', 'june']
    """
    words = frozenset(normal_tokens(text))
    return words - _EMPTY_WORDS or words


def durations(text: str) -> list[int]:
    """Lengths of time that a text gives in figures or number words, in minutes.

    >>> durations("two days, or 3 hours")
    [2880, 180]
    """
    words = normal_tokens(text)
    return [int(n) * _MINUTES[unit] for n, unit in pairwise(words) if n.isdecimal() and unit in _MINUTES]


def share_value(a: str, b: str) -> bool:
    """Whether two answers may give one value: a word of value in common, or nearly the same length of time.

    A year counts only where it is all that one of them gives.

    >>> share_value("5", "I fixed five items"), share_value("9 June 2023", "16 October 2023")
    (True, False)
    >>> share_value("21 days", "3 weeks ago")
    True
    """
    if any(max(x, y) <= _NEAR * min(x, y) for x in durations(a) for y in durations(b)):
        return True
    words = value_words(a), value_words(b)
    first, second = (w - {y for y in w if _YEAR.fullmatch(y)} or w for w in words)
    return bool(first & words[1] or second & words[0])


def differs_from_all(text: str, references: Iterable[str]) -> bool:
    """Whether an answer has some value and shares it with none of the references.

    A yes or no may agree with a reference that says neither ("somewhat"): it counts only against one that does.
    """
    words = value_words(text)
    said = words & _SAYING
    return bool(words) and not any(share_value(text, r) or (said and not value_words(r) & _SAYING) for r in references)
