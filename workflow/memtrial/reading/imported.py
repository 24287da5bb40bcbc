"""Somebody else's answers at the place of our own: one row for each question, from files and their field map.

Answers are taken as they stand, or, with `answer_line`, as a reply in which the answer line is looked for. What such a
reader saw is not known: the hashes of request, packet and scaffold are empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memtrial.errors import InputError
from memtrial.field_map import NOT_RELEASED, UNKNOWN_MODEL, chosen, joined, table, text_of
from memtrial.reading.answers import apart, parse_answer
from memtrial.records import Answer, Question
from memtrial.result_files import Files, Row

STATUSES = ("ok", "truncated", "refused", "error")


def import_answers(files: Files, questions: Iterable[Question], spec: Mapping[str, Any]) -> list[Answer]:
    """The answers of files (name to content), in the order of `questions`.

    `spec`, as `field_map.of_cell` gives it: {"fields", "rows", "only", "ids", "statuses", "empty", "answer_line",
    "model"}, all but `fields` optional; the first three as in `field_map.table`, `ids` as in `field_map.joined`.
    `fields` may name question_id (needed), answer, status, error, reasoning, finish_reason, model, model_resolved.
    `statuses` lists under each of `STATUSES` the values of the status field that mean it (by default each its own
    name). A row is an `error` if its error field is not empty. An answer that is ok but empty gets the status `empty`
    (`error` or `refused`); where `fields` names no answer at all the texts were not released, and every row is such an
    error. Raises `InputError` where the questions are not exactly these, or a status is not listed.
    """
    rows = joined(table(files, spec), [q.question_id for q in questions], spec.get("ids"))
    return [_answer(question_id, row, spec) for question_id, row in rows.items()]


def _answer(question_id: str, row: Row, spec: Mapping[str, Any]) -> Answer:
    values = row.values
    raw = text_of(values.get("answer"))
    reasoning, reply = apart(raw)
    told = [text_of(values.get("reasoning")), reasoning]
    answer = parse_answer(reply) if spec.get("answer_line") else reply.strip()
    error: str | None = text_of(values.get("error")).strip() or None
    status = _status(row, spec)
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


def _status(row: Row, spec: Mapping[str, Any]) -> str:
    if "status" not in row.values:
        return "ok"
    choices = spec.get("statuses") or {s: [s] for s in STATUSES}
    if found := chosen(row.values["status"], choices):
        return found
    told = f"'{text_of(row.values['status'])}' stands under none of the statuses {', '.join(choices)}"
    raise InputError(told, file=row.file, row=row.number, field=spec["fields"]["status"])
