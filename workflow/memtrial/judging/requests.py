"""What will be sent to a judge, rendered whole before any call; a judge by rule sends nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from memtrial import local_spec
from memtrial.errors import InputError
from memtrial.judging.protocols import protocol
from memtrial.judging.protocols.base import Protocol
from memtrial.judging.rules import RULES
from memtrial.records import Answer, Gold, Question, Request
from memtrial.request import canonical_parameters, make_request
from memtrial.text import sha256

MODEL_KINDS = ("litellm", "local")


def parameters(spec: dict[str, Any], chosen: Protocol) -> str:
    """Canonical parameters of a judge spec: the protocol's, overridden by the spec's, where null leaves one out."""
    if spec["kind"] == "local":
        known = {k: v for k, v in chosen.parameters.items() if k in local_spec.PARAMETERS}
        spec = {**spec, "parameters": {**known, **spec.get("parameters", {})}}
        return canonical_parameters(*local_spec.request_parameters(spec))
    given = {**chosen.parameters, **spec.get("parameters", {})}
    return canonical_parameters(spec["model"], {k: v for k, v in given.items() if v is not None})


def render_requests(
    questions: Iterable[Question],
    gold: Iterable[Gold],
    answers: Iterable[Answer],
    spec: dict[str, Any],
    official_text: str | None = None,
) -> Iterator[Request]:
    """One request for each answer that is ok, in gold order; none for a judge by rule.

    `spec`: {"kind", "model", "protocol", "form", "parameters"}; `official_text` is that of the benchmark's own file,
    for a form that needs it. Raises `InputError` where questions, gold and answers are not of the same questions.
    """
    if spec["kind"] in RULES:
        return
    if spec["kind"] not in MODEL_KINDS:
        known = ", ".join((*RULES, *MODEL_KINDS))
        raise InputError(f"expected a judge of kind {known}, found '{spec['kind']}'", field="kind")
    chosen = protocol(spec, official_text)
    shared = parameters(spec, chosen)
    asked = {q.question_id: q for q in questions}
    for golden, answer in paired(gold, answers):
        if golden.question_id not in asked:
            raise InputError(f"no question '{golden.question_id}'", file="questions", field="question_id")
        if answer.status == "ok":
            messages = chosen.render(asked[golden.question_id], golden, answer.answer)
            yield make_request(golden.question_id, messages, shared, {"answer": sha256(answer.answer)})


def paired(gold: Iterable[Gold], answers: Iterable[Answer]) -> list[tuple[Gold, Answer]]:
    """Each gold row with its answer, in gold order. Raises `InputError` naming a question that only one of them has."""
    rows, given = list(gold), {a.question_id: a for a in answers}
    if odd := given.keys() ^ {g.question_id for g in rows}:
        raise InputError(f"gold and answers differ by question '{min(odd)}'", file="answers", field="question_id")
    return [(g, given[g.question_id]) for g in rows]
