"""Copies of a benchmark file, unchanged or with other answers, labels, ids or order of rows.

recompile          nothing: the same file goes through all stages a second time
gold-permutation   answers and evidence of the next question in their place
label-permutation  question types of the next question in their place
id-sabotage        question, conversation and session ids replaced by digests of themselves
row-order          rows, and sessions inside a row, in another order
"""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from memtrial.errors import InputError
from memtrial.store import atomic
from memtrial.text import canonical, sha256

Row = dict[str, Any]
Names = dict[str, str]
Mutation = Callable[[list[Row]], tuple[list[Row], Names]]
SEED = 20260830
UNCHANGED = "recompile"


def mutate_file(source: Path, fmt: str, control: str, target: Path, names: Path) -> dict[str, Any]:
    """Write the changed copy of `source` to `target`, and to `names` the old id of each new one (empty if ids stay).

    Returns how many rows differ. Raises `InputError` if none does where some should: such a control proves nothing.
    """
    opener = gzip.open if source.suffix == ".gz" else open
    with opener(source, "rt", encoding="utf-8") as file:
        rows: list[Row] = json.load(file)
    before = [canonical(r) for r in rows]
    changed, new_names = MUTATIONS[fmt][control](rows)
    differing = sum(a != canonical(b) for a, b in zip(before, changed, strict=True))
    if not differing and control != UNCHANGED:
        raise InputError(f"the control '{control}' changes nothing in this file", file=source.name)
    for path, value in ((target, changed), (names, new_names)):
        with atomic(path) as draft:
            draft.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return {"rows": len(rows), "rows_changed": differing}


def rotate(rows: Sequence[Row], fields: Iterable[str], group: Callable[[Row], Hashable]) -> None:
    """Give each row the `fields` of the next row of its group (absent ones are taken away)."""
    groups: dict[Hashable, list[Row]] = defaultdict(list)
    for row in rows:
        groups[group(row)].append(row)
    for members in groups.values():
        taken = [{f: row[f] for f in fields if f in row} for row in members]
        for row, new in zip(members, taken[1:] + taken[:1], strict=True):
            for field in fields:
                row.pop(field, None)
            row.update(new)


def disguise(name: object) -> str:
    """Another id in place of an id."""
    return f"x{sha256(f'sabotage {name}')[:12]}"


def _shuffled(items: Sequence[Any]) -> list[Any]:
    order = list(items)
    random.Random(SEED).shuffle(order)
    return order


def _haystack_gold(rows: list[Row]) -> tuple[list[Row], Names]:
    """Answers rotate; evidence becomes as many other sessions of the haystack, flagged on their first turn."""
    rotate(rows, ["answer"], lambda row: None)
    for row in rows:
        ids, sessions = row["haystack_session_ids"], row["haystack_sessions"]
        others = [i for i in dict.fromkeys(ids) if i not in set(row["answer_session_ids"])] or ids
        row["answer_session_ids"] = others[: len(row["answer_session_ids"])]
        for name, turns in zip(ids, sessions, strict=True):
            for n, turn in enumerate(turns):
                turn.pop("has_answer", None)
                if name in row["answer_session_ids"]:
                    turn["has_answer"] = n == 0
    return rows, {}


def _haystack_labels(rows: list[Row]) -> tuple[list[Row], Names]:
    rotate(rows, ["question_type"], lambda row: None)
    return rows, {}


def _haystack_ids(rows: list[Row]) -> tuple[list[Row], Names]:
    names = {disguise(row["question_id"]): row["question_id"] for row in rows}
    for row in rows:
        row["question_id"] = disguise(row["question_id"])
        for field in ("haystack_session_ids", "answer_session_ids"):
            row[field] = [disguise(i) for i in row[field]]
    return rows, names


def _haystack_order(rows: list[Row]) -> tuple[list[Row], Names]:
    fields = ("haystack_dates", "haystack_session_ids", "haystack_sessions")
    for row in rows:
        parallel = _shuffled(list(zip(*(row[f] for f in fields), strict=True)))
        row.update(zip(fields, map(list, zip(*parallel, strict=True)), strict=True))
    return _shuffled(rows), {}


def _dialogue_gold(rows: list[Row]) -> tuple[list[Row], Names]:
    """Within a category, since an adversarial question has another answer field."""
    for row in rows:
        rotate(row["qa"], ["answer", "adversarial_answer", "evidence"], lambda qa: qa["category"])
    return rows, {}


def _dialogue_labels(rows: list[Row]) -> tuple[list[Row], Names]:
    for row in rows:
        rotate([qa for qa in row["qa"] if qa["category"] != 5], ["category"], lambda qa: None)
    return rows, {}


def _dialogue_ids(rows: list[Row]) -> tuple[list[Row], Names]:
    """The ids of turns stay: they say where a turn stands, and evidence points to it."""
    field = "sample_id" if "sample_id" in rows[0] else "dialogue_id"
    names = {disguise(row[field]): str(row[field]) for row in rows}
    for row in rows:
        row[field] = disguise(row[field])
    return rows, names


def _dialogue_order(rows: list[Row]) -> tuple[list[Row], Names]:
    for row in rows:
        row["conversation"] = dict(_shuffled(list(row["conversation"].items())))
    return _shuffled(rows), {}


def _hub_gold(rows: list[Row]) -> tuple[list[Row], Names]:
    rotate(rows, ["answer", "evidence"], lambda row: row["conversation_idx"])
    return rows, {}


def _hub_labels(rows: list[Row]) -> tuple[list[Row], Names]:
    rotate(rows, ["category", "subcategory", "subsubcategory", "text_temporal_expression"], lambda row: None)
    return rows, {}


def _hub_ids(rows: list[Row]) -> tuple[list[Row], Names]:
    names = {disguise(row["id"]): row["id"] for row in rows}
    for row in rows:
        row["id"], row["user_id"] = disguise(row["id"]), disguise(row["user_id"])
    return rows, names


def _hub_order(rows: list[Row]) -> tuple[list[Row], Names]:
    for row in rows:
        row["conversation"] = _shuffled(row["conversation"])
    return _shuffled(rows), {}


def _unchanged(rows: list[Row]) -> tuple[list[Row], Names]:
    return rows, {}


def _table(gold: Mutation, labels: Mutation, ids: Mutation, order: Mutation) -> Mapping[str, Mutation]:
    changing = {"gold-permutation": gold, "label-permutation": labels, "id-sabotage": ids, "row-order": order}
    return {UNCHANGED: _unchanged, **changing}


def _by_form(hub: Mutation, dialogue: Mutation) -> Mutation:
    """RUMBA is published as a row a question (hub) and as a row a dialogue, in LoCoMo's manner (GitHub)."""

    def mutation(rows: list[Row]) -> tuple[list[Row], Names]:
        return (dialogue if "qa" in rows[0] else hub)(rows)

    return mutation


_DIALOGUE = (_dialogue_gold, _dialogue_labels, _dialogue_ids, _dialogue_order)
_HUB = (_hub_gold, _hub_labels, _hub_ids, _hub_order)

MUTATIONS: Mapping[str, Mapping[str, Mutation]] = {
    "longmemeval": _table(_haystack_gold, _haystack_labels, _haystack_ids, _haystack_order),
    "locomo": _table(*_DIALOGUE),
    "rumba": _table(*map(_by_form, _HUB, _DIALOGUE)),
}
