"""Contrasts of families and slices: differences, and differences of differences, tested within a block.

Intervals are percentile intervals of the bootstrap; every contrast is a linear combination of one array of resampled
means. p is that of Student's t: the estimate over its linearised standard error, clustered as the bootstrap is, with as
many degrees of freedom as the smaller of its slices has clusters, less one (A. C. Cameron and D. L. Miller, J. Human
Resources 50, 2015, sections II and VI). A p counted among the resamples cannot be below 2 / (R + 1), too much
for Holm's correction of a large block, and it rejects too often where clusters are few (`tests/bench/planted.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

import numpy as np

from memtrial.errors import InputError
from memtrial.statistics.cells import Cell
from memtrial.statistics.corrections import corrected, t_test
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.families import Member, families_of, scores_of, without
from memtrial.statistics.intervals import MIN_CLUSTERS, Floats, rate, resampling_of, standard_errors
from memtrial.statistics.resampling import Ids, percentiles, resampled_means
from memtrial.statistics.slices import Sample, sample

FAMILIES, SLICES = "families", "slices"
Row = dict[str, Any]
_Term = tuple[int, int, int]  # sign, place of the slice, place of the measure
_Known = TypeVar("_Known")


class Block(NamedTuple):
    """A named set of tests that are corrected together; its families are less what it excludes."""

    name: str
    kind: str
    families: tuple[Member, ...]
    slices: tuple[Slice, ...]


class Contrast(NamedTuple):
    """Left minus right in a slice, less the same in another one.

    A contrast of families has no other slice; in one of slices right is left, and only the slices differ.
    """

    left: Member
    right: Member
    part: Slice
    other: Slice | None


def contrast_rows(design: Design, cells: Sequence[Cell], spec: Mapping[str, Any]) -> list[Row]:
    """Rows of `columns.CONTRASTS` for the blocks of `spec["statistics"]["blocks"]` that have a `contrast`.

    Estimate, interval and p are null while a verdict that they rest on is unjudged, and such a row is none of the
    `tests` of its block. Holm's correction is over a block (all its readers and judges), by set of questions. Raises
    `InputError` for verdicts that do not match the questions one to one, and naming the key for an unknown family or
    slice, a family of which all systems are excluded, and a block with nothing to compare.
    """
    blocks = _blocks(design, cells, spec)
    members = list(dict.fromkeys(member for block in blocks for member in block.families))
    slices = list(dict.fromkeys(part for block in blocks for part in block.slices))
    scores = scores_of(design.ids, cells, members) if blocks else []
    confidence = spec["statistics"]["confidence"]
    rows: list[Row] = []
    for gold, kept in design.sets.items() if scores else ():
        if not kept:
            continue
        drawn = sample(design, scores, slices, kept)
        resampled = resampled_means(drawn.values, drawn.held, drawn.clusters, resampling_of(spec))
        measures = [(s, member) for s in scores for member in s.members]
        for block in blocks:
            found: list[Row] = []
            for s in scores:
                columns = {member: column for column, (of, member) in enumerate(measures) if of is s}
                head = {"block": block.name, "gold": gold, "kind": block.kind, "reader": s.reader, "judge": s.judge}
                here = [c for c in _contrasts(block) if c.left in columns and c.right in columns]
                found += _rows(head, here, columns, drawn, resampled, confidence)
            rows += corrected(found)
    return rows


def _blocks(design: Design, cells: Sequence[Cell], spec: Mapping[str, Any]) -> list[Block]:
    """The contrast blocks of a spec, in its order; raises `InputError` naming the key that is at fault."""
    families = families_of(spec, cells)
    blocks = []
    for name, given in (spec["statistics"].get("blocks") or {}).items():
        if "contrast" not in given:
            continue
        field = f"statistics.blocks.{name}"
        wanted = _named(given.get("families"), families, f"{field}.families")
        excluded = set(given.get("exclude") or ())
        slices = {part.name: part for part in design.slices if part.axis == given["axis"]}
        if not slices:
            axes = ", ".join(dict.fromkeys(part.axis for part in design.slices))
            raise InputError(f"expected an axis of the tables ({axes}), found {given['axis']!r}", field=f"{field}.axis")
        block = Block(
            name,
            given["contrast"],
            tuple(without(member, excluded, f"{field}.exclude") for member in wanted),
            tuple(_named(given.get("slices"), slices, f"{field}.slices")),
        )
        if not _contrasts(block):
            names = (", ".join(of.name for of in found) for found in (block.families, block.slices))
            raise InputError("nothing to compare: families {}; slices {}".format(*names), field=field)
        blocks.append(block)
    return blocks


def _named(given: Iterable[str] | None, known: Mapping[str, _Known], field: str) -> list[_Known]:
    """What is known by the given names, or all of it; raises `InputError` for an unknown name."""
    names = list(known) if given is None else list(dict.fromkeys(given))
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError(f"expected some of {', '.join(known)}, found {', '.join(unknown)}", field=field)
    return [known[name] for name in names]


def _contrasts(block: Block) -> list[Contrast]:
    """The contrasts of a block: pairs of families and of slices, each in the block's order."""
    families, slices = list(combinations(block.families, 2)), list(combinations(block.slices, 2))
    if block.kind == FAMILIES:
        return [Contrast(left, right, part, None) for left, right in families for part in block.slices]
    if block.kind == SLICES:
        return [Contrast(family, family, part, other) for family in block.families for part, other in slices]
    return [Contrast(left, right, part, other) for left, right in families for part, other in slices]


