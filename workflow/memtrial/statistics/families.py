"""Families of systems: which systems a name stands for, and each question's score under it.

A system's score on a question is the mean of its verdicts (right 1, wrong 0) over the passes; a family's the mean over
its systems, each weighing the same however many passes it has (s_F,q = mean over m in F of y_m,q). The score of a slice
is the mean over its questions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memtrial.errors import InputError
from memtrial.statistics.cells import Cell, by_question
from memtrial.statistics.intervals import Floats

SYSTEM, FAMILY = "system", "family"
Counts = NDArray[np.int64]


class Member(NamedTuple):
    """A name that has scores: a system (of itself alone) or a family with its systems in ascending order."""

    kind: str
    name: str
    systems: tuple[str, ...]


class Scores(NamedTuple):
    """Scores under one reader and judge, with one column a member that was read and judged so [questions x members].

    `values` is NaN where a verdict of the member is unjudged, `unjudged` counts these verdicts; `passes` [members] is
    the number of passes (of a family: the fewest that one of its systems has).
    """

    reader: str
    judge: str
    members: tuple[Member, ...]
    values: Floats
    unjudged: Counts
    passes: tuple[int, ...]


def families_of(spec: Mapping[str, Any], cells: Iterable[Cell]) -> dict[str, Member]:
    """The families of `spec["statistics"]["families"]` by name; raises `InputError` for a system without verdicts."""
    known = {cell.system for cell in cells}
    given = spec["statistics"].get("families") or {}
    for name, systems in given.items():
        absent = sorted(set(systems) - known)
        if absent or not systems:
            expected = f"expected systems of this run ({', '.join(sorted(known))}), found {', '.join(absent) or 'none'}"
            raise InputError(expected, field=f"statistics.families.{name}")
    return {name: Member(FAMILY, name, tuple(sorted(set(given[name])))) for name in sorted(given)}


def systems_of(cells: Iterable[Cell]) -> list[Member]:
    """Every system, in ascending order."""
    return [Member(SYSTEM, system, (system,)) for system in sorted({cell.system for cell in cells})]


def without(member: Member, excluded: Collection[str], field: str) -> Member:
    """A family less the excluded systems; raises `InputError`, naming the key `field`, if none is left."""
    kept = tuple(system for system in member.systems if system not in excluded)
    if not kept:
        raise InputError(f"expected to leave a system of family {member.name}, but all are excluded", field=field)
    return member._replace(systems=kept)


def scores_of(ids: Sequence[str], cells: Iterable[Cell], members: Iterable[Member]) -> list[Scores]:
    """The scores of the members on the questions `ids` by reader and judge, both in ascending order.

    A member of which there is no verdict by a reader and judge has no score there. Raises `InputError` for a family of
    which there are verdicts on some systems alone, and where a cell has not one usable verdict a question.
    """
    found: dict[tuple[str, str], dict[str, list[Floats]]] = defaultdict(lambda: defaultdict(list))
    for cell in cells:
        verdicts = by_question(cell, ids)
        # None, for an unjudged row, becomes NaN.
        passed = np.array([verdicts[i].correct for i in ids], dtype=np.float64)
        found[cell.reader, cell.judge][cell.system].append(passed)
    listed = list(members)
    present = {key: tuple(m for m in listed if _has(m, of, key)) for key, of in found.items()}
    return [_scores(*key, present[key], found[key]) for key in sorted(found) if present[key]]


def _has(member: Member, judged: Collection[str], key: tuple[str, str]) -> bool:
    absent = [system for system in member.systems if system not in judged]
    if absent and len(absent) < len(member.systems):
        where = "verdicts of reader {}, judge {}".format(*key)
        raise InputError(f"family {member.name} lacks {', '.join(absent)}", file=where, field="system")
    return not absent


def _scores(reader: str, judge: str, members: tuple[Member, ...], passed: Mapping[str, list[Floats]]) -> Scores:
    means = {system: np.mean(runs, axis=0) for system, runs in passed.items()}
    missing = {system: np.isnan(runs).sum(axis=0) for system, runs in passed.items()}
    return Scores(
        reader,
        judge,
        members,
        np.column_stack([np.mean([means[s] for s in member.systems], axis=0) for member in members]),
        np.column_stack([np.sum([missing[s] for s in member.systems], axis=0) for member in members]),
        tuple(min(len(passed[s]) for s in member.systems) for member in members),
    )
