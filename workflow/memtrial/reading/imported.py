"""Somebody else's answers at the place of our own: one row for each question, from a file and its field map.

Answers are taken as they stand, or, with `answer_line`, as a reply in which the answer line is looked for. What such a
reader saw is not known: the hashes of request, packet and scaffold are empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memtrial.errors import InputError
from memtrial.field_map import NOT_RELEASED, Row, chosen, joined, mapped, parse, text_of
from memtrial.reading.answers import apart, parse_answer
from memtrial.records import Answer, Question

STATUSES = ("ok", "truncated", "refused", "error")
FIELDS = ("question_id", "answer", "status", "error", "reasoning", "finish_reason", "model", "model_resolved")
UNKNOWN_MODEL = "unknown"


def import_answers(content: bytes, questions: Iterable[Question], spec: Mapping[str, Any], file: str) -> list[Answer]:
    """The answers of a file, in the order of `questions`.

    `spec`: {"fields", "statuses", "empty", "answer_line", "model"}, all but `fields` optional. `statuses` lists under
    each of `STATUSES` the values of the file's status field that mean it (by default each its own name). A row is an
    `error` if its error field is not empty. An answer that is ok but empty gets the status `empty` (`error` or
    `refused`); where `fields` names no answer at all the texts were not released, and every row is such an error.
    Raises `InputError` where the file's questions are not exactly these, or a status is not listed.
    """
    rows = mapped(parse(content, file), spec["fields"], file)
    return [_answer(q, row, spec, file) for q, row in joined(rows, [q.question_id for q in questions], file).items()]


def _answer(question_id: str, row: Row, spec: Mapping[str, Any], file: str) -> Answer:
    values = row.values
    raw = text_of(values.get("answer"))
    reasoning, reply = apart(raw)
    told = [text_of(values.get("reasoning")), reasoning]
    answer = parse_answer(reply) if spec.get("answer_line") else reply.strip()
    error: str | None = text_of(values.get("error")).strip() or None
    status = _status(row, spec, file)
    if status == "ok" and error:
        status = "error"
    if status == "ok" and not answer:
        released = "answer" in values
        status = spec.get("empty", "error") if released else "error"
        error = "the source's answer is empty" if released else NOT_RELEASED
    if status in ("refused", "error") and error is None:
        error = f"the source gives it as {text_of(values['status'])}"
    return Answer(
        question_id=question_id,
        status=status,
        answer=answer if status == "ok" else "",
        raw=raw,
        reasoning="\n\n".join(filter(None, told)),
        finish_reason=text_of(values.get("finish_reason")) or None,
        model_requested=text_of(values.get("model")) or spec.get("model") or UNKNOWN_MODEL,
        model_resolved=text_of(values.get("model_resolved")) or None,
        usage={},
        request_sha256="",
        packet_sha256="",
        scaffold_sha256="",
        attempts=0,
        error=error,
    )


def _status(row: Row, spec: Mapping[str, Any], file: str) -> str:
    if "status" not in row.values:
        return "ok"
    choices = spec.get("statuses") or {s: [s] for s in STATUSES}
    if found := chosen(row.values["status"], choices):
        return found
    told = f"'{text_of(row.values['status'])}' stands under none of the statuses {', '.join(choices)}"
    raise InputError(told, file=file, row=row.number, field=spec["fields"]["status"])
