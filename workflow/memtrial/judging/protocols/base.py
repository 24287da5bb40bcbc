"""What a judge protocol is: how a request is written and how its reply is understood."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from memtrial.records import Gold, Message, Question
from memtrial.text import tokens

YES, NO = frozenset({"yes", "да"}), frozenset({"no", "нет"})
_FIRST_SENTENCE = re.compile(r"[.!?\n]")
_REASONING = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_LABEL = re.compile(r"\W*(?:verdict|answer|вердикт|ответ)\W*:", re.IGNORECASE)


class Ruling(NamedTuple):
    """A reply as understood; `correct` is null where it is unparseable. `grade` is the protocol's own scale."""

    correct: bool | None
    grade: float | None


class Protocol(NamedTuple):
    """A judge protocol; `template_sha256` is of all its texts, `parse` is total."""

    name: str
    template_sha256: str
    render: Callable[[Question, Gold, str], list[Message]]
    parse: Callable[[str], Ruling]


def is_abstention(gold: Gold) -> bool:
    """Whether abstaining is the right answer: flagged so, or no gold exists (LoCoMo's adversarial questions)."""
    return gold.abstention or not gold.reference_answers


def yes_or_no(text: str) -> bool | None:
    """The verdict in a reply that was asked for one word; total, never a guess.

    The first sentence decides if it starts with a verdict word (yes, no, да, нет) and holds no opposite one; else the
    last line, if it is a verdict word alone (`Verdict:`, `Answer:`, `Вердикт:` or `Ответ:` may stand before it).
    Two that contradict each other, or none, give None. Text between <think> and </think> is not part of the reply.
    """
    lines = [line for line in _REASONING.sub("", text).split("\n") if line.strip(" *_#`>-")]
    if not lines:
        return None
    sentences = [s for s in _FIRST_SENTENCE.split(lines[0]) if tokens(s)]
    first = tokens(sentences[0]) if sentences else []
    last = tokens(_LABEL.sub("", lines[-1], count=1))
    closing = _side(last) if len(last) == 1 else None
    if not first or first[0] not in YES | NO:
        return closing
    opening = _side(first)
    return None if closing is not None and closing != opening else opening


def _side(words: list[str]) -> bool | None:
    held = set(words)
    return None if bool(held & YES) == bool(held & NO) else bool(held & YES)
