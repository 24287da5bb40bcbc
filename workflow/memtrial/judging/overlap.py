"""The word-overlap F1 of two benchmarks as judges by rule: LoCoMo's, by category, and RUMBA's.

The grade is the F1; that an answer counts as right from a threshold on is ours, as both benchmarks report mean F1.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from functools import lru_cache
from typing import Any

from memtrial.errors import InputError
from memtrial.records import Gold

MULTI_HOP, OPEN_DOMAIN, ADVERSARIAL = "1", "3", "5"
CATEGORIES = frozenset("12345")
ABSTENTIONS = ("no information available", "not mentioned")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_SKIPPED = re.compile(r"\b(?:a|an|the|and)\b")

Decision = tuple[bool, float, str]


@lru_cache(maxsize=1)
def _porter() -> Any:
    # Imported when it is first needed: it takes a second, and most judges have no use for it.
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """NLTK's variant of Porter's stem, with which LoCoMo's F1 is computed (Snowball's `porter` gives others)."""
    return str(_porter().stem(word))


def locomo_words(text: str) -> list[str]:
    """A text's words as LoCoMo compares them: lower case, no ASCII punctuation, articles or "and", Porter stems.

    >>> locomo_words("The dogs, and a running cat!")
    ['dog', 'run', 'cat']
    """
    plain = text.lower().translate(_NO_PUNCTUATION)
    return [stem(w) for w in _SKIPPED.sub(" ", plain).split()]


def plain_f1(answer: str, reference: str) -> float:
    """F1 of the words as multisets; 0 where nothing is in common."""
    given, wanted = Counter(locomo_words(answer)), Counter(locomo_words(reference))
    common = (given & wanted).total()
    return 2 * common / (given.total() + wanted.total()) if common else 0.0


def multi_hop_f1(answer: str, reference: str) -> float:
    """Mean over the reference's comma-separated parts of the best F1 of a comma-separated part of the answer."""
    given, wanted = answer.split(","), reference.split(",")
    return sum(max(plain_f1(g, w) for g in given) for w in wanted) / len(wanted)


def locomo_f1(answer: str, reference: str, category: str) -> float:
    """LoCoMo's F1 (task_eval/evaluation.py of snap-research/locomo, category 5 aside) of an answer, in [0, 1].

    Category 1 goes by comma-separated parts; of a category 3 reference only what precedes the first semicolon counts.
    """
    if category == MULTI_HOP:
        return multi_hop_f1(answer, reference)
    return plain_f1(answer, reference.split(";")[0] if category == OPEN_DOMAIN else reference)


def locomo_rule(gold: Gold, answer: str, f1_threshold: float) -> Decision:
    """LoCoMo's score of an answer, best over references; category 5 is right if it has one of two official phrases.

    Raises `InputError` for a question without a LoCoMo category, or without a reference outside of category 5.
    """
    category = gold.labels.get("category", "")
    if category not in CATEGORIES:
        problem = f"expected a LoCoMo category from 1 to 5 of question '{gold.question_id}', found '{category}'"
        raise InputError(problem, file="gold", field="labels")
    if category == ADVERSARIAL:
        silent = any(phrase in answer.lower() for phrase in ABSTENTIONS)
        return silent, float(silent), "abstains" if silent else "answers"
    return _decided([locomo_f1(answer, r, category) for r in gold.reference_answers], gold, f1_threshold)


def rumba_f1(answer: str, reference: str) -> float:
    """RUMBA's F1: lower-case words split on white space, as sets.

    >>> rumba_f1("a red red cat", "A black cat")
    0.6666666666666666
    """
    given, wanted = set(answer.lower().split()), set(reference.lower().split())
    common = len(given & wanted)
    return 2 * common / (len(given) + len(wanted)) if common else 0.0


def rumba_rule(gold: Gold, answer: str, f1_threshold: float) -> Decision:
    """RUMBA's F1 of an answer, best over references. Raises `InputError` for a question without a reference."""
    return _decided([rumba_f1(answer, r) for r in gold.reference_answers], gold, f1_threshold)


def _decided(scores: list[float], gold: Gold, f1_threshold: float) -> Decision:
    if not scores:
        problem = f"an F1 needs a reference answer, and question '{gold.question_id}' has none"
        raise InputError(problem, file="gold", field="reference_answers")
    grade = round(max(scores), 6)
    return (True, grade, "overlaps") if grade >= f1_threshold else (False, grade, "differs")
