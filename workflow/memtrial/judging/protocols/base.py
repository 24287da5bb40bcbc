"""What a judge protocol is: how a request is written and how its reply is understood."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from memtrial.judging import parsing
from memtrial.records import Gold, Message, Question

PARAMETERS: Mapping[str, Any] = {"temperature": 0, "max_tokens": 256}


class Ruling(NamedTuple):
    """A reply as understood; `correct` is null where it is unparseable. `grade` is the protocol's own scale.

    `official` is what the benchmark's own reading of the same reply says, null where the protocol has none.
    """

    correct: bool | None
    grade: float | None = None
    official: bool | None = None


class Protocol(NamedTuple):
    """A judge protocol; `template_sha256` is of all its texts, `parse` is total.

    `parameters` are those of its requests unless the judge's spec says otherwise; `templates` gives the hash of each
    text that was taken from a benchmark's own file.
    """

    name: str
    template_sha256: str
    render: Callable[[Question, Gold, str], list[Message]]
    parse: Callable[[str], Ruling]
    parameters: Mapping[str, Any] = PARAMETERS
    templates: Mapping[str, str] = {}


def is_abstention(gold: Gold) -> bool:
    """Whether abstaining is the right answer: flagged so, or no gold exists (LoCoMo's adversarial questions)."""
    return gold.abstention or not gold.reference_answers


def language_of(question: Question) -> str:
    """The language in which a judge is asked: that of the question if it is Russian, else English."""
    return "ru" if question.language == "ru" else "en"


def message(*parts: str) -> list[Message]:
    """One user message of several parts, a blank line between them."""
    return [Message("user", "\n\n".join(parts))]


def yes_or_no(text: str) -> Ruling:
    """Yes is right, no is wrong, anything else unparseable; there is no grade."""
    return Ruling(parsing.verdict(text))
