"""Paired comparisons: two systems, readers, passes or judges on the same questions, all else being the same.

Each pair has the difference of its accuracies with a percentile bootstrap interval (both sides are resampled together)
and the exact McNemar test of the questions that only one side gets right. Holm's correction is over the tests of one
block, for each set of questions that count. Where answerable questions and those that want an abstention never share a
headline (axis `scored`), each has pairs of its own. McNemar's test takes questions as independent; where the bootstrap
draws conversations, its interval does not, and the two may disagree; then `t_low` and `t_high`, difference ± t
clustered standard errors, are what few conversations allow to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from memtrial.errors import InputError
from memtrial.statistics.cells import Cell, shown
from memtrial.statistics.columns import CELL
from memtrial.statistics.corrections import corrected, mcnemar
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.intervals import (
    MIN_CLUSTERS,
    Floats,
    Resampling,
    rate,
    resampling_of,
    standard_errors,
    t_interval,
)
from memtrial.statistics.judgings import Key, Verdicts, along, by_cell, pass_order, require_same_answers
from memtrial.statistics.resampling import percentiles, resampled_means

Row = dict[str, Any]
AXES = {"systems": "system", "readers": "reader", "passes": "reader_pass", "judges": "judge"}
_CHUNK = 250  # pairs at a time: bounds the memory of their resampled differences


class _Pair(NamedTuple):
    """Two cells, by their place among the sorted ones, that differ in the axis of `compare` alone."""

    block: str
    compare: str
    a: int
    b: int


class _Marks(NamedTuple):
    """The verdicts on those questions of a slice that count, with counts [cells x cells]."""

    part: Slice
    n: int
    right: Floats  # [cells]
    judged: Floats  # by both
    only: Floats  # the first cell right, the second wrong
    means: Floats  # [resamples x cells], NaN for a cell with unjudged rows
    influence: Floats  # how far each question moves a cell's rate [questions x cells]
    clusters: list[str]


def comparison_rows(design: Design, cells: Iterable[Cell], spec: Mapping[str, Any]) -> list[Row]:
    """Rows of `columns.COMPARISONS`: one a block, set, headline slice and pair of cells.

    Blocks are those of `spec["statistics"]["blocks"]` that have `compare`; if none has, there is one for each axis with
    two names or more. n counts all questions, `only_a` and `only_b` those that both sides judged. While a row is
    unjudged on a side its rate is null, as are difference, interval and p: such a pair is no test. Raises `InputError`
    where two cells hold different questions (naming the difference) or questions that are not the design's, two judges
    saw different answers, or a block names a pair that the run has not.
    """
    given = list(cells)
    _require_paired(given)
    judged = by_cell(design.ids, given)
    pairs = _pairs_of(list(judged), spec["statistics"].get("blocks") or {})
    if not pairs:
        return []
    _require_same_answers(judged, pairs)
    resampling = resampling_of(spec)
    headline = [s for s in design.slices if s.axis == "scored"] or [s for s in design.slices if s.axis == "all"]
    marks = {
        gold: [
            _marks(design, part, held, judged, resampling) for part in headline if (held := ids.intersection(part.ids))
        ]
        for gold, ids in design.sets.items()
    }
    return [
        row
        for block in dict.fromkeys(p.block for p in pairs)
        for gold, of in marks.items()
        for row in _block_rows(gold, of, [p for p in pairs if p.block == block], list(judged), resampling.confidence)
    ]


def _pairs_of(keys: Sequence[Key], blocks: Mapping[str, Mapping[str, Any]]) -> list[_Pair]:
    """The pairs of each block, by block name; `keys` are the cells, sorted."""
    named = {name: block for name, block in blocks.items() if "compare" in block}
    if not named:
        named = {compare: {"compare": compare} for compare in AXES}
    return [pair for name in sorted(named) for pair in _pairs(name, named[name], keys)]


def _pairs(block: str, definition: Mapping[str, Any], keys: Sequence[Key]) -> list[_Pair]:
    compare = definition["compare"]
    place = CELL.index(AXES[compare])
    contexts = along(AXES[compare], {key: n for n, key in enumerate(keys)})
    given = [tuple(str(name) for name in pair) for pair in definition.get("pairs") or ()]
    if len({frozenset(pair) for pair in given}) < len(given):
        raise InputError("a pair is named twice", field=f"statistics.blocks.{block}.pairs")
    names = sorted({key[place] for key in keys}, key=pass_order if compare == "passes" else None)
    found = [
        _Pair(block, compare, named[a], named[b])
        for a, b in given or combinations(names, 2)
        for named in contexts.values()
        if a != b and a in named and b in named
    ]
    there = {(keys[p.a][place], keys[p.b][place]) for p in found}
    if lost := [pair for pair in given if pair not in there]:
        problem = f"no two cells differ in {' and '.join(lost[0])} alone; {compare} of the run: {', '.join(names)}"
        raise InputError(problem, field=f"statistics.blocks.{block}.pairs")
    return found


def _require_paired(cells: Sequence[Cell]) -> None:
    """All cells must hold the questions of the first one."""
    held = [{v.question_id for v in cell.verdicts} for cell in cells]
    for cell, ids in zip(cells, held, strict=True):
        if ids != held[0]:
            sides = zip((cells[0], cell), (held[0] - ids, ids - held[0]), strict=True)
            told = [f"{len(only)} only in {', '.join(c[:4])}: {shown(only, 3)}" for c, only in sides if only]
            raise InputError(f"two cells hold different questions ({'; '.join(told)})", field="question_id")


def _require_same_answers(judged: Mapping[Key, Verdicts], pairs: Iterable[_Pair]) -> None:
    keys = list(judged)
    for key in dict.fromkeys(keys[p.a][:3] for p in pairs if p.compare == "judges"):
        require_same_answers({k[3]: judged[k] for k in keys if k[:3] == key}, f"verdicts of {', '.join(key)}")


def _marks(
    design: Design, part: Slice, ids: frozenset[str], judged: Mapping[Key, Verdicts], resampling: Resampling
) -> _Marks:
    held = np.array([i in ids for i in design.ids])
    values = np.array([[v[i].correct for v in judged.values()] for i in design.ids], dtype=np.float64)  # null: NaN
    means = resampled_means(values, held[:, None], [design.clusters[i] for i in design.ids], resampling)[:, 0]
    known, right, wrong = (np.asarray(f[held], dtype=np.float64) for f in (values == values, values == 1, values == 0))
    moved = (values[held] - values[held].mean(axis=0)) / len(ids)
    clusters = [design.clusters[i] for i in design.ids if i in ids]
    return _Marks(part, len(ids), right.sum(axis=0), known.T @ known, right.T @ wrong, means, moved, clusters)


def _block_rows(
    gold: str, parts: Sequence[_Marks], pairs: Sequence[_Pair], keys: Sequence[Key], confidence: float
) -> list[Row]:
    """The rows of one block and set, with Holm's correction over those that are tests."""
    rows = [
        {"gold": gold, "axis": marks.part.axis, "slice": marks.part.name, **_row(pair, keys, marks, figures)}
        for marks in parts
        for pair, figures in zip(pairs, _figures(marks, pairs, confidence), strict=True)
    ]
    return corrected(rows, "mcnemar_p")


