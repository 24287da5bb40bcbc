"""What will be sent to a judge, rendered whole before any call; a lexical judge sends nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from memtrial.calls import canonical_parameters, make_request
from memtrial.errors import InputError
from memtrial.judging.protocols import protocol
from memtrial.records import Answer, Gold, Question, Request
from memtrial.text import sha256

DEFAULTS = {"temperature": 0, "max_tokens": 256}


def parameters(spec: dict[str, Any]) -> str:
    """Canonical parameters of a judge spec: `DEFAULTS`, overridden by the spec's; null in the spec leaves one out."""
    chosen = {**DEFAULTS, **spec.get("parameters", {})}
    return canonical_parameters(spec["model"], {k: v for k, v in chosen.items() if v is not None})


def render_requests(
    questions: Iterable[Question], gold: Iterable[Gold], answers: Iterable[Answer], spec: dict[str, Any]
) -> Iterator[Request]:
    """One request for each answer that is ok, in gold order. `spec`: {"kind", "model", "protocol", "parameters"}.

    Raises `InputError` where questions, gold and answers are not of the same questions.
    """
    if spec["kind"] == "lexical":
        return
    if spec["kind"] != "litellm":
        raise InputError(f"expected a judge of kind lexical or litellm, found '{spec['kind']}'", field="kind")
    chosen, shared = protocol(spec["protocol"]), parameters(spec)
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
