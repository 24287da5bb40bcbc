"""Events that a question names, so that each is matched apart: "between X and Y", "X or Y", "X before Y", "A, B and C".

A question that names one event, or whose parts say nothing of their own, has none to be told apart. Only its wording
counts; which day belongs to which event is for `dates` to find.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memtrial.scaffold.matching import question_stems

_I = re.IGNORECASE
_STARTS = r"(?:the|my|a|an|when|that|i|his|her|our|their|its|it|he|she|we|they|this|to|[A-Z]\w+)\b"
_PAIRS = tuple(
    re.compile(pattern, _I)
    for pattern in (
        r"\bsince\s+(?P<a>.+?),?\s+when\s+(?P<b>.+)$",
        rf"\bbetween\s+(?P<a>.+?),?\s+and\s+(?P<b>{_STARTS}.+)$",
        r"\bbetween\s+(?P<a>.+),?\s+and\s+(?P<b>.+)$",
        r"\b(?:passed|elapsed|take|took|days|weeks|months|time|long|it)\s+from\s+(?P<a>.+?)\s+(?:to|until|till)\s+(?P<b>.+)$",
        r"\bмежду\s+(?P<a>.+?),?\s+и\s+(?P<b>.+)$",
        r"\b(?:прошло|дней|недель|месяцев|лет|времени)\s+(?:от|с)\s+(?P<a>.+?)\s+(?:до|по)\s+(?P<b>.+)$",
    )
)
_CHOICES = tuple(
    re.compile(pattern, _I)
    for pattern in (
        r"^(?:.*[,:–—]\s+)?(?P<a>.+?),?\s+or\s+(?P<b>.+)$",
        r"^(?:.*[,:–—]\s+)?(?P<a>.+?),?\s+или\s+(?P<b>.+)$",
        r"\b(?:more|less|fewer|\w{2,}er)\b(?P<a>.+?)\s+than\s+(?P<b>.+)$",
        r"\b(?:больше|меньше|старше|младше|дольше|дороже|дешевле|чаще|реже)\b(?P<a>.+?),?\s+чем\s+(?P<b>.+)$",
    )
)
_SUBORDINATE = tuple(
    re.compile(pattern, _I)
    for pattern in (
        r"\b(?:before|after|since)\s+(?P<a>.+?),?\s+(?:did|had|have|was|were|do|does)\s+(?P<b>(?:i|we|he|she|they|[A-Z]\w+)\b.+)$",
        r"^(?P<a>.+?),?\s+(?:before|after|since|until|till|when|while|by the time)\s+(?P<b>.+)$",
        r"\b(?:после|перед)\s+(?P<a>[^,]+?),?\s+(?P<b>(?:я|мы|он|она|они)\b.+)$",
        r"^(?P<a>.+?),?\s+(?:до того,?\s+как|перед тем,?\s+как|прежде чем|после того,?\s+как|с тех пор,?\s+как|когда"
        r"|перед|после)\s+(?P<b>.+)$",
    )
)
_ORDERED = re.compile(
    r"\b(?:order|sequence|first|earliest|latest|chronolog\w+|порядк\w*|последовательност\w+|раньше)\b", _I
)
_CHOOSES = re.compile(
    r"\b(?:first|earli\w+|before|lat(?:er|est)|last|recent\w*|more|less|fewer|most|least|(?!other|never)\w{2,}er|раньше|позже"
    r"|перв\w+|последн\w+|сначала|недавно|больше|меньше|старше|младше|дольше|дороже|дешевле|чаще|реже)\b",
    _I,
)
_ITEM_END = re.compile(r",\s*(?:and\s+|or\s+|и\s+|или\s+)?|\s+(?:and|or|и|или)\s+(?=(?:the|my|a|an)\b)", _I)
LEAST_LISTED, MOST_LISTED = 3, 12


class Event(NamedTuple):
    """An event in the order in which the question names them (from 1): its content stems, and those of no other one."""

    number: int
    terms: tuple[str, ...]
    own: frozenset[str]


def named(question: str) -> list[Event]:
    """The events of a question that names several, else none."""
    text = question.strip().rstrip("?.! ")
    pairs = (_completed(_stems(_parts(p, text))) for p in _PAIRS)
    choices = _CHOICES if _CHOOSES.search(text) else ()
    others = (_stems(_parts(p, text)) for p in (*choices, *_SUBORDINATE))
    return next((e for stems in (_stems(_listed(text)), *pairs, *others) if len(e := _events(stems)) > 1), [])


def _stems(parts: list[str]) -> list[list[str]]:
    return [question_stems(part) for part in parts]


def _completed(stems: list[list[str]]) -> list[list[str]]:
    """After "adopting Toby and Buddy": a second part of one word leaves out what the first says before its last."""
    if len(stems) == 2 and len(stems[1]) == 1:
        stems[1] = [*stems[0][:-1], *stems[1]]
    return stems


def _listed(text: str) -> list[str]:
    """The items of a list after a colon or "among", where the question asks for an order."""
    before = [m.end() for m in re.finditer(r":|\bamong\b|\bсреди\b|\bиз\b(?=[^,]*,)", text, _I)]
    if not before or not _ORDERED.search(text):
        return []
    items = re.sub(r"(,[^,]+) (?:and|и) ([^,]+)$", r"\1, \2", text[before[-1] :])
    found = [item for item in _ITEM_END.split(items) if item.strip()]
    return found if LEAST_LISTED <= len(found) <= MOST_LISTED else []


def _parts(pattern: re.Pattern[str], text: str) -> list[str]:
    match = pattern.search(text)
    return [match["a"], match["b"]] if match else []


def _events(stems: list[list[str]]) -> list[Event]:
    """Events of the parts that have a content word which no other part has."""
    own = [frozenset(s).difference(*stems[:n], *stems[n + 1 :]) for n, s in enumerate(stems)]
    return [Event(n, tuple(s), o) for n, (s, o) in enumerate(((s, o) for s, o in zip(stems, own, strict=True) if o), 1)]
