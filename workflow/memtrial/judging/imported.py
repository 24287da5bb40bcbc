"""Somebody else's verdicts at the place of our own: one row for each answer, from a file and its field map.

A file that keeps what it never judged as wrong names how such rows are known (`unjudged`); they are no verdicts here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memtrial.errors import InputError
from memtrial.field_map import NOT_RELEASED, Row, chosen, joined, mapped, parse, text_of
from memtrial.judging.requests import paired
from memtrial.records import Answer, Gold, Verdict
from memtrial.text import canonical, sha256

PROTOCOL = "import"
FIELDS = ("question_id", "correct", "raw", "grade", "model", "model_resolved", "error", "answer")
# A Boolean, or one in the text of a CSV file.
VALUES = {"correct": [True, "true"], "wrong": [False, "false"]}
UNJUDGED = "unjudged"
UNKNOWN_MODEL = "unknown"


def import_verdicts(
    content: bytes, gold: Iterable[Gold], answers: Iterable[Answer], spec: Mapping[str, Any], file: str
) -> list[Verdict]:
    """The verdicts of a file, in gold order.

    `spec`: {"fields", "values", "unjudged", "protocol", "model"}, all but `fields` optional. `values` lists which
    values of the field `correct` mean `correct` and which `wrong`; null is unparseable, any other stops the import.
    `unjudged` is {"field", "equals"}: rows whose field has one of the listed values were never judged, and are errors.
    An answer that is not ok is unanswered whatever the file says, unless its text was merely not released. If `fields`
    names an `answer`, the verdicts must be on the very answers that lie here.
    Raises `InputError` where the file's questions or answers are not exactly these, or a value is not listed.
    """
    fields = dict(spec["fields"])
    if not fields.get("correct"):
        raise InputError("the field map names no field for correct", field="fields")
    rule = spec.get("unjudged")
    if rule:
        fields[UNJUDGED] = rule["field"]
    pairs = {g.question_id: (g, a) for g, a in paired(gold, answers)}
    rows = joined(mapped(parse(content, file), fields, file), list(pairs), file)
    _check_answers(rows, {key: answer for key, (_, answer) in pairs.items()}, file)
    template = sha256(canonical([fields, spec.get("values"), rule and list(rule["equals"])]))
    return [_verdict(a, rows[key], spec, template, file) for key, (_, a) in pairs.items()]


def _check_answers(rows: Mapping[str, Row], answers: Mapping[str, Answer], file: str) -> None:
    """Refuse a file that judged other answers, where it holds them."""
    other = [k for k, row in rows.items() if "answer" in row.values and not _same(row, answers[k])]
    if other:
        problem = f"{len(other)} of {len(rows)} verdicts are on other answers than those here (first '{other[0]}')"
        raise InputError(problem, file=file, row=rows[other[0]].number, field="answer")


def _same(row: Row, answer: Answer) -> bool:
    return text_of(row.values["answer"]).strip() in (answer.answer.strip(), answer.raw.strip())


def _verdict(answer: Answer, row: Row, spec: Mapping[str, Any], template: str, file: str) -> Verdict:
    values = row.values
    status, correct, error = _ruling(answer, row, spec, file)
    return Verdict(
        question_id=answer.question_id,
        status=status,
        correct=correct,
        grade=_grade(row, spec, file) if status == "judged" else None,
        official=None,
        raw=text_of(values.get("raw")),
        model_requested=text_of(values.get("model")) or spec.get("model") or UNKNOWN_MODEL,
        model_resolved=text_of(values.get("model_resolved")) or None,
        protocol=spec.get("protocol") or PROTOCOL,
        template_sha256=template,
        answer_sha256=sha256(answer.answer),
        request_sha256=None,
        attempts=0,
        error=error,
    )


def _ruling(answer: Answer, row: Row, spec: Mapping[str, Any], file: str) -> tuple[str, bool | None, str | None]:
    """(status, correct, error) of a row."""
    values, rule = row.values, spec.get("unjudged")
    if answer.status != "ok" and answer.error != NOT_RELEASED:
        return "unanswered", None, None
    if rule and chosen(values[UNJUDGED], {UNJUDGED: rule["equals"]}):
        return "error", None, f"the source did not judge it: {rule['field']} is {text_of(values[UNJUDGED])}"
    if error := text_of(values.get("error")).strip():
        return "error", None, error
    if values["correct"] is None:
        return "unparseable", None, None
    found = chosen(values["correct"], spec.get("values") or VALUES)
    if found is None:
        told = f"'{text_of(values['correct'])}' is listed neither as correct nor as wrong"
        raise InputError(told, file=file, row=row.number, field=spec["fields"]["correct"])
    return "judged", found == "correct", None


def _grade(row: Row, spec: Mapping[str, Any], file: str) -> float | None:
    given = row.values.get("grade")
    if given is None or given == "":
        return None
    try:
        if isinstance(given, bool | list | dict):
            raise ValueError
        grade = float(given)
        if grade - grade != 0:
            raise ValueError
    except ValueError:
        told = f"expected a finite number, found '{text_of(given)}'"
        raise InputError(told, file=file, row=row.number, field=spec["fields"]["grade"]) from None
    return grade
