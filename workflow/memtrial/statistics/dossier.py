"""Dossiers of disputed gold: files in which somebody objects to a benchmark's gold, as records of one shape.

A dossier never changes gold: tables are made with and without the questions that it names. Three forms are read:
`csv`, with a header question_id, kind, changes_score (true, false or empty), source, detail; `locomo-audit`, the list
of LoCoMo's errors by dial481/locomo-audit (CC BY-NC: read from the user's own file); and `fields`, any other file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from memtrial.errors import InputError
from memtrial.field_map import LOCOMO_AUDIT, chosen, files_of, renamed, table, text_of
from memtrial.records import Disputed
from memtrial.result_files import Files, Row

FORMS: dict[str, dict[str, Any]] = {
    "fields": {},
    "csv": {"fields": {n: n for n in ("question_id", "kind", "changes_score", "source", "detail")}},
    LOCOMO_AUDIT: {
        "fields": {
            "question_id": "question_id",
            "kind": "error_type",
            "answer": "correct_answer",
            "detail": "reasoning",
        },
        "ids": LOCOMO_AUDIT,
        "name": "dial481/locomo-audit",
        "kinds": {
            "wrong-citation": ["WRONG_CITATION"],
            "hallucination": ["HALLUCINATION"],
            "temporal-error": ["TEMPORAL_ERROR"],
            "attribution-error": ["ATTRIBUTION_ERROR"],
            "ambiguous": ["AMBIGUOUS"],
            "incomplete": ["INCOMPLETE"],
        },
        "changes_score": True,
        "unchanged": ["wrong-citation"],
    },
}
_FLAGS: dict[str, list[Any]] = {"true": [True, "true"], "false": [False, "false"], "unknown": [None, ""]}


class Dossier(NamedTuple):
    """The records of a dossier, and the ids that it names and the benchmark does not hold."""

    rows: list[Disputed]
    unknown: list[str]


def read_dossier(files: Files, question_ids: Collection[str], spec: Mapping[str, Any]) -> Dossier:
    """What a dossier's files (name to content) say about the questions of a benchmark, in the order of the files.

    `spec`: {"format"}, and for `fields` also {"fields", "rows", "only", "ids", "name", "kinds", "kind",
    "changes_score", "unchanged"}, the first four as in `field_map.table` and `joined`. `fields` may name question_id
    (needed), kind, changes_score, source, detail, and the answer that is right by the source. `name` is the source
    where no field says it, `kinds` lists under each word the values of the field `kind` that mean it, `kind` is the
    word for all others; `changes_score` holds for all rows if no field says it, but for the kinds of `unchanged`.
    Raises `InputError` if none of the ids is of this benchmark, and for a form that there is not.
    """
    if spec["format"] not in FORMS:
        raise InputError(f"expected one of {', '.join(FORMS)}, found '{spec['format']}'", field="format")
    spec = FORMS[spec["format"]] | dict(spec)
    if "fields" not in spec:
        raise InputError("a dossier of format fields needs a field map", field="fields")
    found = table(files, spec)
    ours, known = renamed(question_ids, spec.get("ids")), set(question_ids)
    named = [(ours.get(row.values["question_id"], row.values["question_id"]), row) for row in found]
    unknown = sorted({i for i, _ in named if i not in known})
    rows = [_disputed(i, row, spec) for i, row in named if i in known]
    if not rows:
        problem = f"none of its {len(unknown)} questions is of the benchmark"
        raise InputError(problem, file=files_of(found) or ", ".join(files), field="question_id")
    return Dossier(list(dict.fromkeys(rows)), unknown)


def _disputed(question_id: str, row: Row, spec: Mapping[str, Any]) -> Disputed:
    values = {name: text_of(value).strip() for name, value in row.values.items()}
    source = values.get("source") or spec.get("name") or row.file
    listed = chosen(row.values.get("kind"), spec.get("kinds", {}))
    kind = listed or spec.get("kind") or values.get("kind") or "disputed"
    changes = _flag(row, spec) if "changes_score" in values else spec.get("changes_score")
    answer = values.get("answer")
    told = [f"right by this source: {answer}"] if answer else []
    detail = "; ".join(filter(None, [*told, values.get("detail")]))
    return Disputed(question_id, source, kind, False if kind in spec.get("unchanged", ()) else changes, detail)


def _flag(row: Row, spec: Mapping[str, Any]) -> bool | None:
    found = chosen(row.values["changes_score"], _FLAGS)
    if found is None:
        told = f"expected true, false or nothing, found '{text_of(row.values['changes_score'])}'"
        raise InputError(told, file=row.file, row=row.number, field=spec["fields"]["changes_score"])
    return {"true": True, "false": False}.get(found)
