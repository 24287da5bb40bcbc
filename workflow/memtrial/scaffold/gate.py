"""Which operators a question needs, decided from its wording alone."""

from __future__ import annotations

import re

from memtrial.scaffold.words import CUES
from memtrial.text import nfc

_CUES = {operator: re.compile("|".join(patterns)) for operator, patterns in CUES.items()}


def operators(question: str) -> list[str]:
    """Operators whose cue words stand in the question, in the order in which they are shown; empty = no scaffold.

    `chronology` and `matching` accompany every other operator.
    """
    folded = nfc(question).casefold().replace("ё", "е").replace("’", "'")
    fired = [operator for operator, cue in _CUES.items() if cue.search(folded)]
    return ["chronology", *fired, "matching"] if fired else []
