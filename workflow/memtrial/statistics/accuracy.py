"""Accuracy by slice, with the number of questions, of every bad status and of disputed gold, and with intervals.

While a row of a slice is unjudged its accuracy, standard error and intervals are null: what is known is a bound, from
every unjudged row counted wrong to every one counted right. Rows of axis `macro` are means over question types, each
type weighing the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memtrial.records import Verdict
from memtrial.statistics.cells import BAD, Cell, by_question
from memtrial.statistics.columns import CELL, PUBLISHED, UNDISPUTED
from memtrial.statistics.design import Design
from memtrial.statistics.intervals import (
    MIN_CLUSTERS,
    Floats,
    Resampling,
    rate,
    resampling_of,
    standard_errors,
    t_interval,
    wilson,
)
from memtrial.statistics.resampling import mean_intervals, percentiles, resampled_means

Row = dict[str, Any]
Rows = NDArray[np.int64]  # places of questions among those of a set
Ends = tuple[Floats, Floats]
Figures = dict[str, Any]  # columns of a part, each a sequence with one value a cell


class _Part(NamedTuple):
    """What a row is about: the questions of a slice, or those of each question type, whose means are averaged."""

    axis: str
    name: str
    strata: tuple[Rows, ...]


class _Judged(NamedTuple):
    """The verdicts on a set: arrays [questions x cells], NaN where there is no such value."""

    correct: Floats
    grades: Floats
    status: NDArray[np.str_]
    clusters: list[str]
    disputed: NDArray[np.bool_] | None  # [questions]; None where the set is not set apart from another


def accuracy_rows(design: Design, cells: Iterable[Cell], spec: Mapping[str, Any]) -> list[Row]:
    """Rows of `columns.ACCURACY`, one a set of `design.sets`, cell and part.

    A part is a slice that holds questions of the set, then the macro averages. The bootstrap draws `design.clusters`,
    the same for all cells and slices. Raises `InputError` naming the ids where a cell's verdicts are not one usable row
    a question.
    """
    resampling = resampling_of(spec)
    judged = [(cell, by_question(cell, design.ids)) for cell in cells]
    rows: list[Row] = []
    for gold, kept in design.sets.items() if judged else ():
        if not kept:  # a dossier that disputes every question
            continue
        ids = [i for i in design.ids if i in kept]
        parts = _parts(design, ids)
        table = _judged(design, gold, ids, [v for _, v in judged])
        ends = _ends(parts, table, resampling)
        figures = [_figures(p, table, e, resampling.confidence) for p, e in zip(parts, ends, strict=True)]
        for n, (cell, _) in enumerate(judged):
            head = {"gold": gold} | {name: getattr(cell, name) for name in CELL}
            told = ({k: v[n] for k, v in of.items()} for of in figures)
            rows += [head | {k: rate(v) if isinstance(v, float) else v for k, v in of.items()} for of in told]
    return rows


def _parts(design: Design, ids: Sequence[str]) -> list[_Part]:
    place = {i: n for n, i in enumerate(ids)}
    held = [(s, [place[i] for i in s.ids if i in place]) for s in design.slices]
    parts = [_Part(s.axis, s.name, (np.array(rows),)) for s, rows in held if rows]
    answerable = [i for i in ids if i not in design.abstentions]
    macros = {"question_type": ids} | ({"question_type, answerable": answerable} if len(answerable) < len(ids) else {})
    for name, asked in macros.items():
        by_type = groupby(sorted(asked, key=lambda i: (design.types[i], i)), key=design.types.__getitem__)
        strata = tuple(np.array([place[i] for i in of_type]) for _, of_type in by_type)
        parts += [_Part("macro", name, strata)] if strata else []
    return parts


def _judged(design: Design, gold: str, ids: Sequence[str], verdicts: Sequence[Mapping[str, Verdict]]) -> _Judged:
    rows = [[by_id[i] for by_id in verdicts] for i in ids]
    apart, disputed = gold == PUBLISHED and UNDISPUTED in design.sets, design.disputed
    return _Judged(
        correct=np.array([[np.nan if v.correct is None else float(v.correct) for v in row] for row in rows]),
        grades=np.array([[np.nan if v.correct is None or v.grade is None else v.grade for v in row] for row in rows]),
        status=np.array([[v.status for v in row] for row in rows]),
        clusters=[design.clusters[i] for i in ids],
        disputed=np.array([i in disputed for i in ids]) if apart else None,
    )


def _ends(parts: Sequence[_Part], table: _Judged, resampling: Resampling) -> list[Ends]:
    """The bootstrap interval of each part, low and high ends [cells]."""
    plain = np.zeros((len(table.clusters), sum(p.axis != "macro" for p in parts)), dtype=bool)
    for n, part in enumerate(parts[: plain.shape[1]]):
        plain[part.strata[0], n] = True
    low, high = mean_intervals(table.correct, plain, table.clusters, resampling)
    ends = list(zip(low, high, strict=True))
    for part in parts[plain.shape[1] :]:
        members = np.zeros((len(table.clusters), len(part.strata)), dtype=bool)
        for n, rows in enumerate(part.strata):
            members[rows, n] = True
        means = resampled_means(table.correct, members, table.clusters, resampling).mean(axis=1)
        ends.append(percentiles(means, resampling.confidence))
    return ends


def _figures(part: _Part, table: _Judged, ends: Ends, confidence: float) -> Figures:
    rows, macro = np.concatenate(part.strata), part.axis == "macro"
    n, cells = len(rows), table.correct.shape[1]
    means = _mean(part, table.correct)
    clusters = [table.clusters[r] for r in rows]
    drawn = len(set(clusters))
    influence = _influence(part, table.correct)
    if macro and MIN_CLUSTERS <= drawn < n:
        influence *= _own_clusters(part, table.clusters, drawn)
    errors = standard_errors(influence, clusters)
    low, high = t_interval(means, errors, drawn, confidence) if MIN_CLUSTERS <= drawn < n else ([None] * cells,) * 2
    correct = [int(c) for c in np.nansum(table.correct[rows], axis=0)]
    known = [not macro and not math.isnan(m) for m in means]
    wilsons = [wilson(c, n, confidence) if k else (None, None) for c, k in zip(correct, known, strict=True)]
    figures: Figures = {
        "axis": [part.axis] * cells, "slice": [part.name] * cells, "n": [n] * cells,
        "correct": [None if macro else c for c in correct], "accuracy": means, "se": errors,
        "wilson_low": [low for low, _ in wilsons], "wilson_high": [high for _, high in wilsons],
        "boot_low": ends[0], "boot_high": ends[1], "t_low": low, "t_high": high,
    }  # fmt: skip
    figures |= {f"n_{bad}": [int(c) for c in (table.status[rows] == bad).sum(axis=0)] for bad in BAD}
    figures["bound_low"] = _mean(part, np.nan_to_num(table.correct, nan=0.0))
    figures["bound_high"] = _mean(part, np.nan_to_num(table.correct, nan=1.0))
    figures["mean_grade"] = _mean(part, table.grades)
    return figures | _disputed(part, table)


def _disputed(part: _Part, table: _Judged) -> Figures:
    cells = table.correct.shape[1]
    if table.disputed is None:
        return {name: [None] * cells for name in ("n_disputed", "disputed_low", "disputed_high")}
    number = int(table.disputed[np.concatenate(part.strata)].sum())
    low, high = (_mean(part, np.where(table.disputed[:, None], verdict, table.correct)) for verdict in (0.0, 1.0))
    return {"n_disputed": [number] * cells, "disputed_low": low, "disputed_high": high}


def _mean(part: _Part, values: Floats) -> Floats:
    """The mean of the strata's means [cells]; NaN where a value is."""
    means: Floats = np.stack([values[rows].mean(axis=0) for rows in part.strata]).mean(axis=0)
    return means


def _influence(part: _Part, values: Floats) -> Floats:
    """How far each question moves that mean [questions of the strata x cells]."""
    moved = [(values[rows] - values[rows].mean(axis=0)) / len(rows) for rows in part.strata]
    return np.concatenate(moved) / len(part.strata)


def _own_clusters(part: _Part, clusters: Sequence[str], drawn: int) -> Floats:
    """Factors [questions of the strata x 1] by which a type's influence has G / (G - 1) of the G conversations that it
    lies in, not of all that are `drawn`; NaN for a type of one conversation, which shows nothing of how they differ.
    """
    factors = []
    for rows in part.strata:
        own = len({clusters[r] for r in rows})
        factor = math.sqrt(own / (own - 1) * (drawn - 1) / drawn) if own > 1 else math.nan
        factors.append(np.full((len(rows), 1), factor))
    return np.concatenate(factors)
