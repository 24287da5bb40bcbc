"""Somebody else's rankings at the place of our own: a retrieval log, through its field map, as candidates.

A log names sessions by their ids in the benchmark. What it ranks and the benchmark does not hold still takes up its
rank, so a gold session stands where the log put it, even if nothing but the gold of the benchmark is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memtrial.errors import InputError
from memtrial.field_map import at, files_of, joined, table, text_of
from memtrial.records import Candidate, Question, Session
from memtrial.result_files import Files, Row


class Rankings(NamedTuple):
    """Candidates, and what of the log there was: question ids with and without a ranking, items known and not.

    `repeated` counts ids that name several sessions of a conversation; each counts as the earliest of them.
    """

    candidates: list[Candidate]
    ranked: list[str]
    unranked: list[str]
    items: int
    known: int
    repeated: int


def import_rankings(
    files: Files, questions: Iterable[Question], sessions: Iterable[Session], spec: Mapping[str, Any]
) -> Rankings:
    """The rankings of files (name to content).

    `spec`: {"fields", "rows", "only", "ids", "missing"}, as in `field_map.table` and `joined`. `fields` names `ranked`,
    a list of session ids from the first rank on, or of objects whose field `item` is the id; and `question_id`, or
    `conversation_id` and `question`, whose text is looked for in that conversation. Several rows of the same question
    must rank alike. Questions without a ranking stop the import, count as found nowhere (`miss`) or not at all
    (`skip`), as `missing` says. Raises `InputError` for those, for questions that the benchmark does not hold, and for
    what is no list of ids.
    """
    asked = {q.question_id: q for q in questions}
    item = spec["fields"].get("item")
    fields = {name: field for name, field in spec["fields"].items() if name != "item"}
    rows = _by_question(files, list(asked.values()), {**spec, "fields": fields})
    unranked = [i for i in asked if i not in rows]
    if spec.get("missing", "refuse") == "refuse" and unranked:
        problem = f"{len(unranked)} of {len(asked)} questions have no ranking (first '{unranked[0]}')"
        raise InputError(problem, file=files_of(rows.values()), field="ranked")
    places, repeated = _places(sessions)
    ids = {i: _ids(row, item, fields) for i, row in rows.items()}
    found = [c for i, named in ids.items() for c in _candidates(i, named, places.get(asked[i].conversation_id, {}))]
    return Rankings(found, list(rows), unranked, sum(map(len, ids.values())), len(found), repeated)


def _by_question(files: Files, asked: Sequence[Question], spec: Mapping[str, Any]) -> dict[str, Row]:
    """The row of each question that has one, in the order of the questions."""
    if spec["fields"].get("question_id"):
        rows = table(files, spec, ("question_id", "ranked"))
        distinct = _alike(rows, [row.values["question_id"] for row in rows])
        return joined(list(distinct.values()), [q.question_id for q in asked], spec.get("ids"), partial=True)
    rows = table(files, spec, ("conversation_id", "question", "ranked"))
    by_key = _alike(rows, [_key(row.values["conversation_id"], row.values["question"]) for row in rows])
    wanted = {q.question_id: _key(q.conversation_id, q.question) for q in asked}
    if unknown := sorted(by_key.keys() - set(wanted.values())):
        problem = f"{len(unknown)} questions are not in the benchmark (the first in conversation '{unknown[0][0]}')"
        row = by_key[unknown[0]]
        raise InputError(problem, file=row.file, row=row.number, field=spec["fields"]["question"])
    return {i: by_key[key] for i, key in wanted.items() if key in by_key}


def _key(conversation_id: Any, question: Any) -> tuple[str, str]:
    return text_of(conversation_id), " ".join(text_of(question).split())


def _alike(rows: Sequence[Row], keys: Sequence[Any]) -> dict[Any, Row]:
    """The first row of each key; raises `InputError` where a later one of the key ranks otherwise."""
    first: dict[Any, Row] = {}
    for key, row in zip(keys, rows, strict=True):
        before = first.setdefault(key, row)
        if before.values["ranked"] != row.values["ranked"]:
            problem = f"ranks otherwise than row {before.number} of {before.file}, which has the same question"
            raise InputError(problem, file=row.file, row=row.number, field="ranked")
    return first


def _places(sessions: Iterable[Session]) -> tuple[dict[str, dict[str, int]], int]:
    """The position of each session id by conversation, the earliest of several, and how many ids have several."""
    places: dict[str, dict[str, int]] = defaultdict(dict)
    repeated = set()
    for s in sorted(sessions, key=lambda s: (s.conversation_id, s.position)):
        if places[s.conversation_id].setdefault(s.source_session_id, s.position) != s.position:
            repeated.add((s.conversation_id, s.source_session_id))
    return places, len(repeated)


def _ids(row: Row, item: str | None, fields: Mapping[str, Any]) -> list[str]:
    """The ids of a row's ranking, each once, at its first rank."""
    ranked = row.values["ranked"]
    if not isinstance(ranked, list):
        raise InputError("expected a list", file=row.file, row=row.number, field=fields["ranked"])
    return list(dict.fromkeys(_id(row, entry, item, fields) for entry in ranked))


def _id(row: Row, entry: Any, item: str | None, fields: Mapping[str, Any]) -> str:
    found = at(Row(row.number, entry, row.file), item) if item and isinstance(entry, dict) else entry
    if isinstance(found, bool) or not isinstance(found, str | int):
        told = f"expected ids{f', or objects with {item}' if item else ''}, found {text_of(found)[:60]}"
        raise InputError(told, file=row.file, row=row.number, field=fields["ranked"])
    return str(found)


def _candidates(question_id: str, ids: Iterable[str], places: Mapping[str, int]) -> Iterator[Candidate]:
    for rank, found in enumerate(ids, 1):
        if found in places:
            yield Candidate(
                question_id=question_id,
                position=places[found],
                pool_rank=rank,
                dense_rank=None,
                dense_score=None,
                keyword_rank=None,
                keyword_score=None,
                expansion_rank=None,
                expansion_score=None,
                best_turn=None,
                turns=[],
            )