def _rows(
    head: Row,
    contrasts: Iterable[Contrast],
    columns: Mapping[Member, int],
    drawn: Sample,
    resampled: Floats,
    confidence: float,
) -> list[Row]:
    """The rows of one block, reader and judge before their correction; there is none on a slice without questions."""
    place = {(part.axis, part.name): p for p, part in enumerate(drawn.parts)}
    sizes, means = drawn.held.sum(axis=0), drawn.means
    rows = []
    for c in contrasts:
        parts = [place.get((part.axis, part.name)) for part in (c.part, c.other) if part]
        if None in parts:
            continue
        terms = _terms(c, columns, place)
        estimate = float(sum(sign * means[p, m] for sign, p, m in terms))
        low, high = percentiles(np.sum([sign * resampled[:, p, m] for sign, p, m in terms], axis=0), confidence)
        error, degrees = _error(drawn, means, terms)
        rows.append(
            head
            | {"left": c.left.name, "right": c.right.name, "axis": c.part.axis, "slice": c.part.name}
            | {"other_slice": c.other.name if c.other else None, "n": int(sizes[parts[0]])}
            | {"n_other": int(sizes[parts[1]]) if c.other else None}
            | {"estimate": rate(estimate), "se": rate(error), "low": rate(float(low)), "high": rate(float(high))}
            | {"df": degrees, "p": t_test(estimate, error, degrees)}
            | {"n_unjudged": int(sum(drawn.unjudged[p, m] for _, p, m in terms))}
        )
    return rows


def _terms(c: Contrast, columns: Mapping[Member, int], place: Mapping[tuple[str, str], int]) -> list[_Term]:
    here = place[c.part.axis, c.part.name]
    terms = [(1, here, columns[c.left])]
    if c.right != c.left:
        terms.append((-1, here, columns[c.right]))
    if c.other:
        there = place[c.other.axis, c.other.name]
        terms += [(-sign, there, measure) for sign, _, measure in terms]
    return terms


def _error(drawn: Sample, means: Floats, terms: Sequence[_Term]) -> tuple[float, int]:
    """The linearised standard error of a combination of means, and its degrees of freedom."""
    parts = {part: np.flatnonzero(drawn.held[:, part]) for _, part, _ in terms}
    rows = np.unique(np.concatenate(list(parts.values())))
    clusters = [drawn.clusters[row] for row in rows]
    influence = np.zeros(len(drawn.values))
    for sign, part, measure in terms:
        held = parts[part]
        moved = (drawn.values[held, measure] - means[part, measure]) / len(held)
        influence[held] += sign * moved * small_sample(len(held), clusters)
    error = standard_errors(influence[rows, None], clusters)[0]
    return float(error), freedom(drawn.clusters, list(parts.values()))


def small_sample(n: int, clusters: Sequence[str]) -> float:
    """What makes the standard error of a mean of `n` questions that of Student's test: the root of n / (n - 1).

    1 where conversations are drawn, since `standard_errors` has G / (G - 1) already.
    """
    alone = not MIN_CLUSTERS <= len(set(clusters)) < len(clusters)
    return math.sqrt(n / (n - 1)) if alone and n > 1 else 1.0


def freedom(clusters: Sequence[str], parts: Sequence[Ids]) -> int:
    """Degrees of freedom of a test on parts (rows of questions): the fewest clusters of a part, less one.

    Where all parts together have fewer than `MIN_CLUSTERS`, questions count instead, as in the standard error.
    """
    found = [{clusters[row] for row in part} for part in parts]
    whole = len(set().union(*found)) >= MIN_CLUSTERS
    return min(len(labels) if whole else len(part) for labels, part in zip(found, parts, strict=True)) - 1
