"""Porter's stemmer (Program 14, 1980) in the variant of NLTK's `PorterStemmer`, with which LoCoMo's F1 is computed.

The variant adds to the published algorithm a list of irregular words and small changes to steps 1 and 2; Snowball's
`porter` has none of them and gives other stems, hence other scores.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_IRREGULAR = {
    "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "innings": "inning", "outings": "outing",
    "cannings": "canning",
    **{w: w for w in ("sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed", "succeed")},
}  # fmt: skip
_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
    ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
    ("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful"),
)  # fmt: skip
_STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
)  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of one word, in lower case.

    >>> [stem(w) for w in ("ponies", "relational", "dying", "happily", "sky")]
    ['poni', 'relat', 'die', 'happili', 'sky']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    word = word.lower()
    if len(word) <= 2:
        return word
    for step in (_plural, _participle, _final_y, _step_2, _step_3, _step_4, _final_e, _final_l):
        word = step(word)
    return word


def _shape(word: str) -> str:
    """A word's letters as v (vowel; y after a consonant is one) and c."""
    shape = ""
    for letter in word:
        shape += "v" if letter in "aeiou" or (letter == "y" and shape.endswith("c")) else "c"
    return shape


def _measure(word: str) -> int:
    """How many times a vowel is followed by a consonant."""
    return _shape(word).count("vc")


def _short_end(word: str) -> bool:
    """Whether a word ends consonant, vowel, consonant (not w, x, y), or is a vowel and a consonant."""
    shape = _shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")


def _replaced(word: str, rules: Iterable[tuple[str, str]]) -> str:
    """The first suffix that the word has is replaced, if the rest has a positive measure."""
    for suffix, replacement in rules:
        if word.endswith(suffix):
            rest = word.removesuffix(suffix)
            return rest + replacement if _measure(rest) > 0 else word
    return word


def _plural(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _participle(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    suffix = next((s for s in ("ed", "ing") if word.endswith(s)), None)
    if suffix is None or "v" not in _shape(rest := word.removesuffix(suffix)):
        return word
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) > 1 and rest[-1] == rest[-2] and _shape(rest).endswith("c"):
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _short_end(rest) else rest


def _final_y(word: str) -> str:
    turns = word.endswith("y") and len(word) > 2 and _shape(word[:-1]).endswith("c")
    return word[:-1] + "i" if turns else word


def _step_2(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _step_2(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, _STEP_2)


def _step_3(word: str) -> str:
    return _replaced(word, _STEP_3)


def _step_4(word: str) -> str:
    suffix = next((s for s in _STEP_4 if word.endswith(s)), "")
    rest = word.removesuffix(suffix)
    if not suffix or _measure(rest) <= 1 or (suffix == "ion" and rest[-1] not in "st"):
        return word
    return rest


def _final_e(word: str) -> str:
    rest = word[:-1]
    measure = _measure(rest)
    return rest if word.endswith("e") and (measure > 1 or (measure == 1 and not _short_end(rest))) else word


def _final_l(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
