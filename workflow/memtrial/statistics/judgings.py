"""The judgings of a benchmark, each cell once and in one order, and what makes two of them comparable."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from memtrial.errors import InputError
from memtrial.records import Verdict
from memtrial.statistics.cells import Cell, by_question
from memtrial.statistics.columns import CELL
from memtrial.text import canonical

Key = tuple[str, str, str, str]  # system, reader, pass, judge
Verdicts = dict[str, Verdict]  # by question id
_Value = TypeVar("_Value")


def by_cell(ids: Iterable[str], cells: Iterable[Cell]) -> dict[Key, Verdicts]:
    """The verdicts of each cell by question id, sorted by system, reader, pass and judge.

    Raises `InputError` where a cell is given twice or its questions are not `ids`.
    """
    asked = set(ids)
    found: dict[Key, Verdicts] = {}
    for cell in sorted(cells, key=_cell_order):
        key = (cell.system, cell.reader, cell.reader_pass, cell.judge)
        if key in found:
            raise InputError(f"judge {cell.judge} of {', '.join(key[:3])} is given twice")
        found[key] = by_question(cell, asked)
    return found


def along(axis: str, judged: Mapping[Key, _Value]) -> dict[tuple[str, str, str], dict[str, _Value]]:
    """What differs in one axis of `CELL` alone: by the other three names, then by the name on that axis."""
    place = CELL.index(axis)
    found: dict[tuple[str, str, str], dict[str, _Value]] = defaultdict(dict)
    for key, value in judged.items():
        a, b, c = key[:place] + key[place + 1 :]
        found[a, b, c][key[place]] = value
    return found


def pass_order(name: str) -> tuple[int, str]:
    """Passes 2 and 10 in the order of their numbers, named ones after them."""
    return (int(name), name) if name.isdecimal() else (1 << 31, name)


def require_same_answers(judges: Mapping[str, Mapping[str, Verdict]], where: str) -> None:
    """Raises `InputError` if two judges, verdicts by name, saw different answers; "" is an answer not known."""
    seen: dict[str, tuple[str, str]] = {}
    for name, verdicts in judges.items():
        for i, verdict in verdicts.items():
            if verdict.answer_sha256:
                first, sha256 = seen.setdefault(i, (name, verdict.answer_sha256))
                if sha256 != verdict.answer_sha256:
                    raise InputError(f"{first} and {name} judged different answers", file=where, row=i)


def judging_of(definition: Mapping[str, Any]) -> str:
    """What repeated judgings have in common, as canonical JSON: a judge's definition but for its `draw`.

    Where an imported one that names its `model` is read from is no part of it: the votes of one judge lie in other
    fields or files.
    """
    if definition.get("kind") == "import" and definition.get("model"):
        return canonical([definition["model"], definition.get("protocol")])
    return canonical({k: v for k, v in definition.items() if k != "draw"})


def _cell_order(cell: Cell) -> tuple[str, str, tuple[int, str], str]:
    return cell.system, cell.reader, pass_order(cell.reader_pass), cell.judge
