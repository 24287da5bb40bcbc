"""Answers that no memory made: what a judge gives to them is what a score is worth before any memory is tried.

They stand at the place of a reader's answers, under the system `trivial`. The gold echo alone sees the gold: it is the
ceiling of a judge (what it refuses of the very reference), and no system's result.
"""

from __future__ import annotations

from collections.abc import Iterable

from memtrial.errors import InputError
from memtrial.records import Answer, Gold, Question

BASELINES = ("always-abstain", "question-echo", "gold-echo")
MODEL = "baseline"
# Worded so that every judge by rule takes them for an abstention, LoCoMo's own included ("not mentioned").
ABSTENTIONS = {
    "en": "No such information is available: it is not mentioned in the sessions.",
    "ru": "Такой информации нет: в сессиях это не упоминается.",
}


def baseline_answers(name: str, questions: Iterable[Question], gold: Iterable[Gold] | None = None) -> list[Answer]:
    """The answers of the baseline `name` (one of `BASELINES`), in the order of `questions`, all of status ok.

    `always-abstain` says in the question's language (Russian, else English) that the information is missing;
    `question-echo` repeats the question; `gold-echo` gives the first reference answer as it stands, and abstains where
    there is none. Raises `InputError` for another name, and where `gold-echo` lacks the gold of a question.
    """
    if name not in BASELINES:
        raise InputError(f"expected one of {', '.join(BASELINES)}, found '{name}'", field="baselines")
    golds = {g.question_id: g for g in gold or ()}
    return [_answer(q, _text(name, q, golds)) for q in questions]


def _text(name: str, question: Question, golds: dict[str, Gold]) -> str:
    abstention = ABSTENTIONS.get(question.language, ABSTENTIONS["en"])
    if name == "always-abstain":
        return abstention
    if name == "question-echo":
        return question.question
    if question.question_id not in golds:
        raise InputError(f"no gold for question '{question.question_id}'", file="gold", field="question_id")
    references = golds[question.question_id].reference_answers
    return references[0] if references else abstention


def _answer(question: Question, text: str) -> Answer:
    return Answer(
        question_id=question.question_id,
        status="ok",
        answer=text,
        raw=text,
        reasoning="",
        finish_reason=None,
        model_requested=MODEL,
        model_resolved=None,
        usage={},
        request_sha256="",
        packet_sha256="",
        scaffold_sha256="",
        attempts=0,
        error=None,
    )
