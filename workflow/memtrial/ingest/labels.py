"""Files of questions and gold without any history, through a field map: what published verdicts can be judged by.

Of a conversation's sessions only the ids are known that its evidence names: they are sessions without turns, so that
retrieval logs can be scored against them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from memtrial.errors import InputError
from memtrial.field_map import chosen, id_text, table, text_of
from memtrial.ingest import row as source_row
from memtrial.ingest.conversation import Unit, session
from memtrial.records import Evidence, Gold, Quality, Question
from memtrial.result_files import Files, Row
from memtrial.text import language_of

FORMAT = "labels"
ONE_TYPE = "all"
_LABEL = "labels."
_FLAGS = {"true": [True, "true"], "false": [False, "false"]}


def units(files: Files, spec: Mapping[str, Any]) -> Iterator[Unit]:
    """The conversations of files (name to content), in order of their id.

    `spec`: {"fields", "rows", "only", "values"}, all but the first optional, as in `field_map.table`. `fields` may name
    question_id (needed), question, reference_answers (text, a number, a list of these, or null), question_type (default
    `all`), conversation_id (default the question's id), abstention (a Boolean field, or {"field", "equals"}: where it
    has a listed value), asked_at, language (default by the question), evidence (ids of sessions) and labels, a map of
    names to fields. `values` lists for question_type and language the values that mean each of our words.
    Raises `InputError` for a field that a row lacks, and for values of another kind.
    """
    fields, rule = _flat(spec["fields"])
    by_conversation: dict[str, list[Row]] = defaultdict(list)
    for row in table(files, {**spec, "fields": fields}):
        by_conversation[_conversation(row, fields)].append(row)
    for conversation_id, rows in sorted(by_conversation.items()):
        yield _unit(conversation_id, rows, rule, spec.get("values") or {})


def _flat(fields: Mapping[str, Any]) -> tuple[dict[str, Any], list[Any] | None]:
    """The field map with its labels beside the other fields, and the values of a field that mean abstention."""
    labels = {f"{_LABEL}{ours}": theirs for ours, theirs in (fields.get("labels") or {}).items()}
    flat = {ours: theirs for ours, theirs in fields.items() if ours != "labels"} | labels
    abstention = fields.get("abstention")
    if not isinstance(abstention, Mapping):
        return flat, None
    return flat | {"abstention": abstention["field"]}, list(abstention["equals"])


def _conversation(row: Row, fields: Mapping[str, Any]) -> str:
    if fields.get("conversation_id"):
        return id_text(row, fields["conversation_id"], row.values["conversation_id"])
    return str(row.values["question_id"])


def _unit(conversation_id: str, rows: list[Row], rule: list[Any] | None, values: Mapping[str, Any]) -> Unit:
    findings: list[Quality] = []
    references = [_references(row) for row in rows]
    named = sorted({reference for found in references for reference in found})
    unit = Unit(conversation_id, [session(name, None, []) for name in named], [], [], [], findings)
    places = {name: position for position, name in enumerate(named)}
    for row, found in zip(rows, references, strict=True):
        _question(row, unit, rule, values)
        question_id = row.values["question_id"]
        unit.evidence.extend(Evidence(question_id, places[r], None, r, True) for r in found)
        if "evidence" in row.values and not found:
            findings.append(Quality("no-evidence", question_id, "the source names no evidence"))
    return unit


def _question(row: Row, unit: Unit, rule: list[Any] | None, values: Mapping[str, Any]) -> None:
    """Add a question and its gold to the unit."""
    given = row.values
    question_id = given["question_id"]
    typed = source_row.Row(given, row.file, question_id, findings=unit.findings)
    question = text_of(given.get("question"))
    language = _word(row, "language", values) or (language_of(question) if question else "")
    asked_at = typed.optional_time("asked_at", given.get("asked_at"))
    unit.questions.append(Question(question_id, unit.conversation_id, question, asked_at, language, []))
    absent = given.get("reference_answers") in (None, "", [])
    answers = [] if absent else typed.answers("reference_answers")
    labels = {n.removeprefix(_LABEL): text_of(v) for n, v in given.items() if n.startswith(_LABEL) and v is not None}
    kind = _word(row, "question_type", values) or ONE_TYPE
    unit.gold.append(Gold(question_id, answers, kind, labels, _abstention(row, rule)))


def _word(row: Row, field: str, values: Mapping[str, Any]) -> str:
    """A field's value as text, or our word for it where the values of that field are listed."""
    given = row.values.get(field)
    if field not in values or given is None:
        return text_of(given).strip()
    if found := chosen(given, values[field]):
        return found
    told = f"'{text_of(given)}' stands under none of {', '.join(values[field])}"
    raise InputError(told, file=row.file, row=row.number, field=field)


def _abstention(row: Row, rule: list[Any] | None) -> bool:
    given = row.values.get("abstention")
    if rule is not None:
        return chosen(given, {"abstention": rule}) is not None
    found = chosen(False if given is None else given, _FLAGS)
    if found is None:
        told = f"expected true or false, found '{text_of(given)}'; say which values mean it with field and equals"
        raise InputError(told, file=row.file, row=row.number, field="abstention")
    return found == "true"


def _references(row: Row) -> list[str]:
    """The distinct session ids that a row's evidence names, in its order."""
    given = row.values.get("evidence")
    listed = given if isinstance(given, list) else [given] if given not in (None, "") else []
    if odd := next((item for item in listed if isinstance(item, bool) or not isinstance(item, str | int)), None):
        told = f"expected ids of sessions, found {text_of(odd)[:60]}"
        raise InputError(told, file=row.file, row=row.number, field="evidence")
    return list(dict.fromkeys(map(str, listed)))
