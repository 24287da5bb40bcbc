"""Somebody else's verdicts at the place of our own: one row for each answer, from files and their field map.

Files that keep what they never judged as wrong name how such rows are known (`unjudged`), files that hold a part of the
questions say so (`missing`); such rows are no verdicts here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from memtrial.errors import InputError
from memtrial.field_map import NOT_RELEASED, UNKNOWN_MODEL, chosen, joined, table, text_of
from memtrial.judging.requests import paired
from memtrial.records import Answer, Gold, Verdict
from memtrial.result_files import Files, Row
from memtrial.text import canonical, sha256

PROTOCOL = "import"
# A Boolean, or one in the text of a CSV file.
VALUES = {"correct": [True, "true"], "wrong": [False, "false"]}
AT_LEAST = "at_least"
UNJUDGED = "unjudged"
_DECIMALS = 6


class Ruling(NamedTuple):
    """What a row rules: status, right or wrong, a grade that the field `correct` itself gives, and an error."""

    status: str
    correct: bool | None = None
    grade: float | None = None
    error: str | None = None


def import_verdicts(
    files: Files, gold: Iterable[Gold], answers: Iterable[Answer], spec: Mapping[str, Any]
) -> list[Verdict]:
    """The verdicts of files (name to content), in gold order.

    `spec`, as `field_map.of_cell` gives it: {"fields", "rows", "only", "ids", "values", "unjudged", "missing",
    "protocol", "model"}, all but `fields` optional; the first three as in `field_map.table`, `ids` as in
    `field_map.joined`. `fields` may name question_id and correct (needed), raw, grade, model, model_resolved, error,
    answer. `values` lists which values of the field `correct` mean `correct` and which `wrong`, or gives the number
    `at_least` from which on a score is right; null is unparseable, any other stops the import. Several fields as
    `correct`, or a list in one, are votes: what more than half of them say counts, else the row is unparseable. A
    score, or the share of votes for right, is the grade unless a field is. `unjudged` is {"field", "equals"}: rows
    whose field has one of the listed values were never judged, and are errors; so are questions that the files lack,
    if `missing` is `unjudged`. An answer that is not ok is unanswered whatever the files say, unless its text was
    merely not released. If `fields` names an `answer`, the verdicts must be on the very answers that lie here.
    Raises `InputError` where the questions or answers are not exactly these, or a value is not listed.
    """
    _check_values(spec.get("values") or {})
    fields, rule = dict(spec["fields"]), spec.get("unjudged")
    if rule:
        fields[UNJUDGED] = rule["field"]
    pairs = paired(gold, answers)
    found = table(files, {**spec, "fields": fields}, ("question_id", "correct"))
    partial = spec.get("missing") == UNJUDGED
    rows = joined(found, [g.question_id for g, _ in pairs], spec.get("ids"), partial)
    if not rows:
        raise InputError("the files hold none of the benchmark's questions", field="question_id")
    _check_answers(rows, {a.question_id: a for _, a in pairs})
    template = sha256(canonical([fields, spec.get("values"), rule and list(rule["equals"])]))
    return [_verdict(a, rows.get(a.question_id), spec, template) for _, a in pairs]


def _check_values(values: Mapping[str, Any]) -> None:
    both = [v for v in values.get("correct", ()) if chosen(v, {"wrong": values.get("wrong", ())})]
    if both:
        raise InputError(f"{text_of(both[0])!r} is listed as correct and as wrong", field="values")


def _check_answers(rows: Mapping[str, Row], answers: Mapping[str, Answer]) -> None:
    """Refuse a file that judged other answers, where it holds them."""
    other = [k for k, row in rows.items() if "answer" in row.values and not _same(row, answers[k])]
    if other:
        problem = f"{len(other)} of {len(rows)} verdicts are on other answers than those here (first '{other[0]}')"
        first = rows[other[0]]
        raise InputError(problem, file=first.file, row=first.number, field="answer")


def _same(row: Row, answer: Answer) -> bool:
    return text_of(row.values["answer"]).strip() in (answer.answer.strip(), answer.raw.strip())


def _verdict(answer: Answer, row: Row | None, spec: Mapping[str, Any], template: str) -> Verdict:
    values = row.values if row else {}
    ruling = _ruling(answer, row, spec)
    votes = values["correct"] if isinstance(values.get("correct"), list) else None
    grade = _number(row, "grade", spec, values["grade"]) if row and "grade" in values else ruling.grade
    return Verdict(
        question_id=answer.question_id,
        status=ruling.status,
        correct=ruling.correct,
        grade=grade if ruling.status == "judged" else None,
        official=None,
        raw=text_of(values.get("raw", votes)),
        model_requested=text_of(values.get("model")) or spec.get("model") or UNKNOWN_MODEL,
        model_resolved=text_of(values.get("model_resolved")) or None,
        protocol=spec.get("protocol") or PROTOCOL,
        template_sha256=template,
        # What an unreleased answer said is not known: two of them must not look like the same answer.
        answer_sha256="" if answer.error == NOT_RELEASED else sha256(answer.answer),
        request_sha256=None,
        attempts=0,
        error=ruling.error,
    )


def _ruling(answer: Answer, row: Row | None, spec: Mapping[str, Any]) -> Ruling:
    rule = spec.get("unjudged")
    if answer.status != "ok" and answer.error != NOT_RELEASED:
        return Ruling("unanswered")
    if row is None:
        return Ruling("error", error="the source did not judge it: it has no such question")
    values = row.values
    if rule and chosen(values[UNJUDGED], {UNJUDGED: rule["equals"]}):
        told = f"the source did not judge it: {rule['field']} is {text_of(values[UNJUDGED])}"
        return Ruling("error", error=told)
    if error := text_of(values.get("error")).strip():
        return Ruling("error", error=error)
    if isinstance(values["correct"], list):
        return _majority([_right(row, v, spec) for v in values["correct"]])
    correct = _right(row, values["correct"], spec)
    if correct is None:
        return Ruling("unparseable")
    scored = AT_LEAST in (spec.get("values") or {})
    return Ruling("judged", correct, _number(row, "correct", spec, values["correct"]) if scored else None)


def _majority(votes: list[bool | None]) -> Ruling:
    """What more than half of the votes say; a vote that says nothing counts among them."""
    right, wrong = votes.count(True), votes.count(False)
    if 2 * max(right, wrong) <= len(votes):
        return Ruling("unparseable")
    return Ruling("judged", right > wrong, round(right / (right + wrong), _DECIMALS))


def _right(row: Row, value: Any, spec: Mapping[str, Any]) -> bool | None:
    """What a value of the field `correct` says, None if it is null."""
    if value is None:
        return None
    choices: Mapping[str, Any] = spec.get("values") or VALUES
    if AT_LEAST in choices:
        score = _number(row, "correct", spec, value)
        return None if score is None else score >= choices[AT_LEAST]
    found = chosen(value, choices)
    if found is None:
        told = f"'{text_of(value)}' is listed neither as correct nor as wrong"
        raise InputError(told, file=row.file, row=row.number, field=_field(spec, "correct"))
    return found == "correct"


def _number(row: Row, field: str, spec: Mapping[str, Any], value: Any) -> float | None:
    """A value as a number, None where it is null or empty; raises `InputError` for any other."""
    if value is None or value == "":
        return None
    try:
        if isinstance(value, bool | list | dict):
            raise ValueError
        number = float(value)
        if number - number != 0:
            raise ValueError
    except ValueError:
        told = f"expected a finite number, found '{text_of(value)}'"
        raise InputError(told, file=row.file, row=row.number, field=_field(spec, field)) from None
    return number


def _field(spec: Mapping[str, Any], name: str) -> str:
    """The file's own name of a field."""
    theirs = spec["fields"][name]
    return ", ".join(theirs) if isinstance(theirs, list) else str(theirs)