def _row(pair: _Pair, keys: Sequence[Key], marks: _Marks, figures: Sequence[float]) -> Row:
    a, b, n, axis = pair.a, pair.b, marks.n, AXES[pair.compare]
    only_a, only_b, unjudged = int(marks.only[a, b]), int(marks.only[b, a]), n - int(marks.judged[a, b])
    rates = [rate(marks.right[m] / n) if marks.judged[m, m] == n else None for m in (a, b)]
    shown = [None if unjudged else rate(value) for value in ((only_a - only_b) / n, *figures)]
    return {
        "block": pair.block,
        "compare": pair.compare,
        **dict(zip(CELL, keys[a], strict=True)),
        axis: "",
        **{side: keys[m][CELL.index(axis)] for side, m in (("a", a), ("b", b))},
        "n": n,
        "n_unjudged": unjudged,
        **dict(zip(("rate_a", "rate_b", "only_a", "only_b"), (*rates, only_a, only_b), strict=True)),
        **dict(zip(("difference", "se", "low", "high", "t_low", "t_high"), shown, strict=True)),
        "mcnemar_p": None if unjudged else mcnemar(only_a, only_b),
    }


def _figures(marks: _Marks, pairs: Sequence[_Pair], confidence: float) -> Iterator[tuple[float, ...]]:
    """Of each pair: the standard error, the ends of the bootstrap, and those of t (NaN where questions are drawn)."""
    drawn = len(set(marks.clusters))
    for start in range(0, len(pairs), _CHUNK):
        a, b = (np.array([pair[side] for pair in pairs[start : start + _CHUNK]]) for side in (2, 3))
        errors = standard_errors(marks.influence[:, a] - marks.influence[:, b], marks.clusters)
        low, high = percentiles(marks.means[:, a] - marks.means[:, b], confidence)
        t_low = t_high = np.full(len(a), np.nan)
        if MIN_CLUSTERS <= drawn < marks.n:
            differences = (marks.only[a, b] - marks.only[b, a]) / marks.n
            t_low, t_high = t_interval(differences, errors, drawn, confidence, least=-1.0)
        yield from zip(*(column.tolist() for column in (errors, low, high, t_low, t_high)), strict=True)
