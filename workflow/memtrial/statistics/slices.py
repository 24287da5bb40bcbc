"""Scores of systems and families by slice, with standard error and bootstrap interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from memtrial.statistics.cells import Cell
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.families import Counts, Member, Scores, families_of, scores_of, systems_of
from memtrial.statistics.intervals import Floats, Resampling, rate, resampling_of, standard_errors
from memtrial.statistics.resampling import Flags, mean_intervals

Row = dict[str, Any]


class Sample(NamedTuple):
    """The questions of one set of a design: scores side by side [questions x measures], and what is drawn whole.

    `parts` are slices with only these questions, `held` [questions x parts] says which each has. A measure is a member
    under one reader and judge; `unjudged` [parts x measures] counts verdicts.
    """

    parts: list[Slice]
    held: Flags
    clusters: list[str]
    values: Floats
    unjudged: Counts

    @property
    def means(self) -> Floats:
        """Means [parts x measures]; NaN where a slice holds a NaN."""
        return np.array([self.values[chosen].mean(axis=0) for chosen in self.held.T])


def slice_rows(design: Design, cells: Sequence[Cell], spec: Mapping[str, Any]) -> list[Row]:
    """Rows of `columns.SLICES`: every system, then every family, on every slice, for each reader and judge.

    Mean, standard error and percentile interval are null while a verdict of a member in the slice is unjudged;
    `n_unjudged` counts these verdicts. Raises `InputError` for verdicts that do not match the questions one to one and
    for a family with a system that has none.
    """
    members = [*systems_of(cells), *families_of(spec, cells).values()]
    scores = scores_of(design.ids, cells, members)
    measures = [(s, m) for s in scores for m in range(len(s.members))]
    rows = []
    for gold, kept in design.sets.items() if scores else ():
        if not kept:
            continue
        drawn = sample(design, scores, design.slices, kept)
        figures = estimates(drawn, resampling_of(spec))
        for measure, (s, m) in enumerate(measures):
            head = {"gold": gold, "reader": s.reader, "judge": s.judge, **named(s.members[m]), "passes": s.passes[m]}
            rows += [head | told for told in measured(drawn, figures, measure)]
    return rows


def sample(design: Design, scores: Sequence[Scores], slices: Iterable[Slice], kept: frozenset[str]) -> Sample:
    """The questions that are kept, with all scores side by side; a slice that has none of them is left out."""
    places = {question_id: row for row, question_id in enumerate(i for i in design.ids if i in kept)}
    cut = (Slice(part.axis, part.name, tuple(i for i in part.ids if i in kept)) for part in slices)
    parts = [part for part in cut if part.ids]
    held = np.zeros((len(places), len(parts)), dtype=bool)
    for column, part in enumerate(parts):
        held[[places[i] for i in part.ids], column] = True
    rows = [i in kept for i in design.ids]
    values, unjudged = (np.column_stack([getattr(s, name)[rows] for s in scores]) for name in ("values", "unjudged"))
    return Sample(parts, held, [design.clusters[i] for i in places], values, held.T.astype(np.int64) @ unjudged)


def estimates(drawn: Sample, resampling: Resampling) -> dict[str, Floats]:
    """Mean, standard error and ends of the percentile interval [parts x measures]."""
    low, high = mean_intervals(drawn.values, drawn.held, drawn.clusters, resampling)
    means = drawn.means
    errors = np.empty_like(means)
    for part, chosen in enumerate(drawn.held.T):
        influence = (drawn.values[chosen] - means[part]) / chosen.sum()
        errors[part] = standard_errors(influence, [drawn.clusters[i] for i in np.flatnonzero(chosen)])
    return {"mean": means, "se": errors, "low": low, "high": high}


def measured(drawn: Sample, figures: Mapping[str, Floats], measure: int) -> list[Row]:
    """For each part: axis, slice, n, the figures of one measure, and how many verdicts are unjudged."""
    return [
        {"axis": part.axis, "slice": part.name, "n": len(part.ids)}
        | {name: rate(values[p, measure]) for name, values in figures.items()}
        | {"n_unjudged": int(drawn.unjudged[p, measure])}
        for p, part in enumerate(drawn.parts)
    ]


def named(member: Member) -> Row:
    """What a row says of a system or family."""
    return {"kind": member.kind, "name": member.name, "members": len(member.systems)}
