"""The same questions in two languages: scores side by side, and the difference question by question.

Both benchmarks hold the same ids in the same conversations; a conversation is drawn with both its languages, so that
what makes it hard in either cancels in the difference (left less right). p as in `contrasts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from memtrial.errors import InputError
from memtrial.statistics.cells import Cell, require_same, shown
from memtrial.statistics.columns import PUBLISHED, UNDISPUTED
from memtrial.statistics.contrasts import freedom, small_sample
from memtrial.statistics.corrections import corrected, t_test
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.families import Member, Scores, families_of, scores_of, systems_of
from memtrial.statistics.intervals import Floats, rate, resampling_of
from memtrial.statistics.slices import Sample, estimates, measured, named, sample

# Measured on the texts, which differ; all other slices must be the same in both languages.
OF_TEXT = ("language", "answer_length")
Row = dict[str, Any]


class Language(NamedTuple):
    """A benchmark in one language, with the cells that judge it."""

    benchmark: str
    design: Design
    cells: Sequence[Cell]


def language_rows(left: Language, right: Language, spec: Mapping[str, Any]) -> tuple[list[Row], list[Row]]:
    """Rows of `columns.LANGUAGE_SLICES` and `columns.LANGUAGE_CONTRASTS`: systems, then families, on every slice.

    A question counts as undisputed if it is so in both languages. A block is the tests of one kind (system or family)
    along one axis. Figures are null while a verdict that they rest on is unjudged. Raises `InputError` where ids,
    conversations or labels of the two differ, and where they have other systems, readers or judges.
    """
    slices = _common_slices(left, right)
    members = [*systems_of(left.cells), *families_of(spec, left.cells).values()]
    scores = _scores(left, right, members)
    side_by_side: list[Row] = []
    differences: list[Row] = []
    for gold, kept in _common_sets(left.design, right.design).items() if scores else ():
        if not kept:
            continue
        drawn = sample(left.design, [s for of in scores for s in of], slices, kept)
        figures = estimates(drawn, resampling_of(spec))
        start = 0
        for of in scores:
            width = len(of[0].members)
            for m, member in enumerate(of[0].members):
                head = {"gold": gold, "reader": of[0].reader, "judge": of[0].judge, **named(member)}
                measures = [start + side * width + m for side in range(3)]
                for language, s, measure in zip((left, right), of[:2], measures[:2], strict=True):
                    own = head | {"benchmark": language.benchmark, "passes": s.passes[m]}
                    side_by_side += [own | told for told in measured(drawn, figures, measure)]
                pair = head | {"left": left.benchmark, "right": right.benchmark}
                differences += [pair | told for told in _differences(drawn, figures, measures, member.kind)]
            start += 3 * width
    return side_by_side, _corrected(differences)


def _common_slices(left: Language, right: Language) -> list[Slice]:
    """The slices of both designs, less those of `OF_TEXT`; raises `InputError` naming the first difference."""
    where = f"{left.benchmark} and {right.benchmark}"
    require_same(left.design.ids, right.design.ids, f"{right.benchmark}, beside {left.benchmark}")
    moved = [i for i in left.design.ids if left.design.clusters[i] != right.design.clusters[i]]
    if moved:
        raise InputError(f"expected the same conversations, found others for {shown(moved)}", file=where)
    ours, theirs = ({(s.axis, s.name): s for s in of.design.slices if s.axis not in OF_TEXT} for of in (left, right))
    for axis, name in [*ours, *(key for key in theirs if key not in ours)]:
        a, b = (set(of[axis, name].ids) if (axis, name) in of else set() for of in (ours, theirs))
        if a != b:
            found = f"expected the same questions in slice {name!r}, found a difference in {shown(a ^ b)}"
            raise InputError(found, file=where, field=axis)
    return list(ours.values())


def _common_sets(left: Design, right: Design) -> dict[str, frozenset[str]]:
    undisputed = [of.sets[UNDISPUTED] for of in (left, right) if UNDISPUTED in of.sets]
    sets = {PUBLISHED: left.sets[PUBLISHED]}
    return sets | ({UNDISPUTED: frozenset.intersection(*undisputed)} if undisputed else {})


def _scores(left: Language, right: Language, members: Sequence[Member]) -> list[tuple[Scores, Scores, Scores]]:
    """Scores in the left language, in the right one, and their difference, by reader and judge."""
    cells = [{(c.system, c.reader, c.judge) for c in of.cells} for of in (left, right)]
    if cells[0] != cells[1]:
        found = "; ".join(", ".join(cell) for cell in sorted(cells[0] ^ cells[1]))
        where = f"{left.benchmark} and {right.benchmark}"
        raise InputError(f"expected the same systems, readers and judges, found on one side alone: {found}", file=where)
    sides = (scores_of(of.design.ids, of.cells, members) for of in (left, right))
    return [(a, b, _difference(a, b)) for a, b in zip(*sides, strict=True)]


def _difference(a: Scores, b: Scores) -> Scores:
    passes = tuple(min(pair) for pair in zip(a.passes, b.passes, strict=True))
    return Scores(a.reader, a.judge, a.members, a.values - b.values, a.unjudged + b.unjudged, passes)


def _differences(drawn: Sample, figures: Mapping[str, Floats], measures: Sequence[int], kind: str) -> list[Row]:
    """For each part: both means, their difference and its test, by the measures of left, right and difference."""
    left, right, difference = measures
    rows = []
    for p, part in enumerate(drawn.parts):
        held = np.flatnonzero(drawn.held[:, p])
        of = freedom(drawn.clusters, [held])
        found = {name: float(values[p, difference]) for name, values in figures.items()}
        found["se"] *= small_sample(len(held), [drawn.clusters[row] for row in held])
        rows.append(
            {"block": f"{kind} by {part.axis}", "axis": part.axis, "slice": part.name, "n": len(part.ids)}
            | {"mean_left": rate(figures["mean"][p, left]), "mean_right": rate(figures["mean"][p, right])}
            | {"estimate": rate(found["mean"])}
            | {name: rate(found[name]) for name in ("se", "low", "high")}
            | {"df": of, "p": t_test(found["mean"], found["se"], of)}
            | {"n_unjudged": int(drawn.unjudged[p, difference])}
        )
    return rows


def _corrected(rows: Sequence[Row]) -> list[Row]:
    """Holm's correction within each block, in the order given."""
    blocks: dict[tuple[str, str], list[int]] = {}
    for number, row in enumerate(rows):
        blocks.setdefault((row["gold"], row["block"]), []).append(number)
    done = list(rows)
    for found in blocks.values():
        for number, row in zip(found, corrected([rows[n] for n in found]), strict=True):
            done[number] = row
    return done
