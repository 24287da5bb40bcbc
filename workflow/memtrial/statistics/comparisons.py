"""Paired comparisons: two systems, readers, passes or judges on the same questions, all else being the same.

Each pair has the difference of its accuracies with a percentile bootstrap interval (both sides are resampled together)
and the exact McNemar test of the questions that only one side gets right. Holm's correction is over the tests of one
block, for each set of questions that count. Where answerable questions and those that want an abstention never share a
headline (axis `scored`), each has pairs of its own. McNemar's test takes questions as independent; where the bootstrap
draws conversations, its interval does not, and the two may disagree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from memtrial.errors import InputError
from memtrial.statistics.cells import Cell, shown
from memtrial.statistics.columns import CELL
from memtrial.statistics.corrections import holm, mcnemar, rounded
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.intervals import DECIMALS, Floats, Resampling
from memtrial.statistics.judgings import Key, Verdicts, by_cell, pass_order, require_same_answers
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


def comparison_rows(design: Design, cells: Iterable[tuple[Any, ...]], spec: Mapping[str, Any]) -> list[Row]:
    """Rows of `columns.COMPARISONS`: one a block, set, headline slice and pair of cells.

    Blocks are those of `spec["statistics"]["blocks"]` that have `compare`; if none has, there is one for each axis with
    two names or more. n counts all questions, `only_a` and `only_b` those that both sides judged. While a row is
    unjudged on a side its rate is null, as are difference, interval and p: such a pair is no test. Raises `InputError`
    where two cells hold different questions (naming the difference) or questions that are not the design's, two judges
    saw different answers, or a block names a pair that the run has not.
    """
    statistics = spec["statistics"]
    given = [Cell(*c) for c in cells]
    _require_paired(given)
    judged = by_cell(design.ids, given)
    pairs = _pairs_of(list(judged), statistics.get("blocks") or {})
    if not pairs:
        return []
    _require_same_answers(judged, pairs)
    resampling = Resampling(statistics["resamples"], statistics["seed"], statistics["confidence"])
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
    contexts: dict[tuple[str, ...], dict[str, int]] = defaultdict(dict)
    for n, key in enumerate(keys):
        contexts[key[:place] + key[place + 1 :]][key[place]] = n
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
    return _Marks(part, len(ids), right.sum(axis=0), known.T @ known, right.T @ wrong, means)


def _block_rows(
    gold: str, parts: Sequence[_Marks], pairs: Sequence[_Pair], keys: Sequence[Key], confidence: float
) -> list[Row]:
    """The rows of one block and set, with Holm's correction over those that are tests."""
    rows = [
        {"gold": gold, "axis": marks.part.axis, "slice": marks.part.name, **_row(pair, keys, marks, ends)}
        for marks in parts
        for pair, ends in zip(pairs, zip(*_intervals(marks.means, pairs, confidence), strict=True), strict=True)
    ]
    tested = {n: mcnemar(row["only_a"], row["only_b"]) for n, row in enumerate(rows) if not row["n_unjudged"]}
    corrected = dict(zip(tested, holm(list(tested.values())), strict=True))
    for n, row in enumerate(rows):
        p, p_holm = (None if n not in of else rounded(of[n]) for of in (tested, corrected))
        row |= {"mcnemar_p": p, "p_holm": p_holm, "tests": len(tested)}
    return rows


def _row(pair: _Pair, keys: Sequence[Key], marks: _Marks, ends: tuple[float, float]) -> Row:
    a, b, n, axis = pair.a, pair.b, marks.n, AXES[pair.compare]
    only_a, only_b, unjudged = int(marks.only[a, b]), int(marks.only[b, a]), n - int(marks.judged[a, b])
    rates = [_rate(marks.right[m] / n) if marks.judged[m, m] == n else None for m in (a, b)]
    shown = [None if unjudged else _rate(rate) for rate in ((only_a - only_b) / n, *ends)]
    return {
        "block": pair.block,
        "compare": pair.compare,
        **dict(zip(CELL, keys[a], strict=True)),
        axis: "",
        **{side: keys[m][CELL.index(axis)] for side, m in (("a", a), ("b", b))},
        "n": n,
        "n_unjudged": unjudged,
        **dict(zip(("rate_a", "rate_b", "only_a", "only_b"), (*rates, only_a, only_b), strict=True)),
        **dict(zip(("difference", "low", "high"), shown, strict=True)),
    }


def _intervals(means: Floats, pairs: Sequence[_Pair], confidence: float) -> tuple[Floats, Floats]:
    a, b = np.array([p.a for p in pairs]), np.array([p.b for p in pairs])
    chunks = [slice(start, start + _CHUNK) for start in range(0, len(pairs), _CHUNK)]
    ends = [percentiles(means[:, a[c]] - means[:, b[c]], confidence) for c in chunks]
    return np.concatenate([low for low, _ in ends]), np.concatenate([high for _, high in ends])


def _rate(rate: float) -> float:
    return round(float(rate), DECIMALS) + 0.0  # no -0.0
