"""Whether the parts of a benchmark order systems alike: Spearman's rank correlation between slices over systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np
from scipy.stats import spearmanr

from memtrial.statistics.cells import Cell
from memtrial.statistics.design import Design
from memtrial.statistics.discriminability import values_by_group
from memtrial.statistics.intervals import DECIMALS, Floats, rate

MIN_SYSTEMS = 3
MAX_SLICES = 12
Row = dict[str, Any]


def correlation_rows(design: Design, cells: Iterable[Cell], spec: Mapping[str, Any]) -> list[Row]:
    """Rows of `columns.CORRELATIONS`: one a reader, pass, judge, set of gold, axis and pair of its slices.

    Only of at least `MIN_SYSTEMS` systems. In [-1, 1], over their accuracies, equal ones with their mean rank (C.
    Spearman, Am. J. Psychol. 15, 1904); null where a slice has an unjudged row or gives all systems the same accuracy.
    Axes are those configured, else `question_type`; one with more than `MAX_SLICES` slices is left out: its pairs would
    say little of parts of a benchmark. Raises `InputError` where verdicts and questions do not match, or a cell is
    given twice.
    """
    axes = dict.fromkeys(spec["statistics"].get("axes") or ("question_type",))
    places = {i: n for n, i in enumerate(design.ids)}
    rows = []
    for (reader, reader_pass, judge), values in values_by_group(design, cells).items():
        if (systems := values.shape[1]) < MIN_SYSTEMS:
            continue
        for gold, axis in ((gold, axis) for gold in design.sets for axis in axes):
            slices = {s.name: [i for i in s.ids if i in design.sets[gold]] for s in design.slices if s.axis == axis}
            if len(slices) > MAX_SLICES:
                continue
            means = {name: values[[places[i] for i in ids]].mean(axis=0) for name, ids in slices.items() if ids}
            rows += [
                {
                    "gold": gold, "reader": reader, "reader_pass": reader_pass, "judge": judge, "axis": axis,
                    "slice_a": a, "slice_b": b, "systems": systems, "spearman": _spearman(means[a], means[b]),
                }
                for a, b in combinations(means, 2)
            ]  # fmt: skip
    return rows


def _spearman(a: Floats, b: Floats) -> float | None:
    # Rounded, so that equal accuracies tie whatever the order of summation.
    a, b = np.round(a, DECIMALS), np.round(b, DECIMALS)
    if np.isnan([a, b]).any() or np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    return rate(float(spearmanr(a, b).statistic))
