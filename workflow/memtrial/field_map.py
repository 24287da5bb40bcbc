"""Other people's result files as rows of ours, through a field map.

A field map names for each of our fields the field of the file that holds it, or null for none: {"question_id": "id",
"correct": "autoeval_label.label"}. A name with dots leads into nested objects and lists (`votes.0`), unless a field has
just that name; one that ends in `?` may be missing, which counts as null. A list of names gives the list of their
values; as `question_id` it is an id of several parts, joined by `|`. Names in braces stand for the names of the cell:
"{reader}_p{reader_pass}".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from memtrial.errors import InputError
from memtrial.result_files import Files, Row, parse
from memtrial.text import canonical

# What of a definition may hold names of the cell in braces.
_FILLED = ("source", "fields", "rows", "only", "unjudged")
_CELL = ("benchmark", "system", "reader", "reader_pass", "judge", "draw")
# What an imported answer says as its error where the file was made public without the texts of the answers.
NOT_RELEASED = "the source holds no answer texts"
UNKNOWN_MODEL = "unknown"
LOCOMO_AUDIT = "locomo-audit"


def of_cell(definition: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    """A definition of kind import as it is for one cell, all names in braces filled in.

    The first entry of `cells` whose benchmark, system, reader, reader_pass, judge and draw are the cell's, as far as
    it gives them, replaces what it gives. Raises `InputError` for a name in braces that `names` has not.
    """
    entries = definition.get("cells", [])
    fits = (e for e in entries if all(str(e[n]) == str(names.get(n)) for n in _CELL if n in e))
    fit: Mapping[str, Any] = next(fits, {})
    laid = {k: v for k, v in definition.items() if k != "cells"} | {k: v for k, v in fit.items() if k not in _CELL}
    return {k: filled(v, names) if k in _FILLED else v for k, v in laid.items()}


def filled(value: Any, names: Mapping[str, Any]) -> Any:
    """A text with its names in braces filled in, and so every text in a list or a map."""
    if isinstance(value, Mapping):
        return {k: filled(v, names) for k, v in value.items()}
    if isinstance(value, list):
        return [filled(v, names) for v in value]
    if not isinstance(value, str):
        return value
    try:
        return value.format_map(names)
    except (KeyError, ValueError, IndexError):
        raise InputError(f"'{value}': in braces stands one of {', '.join(names)}", field="fields") from None


def table(files: Files, spec: Mapping[str, Any], required: Sequence[str] = ("question_id",)) -> list[Row]:
    """The rows of files (name to content) with our fields alone, by `spec`: {"fields", "rows", "only"}.

    `rows` leads to a list inside each row whose objects are the rows, laid over the row's own fields. `only`, {"field",
    "equals"}, keeps the rows whose field has a listed value, {"field", "present": true} those where it is not null.
    Raises `InputError` where the map names no field for one that is `required`, or a row lacks a field that is named.
    """
    for name in required:
        if not spec["fields"].get(name):
            raise InputError(f"the field map names no field for {name}", field="fields")
    rows = [row for file, content in files.items() for row in parse(content, file)]
    if spec.get("rows"):
        rows = exploded(rows, spec["rows"])
    if rule := spec.get("only"):
        rows = [row for row in rows if _kept(at(row, rule["field"]), rule)]
    return mapped(rows, spec["fields"])


def exploded(rows: Iterable[Row], path: str) -> list[Row]:
    """The objects of the lists (or the object) that `path` leads to, each laid over the fields of those around it."""
    found = list(rows)
    for name in path.split("."):
        outer, found = found, []
        for row in outer:
            inner = at(row, name)
            around = {k: v for k, v in row.values.items() if k != name}
            listed = [(row.number, inner)]
            if isinstance(inner, list):
                listed = [(f"{row.number}.{n}", item) for n, item in enumerate(inner, 1)]
            for number, item in listed:
                if not isinstance(item, dict):
                    told = f"expected an object or a list of objects, found {type(item).__name__}"
                    raise InputError(told, file=row.file, row=number, field=name)
                found.append(Row(number, around | item, row.file))
    return found


def _kept(value: Any, rule: Mapping[str, Any]) -> bool:
    if rule.get("present"):
        return value is not None and value != ""
    return chosen(value, {"kept": rule["equals"]}) is not None


def mapped(rows: Iterable[Row], fields: Mapping[str, Any]) -> list[Row]:
    """Rows with our fields alone; those that the map gives as null, or not at all, are left out.

    A question id comes as text. Raises `InputError` where a row lacks a field that is named.
    """
    named = {ours: theirs for ours, theirs in fields.items() if theirs}
    found = []
    for row in rows:
        values = {
            ours: [at(row, t) for t in theirs] if isinstance(theirs, list) else at(row, theirs)
            for ours, theirs in named.items()
        }
        if "question_id" in named:
            values["question_id"] = id_text(row, named["question_id"], values["question_id"])
        found.append(Row(row.number, values, row.file))
    return found


def id_text(row: Row, field: Any, value: Any) -> str:
    """An id as text: text or a whole number, or several of them joined by `|` if the map names several fields."""
    parts = value if isinstance(field, list) else [value]
    if any(isinstance(p, bool) or not isinstance(p, str | int) or not str(p).strip() for p in parts):
        named = ", ".join(field) if isinstance(field, list) else field
        raise InputError("expected text or a whole number", file=row.file, row=row.number, field=named)
    return "|".join(map(str, parts))


def at(row: Row, path: str) -> Any:
    """The value that a name leads to; raises `InputError` if the row has none, null if it ends in `?`."""
    if path in row.values:
        return row.values[path]
    value: Any = row.values
    for name in path.removesuffix("?").split("."):
        if isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        elif isinstance(value, dict) and name in value:
            value = value[name]
        elif path.endswith("?"):
            return None
        else:
            raise InputError("the row has no such field", file=row.file, row=row.number, field=path)
    return value


def joined(
    rows: Sequence[Row], wanted: Collection[str], ids: str | None = None, partial: bool = False
) -> dict[str, Row]:
    """The rows by question id, in the order of `wanted`: one for each of these ids, and no other.

    `ids` is the rule by which the file names them, if they are not ours (`locomo-audit`). With `partial` ids may be
    missing. Raises `InputError` that counts what is missing, unknown and there twice, and names the first of each.
    """
    ours = renamed(wanted, ids)
    by_id: dict[str, Row] = {}
    twice: dict[str, None] = {}
    for row in rows:
        key = ours.get(row.values["question_id"], row.values["question_id"])
        if key in by_id:
            twice[key] = None
        by_id.setdefault(key, row)
    known = set(wanted)
    differences = {
        "missing": [w for w in wanted if w not in by_id and not partial],
        "unknown": [k for k in by_id if k not in known],
        "there twice": list(twice),
    }
    if told := [f"{len(ids)} {what} (first '{ids[0]}')" for what, ids in differences.items() if ids]:
        problem = f"the file's questions are not the {len(known)} of the benchmark: {', '.join(told)}"
        raise InputError(problem, file=files_of(rows), field="question_id")
    return {w: by_id[w] for w in wanted if w in by_id}


def files_of(rows: Iterable[Row]) -> str | None:
    """The files that rows are of, in words."""
    first, *others = list(dict.fromkeys(row.file for row in rows)) or [""]
    return f"{first} and {len(others)} more" if others else first or None


def renamed(wanted: Iterable[str], rule: str | None) -> dict[str, str]:
    """Foreign question ids to ours. `locomo-audit` counts conversations, in order of their number: `locomo_0_qa12`."""
    if rule is None:
        return {}
    if rule != LOCOMO_AUDIT:
        raise InputError(f"expected {LOCOMO_AUDIT}, found '{rule}'", field="ids")
    parts = {w: found for w in wanted if (found := re.fullmatch(r"(.*?([0-9]+))-q0*([0-9]+)", w))}
    order = {c: n for n, (_, c) in enumerate(sorted({(int(p[2]), p[1]) for p in parts.values()}))}
    return {f"locomo_{order[p[1]]}_qa{p[3]}": w for w, p in parts.items()}


def text_of(value: Any) -> str:
    """A value as text: null is empty, other than text and numbers canonical JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else canonical(value)


def chosen(value: Any, choices: Mapping[str, Collection[Any]]) -> str | None:
    """Which choice lists a value, None if none does. Text is compared without case and outer blanks; true is not 1."""
    for name, listed in choices.items():
        if any(_plain(value) == _plain(item) for item in listed):
            return name
    return None


def _plain(value: Any) -> tuple[str, Any]:
    if isinstance(value, str):
        return "text", value.strip().casefold()
    return "flag" if isinstance(value, bool) else "other", value
