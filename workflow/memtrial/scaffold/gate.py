"""Which operators a question needs, decided from its wording alone.

A question for advice, or for what the assistant said, needs none, unless it counts or dates something: the operators
read what the person stated. A period ("last week") asks for dates unless something is counted in it, for what is
counted is shown with its dates anyway. A total is added up from statements, so the newest alone does not answer it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memtrial.scaffold.cues import ADVICE, AMOUNTS, ASSISTANT_SAID, COUNTS_OR_DATES, CUES, PERIODS, TOTALS
from memtrial.text import nfc


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_CUES = {operator: _any(patterns) for operator, patterns in CUES.items()}
_PERIODS, _ADVICE, _COUNTS_OR_DATES = _any(PERIODS), _any(ADVICE), _any(COUNTS_OR_DATES)
_TOTALS, _ADDS_UP = _any(TOTALS), _any((*AMOUNTS, *TOTALS))
_ASSISTANT_SAID, _ASSISTANT_WHEN = _any(ASSISTANT_SAID), re.compile(r"\bwhen (?:did|have) you\b|\bкогда ты\b")


def cues(question: str) -> dict[str, str]:
    """The operators that a question asks for, in the order in which they are shown, each with the words that ask."""
    folded = fold(question)
    if _ADVICE.search(folded) and not _COUNTS_OR_DATES.search(folded):
        return {}
    if _ASSISTANT_SAID.search(folded) and not _ASSISTANT_WHEN.search(folded):
        return {}
    found = {operator: match.group() for operator, cue in _CUES.items() if (match := cue.search(folded))}
    if "counting" in found and _TOTALS.search(folded):
        found.pop("recency", None)
    if "counting" not in found and (period := _PERIODS.search(folded)):
        found.setdefault("dates", period.group())
    return {operator: found[operator] for operator in CUES if operator in found}


def adds_up(question: str) -> bool:
    """Whether a sum can answer: "how much did I spend", not "what was the price"."""
    return bool(_ADDS_UP.search(fold(question)))


def fold(question: str) -> str:
    """A question as cues are looked for: composed letters, lower case, ё folded to е, straight apostrophes."""
    return nfc(question).casefold().replace("ё", "е").replace("’", "'")
