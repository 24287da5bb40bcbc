"""From replies of a judge to verdicts: one row for every question, judged or not."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from memtrial.calls import Outcome
from memtrial.errors import InputError
from memtrial.judging.protocols import protocol
from memtrial.judging.protocols.base import Protocol, Ruling
from memtrial.judging.requests import paired
from memtrial.records import Answer, Gold, Request, Verdict
from memtrial.text import sha256


def to_verdicts(
    gold: Iterable[Gold],
    answers: Iterable[Answer],
    requests: Iterable[Request],
    outcomes: Iterable[Outcome],
    spec: dict[str, Any],
    official_text: str | None = None,
) -> list[Verdict]:
    """Verdicts in gold order; `outcomes` belong to `requests` one to one (whose messages are not looked at).

    `unanswered`: the answer is not ok; `error`: the judge was refused or gave no reply; `unparseable`: its reply is
    no verdict by our reading (a cut one is read like any other), though it may have one by the official reading.
    `correct` is null unless `judged`. Raises `InputError` where a request lacks or was made for another answer.
    """
    chosen = protocol(spec, official_text)
    replies = {r.question_id: (r, o) for r, o in zip(requests, outcomes, strict=True)}
    pairs = paired(gold, answers)
    verdicts = [_verdict(g, a, replies.pop(g.question_id, None), chosen, spec["model"]) for g, a in pairs]
    if replies:
        raise InputError(f"no gold for question '{min(replies)}'", file="requests", field="question_id")
    return verdicts


def _verdict(
    gold: Gold, answer: Answer, reply: tuple[Request, Outcome] | None, chosen: Protocol, model: str
) -> Verdict:
    if (reply is None) != (answer.status != "ok"):
        problem = f"requests and answers differ by question '{gold.question_id}'"
        raise InputError(problem, file="requests", field="question_id")
    request, outcome = reply or (None, None)
    if request and json.loads(request.context)["answer"] != sha256(answer.answer):
        problem = f"the request of question '{gold.question_id}' is for another answer"
        raise InputError(problem, file="requests", field="context")
    status, ruling = ruled(outcome, chosen)
    return Verdict(
        question_id=gold.question_id,
        status=status,
        correct=ruling.correct,
        grade=ruling.grade,
        official=ruling.official,
        raw=outcome.text if outcome else "",
        model_requested=model,
        model_resolved=outcome.model_resolved if outcome else None,
        protocol=chosen.name,
        template_sha256=chosen.template_sha256,
        answer_sha256=sha256(answer.answer),
        request_sha256=request.sha256 if request else None,
        attempts=outcome.attempts if outcome else 0,
        error=outcome.error if outcome else None,
    )


def ruled(outcome: Outcome | None, chosen: Protocol) -> tuple[str, Ruling]:
    """A verdict's status, and what it rules: nothing where there is no reply."""
    if outcome is None:
        return "unanswered", Ruling(None)
    if outcome.status in ("refused", "error"):
        return "error", Ruling(None)
    ruling = chosen.parse(outcome.text)
    return "unparseable" if ruling.correct is None else "judged", ruling
