"""How well a slice tells systems apart: the spread of their means against what sampling error alone would give.

Two measures, each named by its formula, over S systems that answered the same questions:

- `PLAIN`, with the standard errors of the means: would the order hold if each system had questions of its own?
- `PAIRED`, with those of the means after each question's mean over the systems is taken off: would it hold on other
  questions that all systems share? What makes a question hard for all cancels. Where every question is drawn alone this
  is Cronbach's alpha with systems as persons and questions as items (C. Hoyt, Psychometrika 6, 1941; L. J. Cronbach,
  Psychometrika 16, 1951), the generalizability coefficient of R. L. Brennan, Generalizability Theory, 2001, 2.1.

Both reach 1 (no sampling error); 0 says that the systems lie as far apart as systems that are equal would by chance.
They fall below 0 where they lie closer still, and are not clipped: clipped ones would be too high on average.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from memtrial.statistics.cells import Cell
from memtrial.statistics.columns import CELL
from memtrial.statistics.design import Design
from memtrial.statistics.intervals import Floats, rate, standard_errors
from memtrial.statistics.judgings import along, by_cell

PLAIN = "1 - mean(se(y)^2) / var(mean(y))"
PAIRED = "1 - mean(se(y - question mean)^2) * S/(S-1) / var(mean(y))"
Row = dict[str, Any]


def discriminability_rows(design: Design, cells: Iterable[Cell]) -> list[Row]:
    """Rows of `columns.DISCRIMINABILITY`: one a reader, pass, judge, set of gold, slice and formula.

    Only where at least two systems are judged. `spread` is the standard deviation of the systems' means, `error` the
    root of what the formula sets against its square. All three are null where a row is unjudged or one question makes
    the slice, `value` also where all means are equal. Raises `InputError` where verdicts and questions do not match, or
    a cell is given twice.
    """
    places = {i: n for n, i in enumerate(design.ids)}
    rows = []
    for key, values in values_by_group(design, cells).items():
        if values.shape[1] < 2:
            continue
        for gold, counted in design.sets.items():
            for part in design.slices:
                if ids := [i for i in part.ids if i in counted]:
                    head: Row = {"gold": gold, **dict(zip(CELL[1:], key, strict=True))}
                    head |= {"axis": part.axis, "slice": part.name, "n": len(ids), "systems": values.shape[1]}
                    found = _measures(values[[places[i] for i in ids]], [design.clusters[i] for i in ids])
                    rows += [{**head, **measure} for measure in found]
    return rows


def values_by_group(design: Design, cells: Iterable[Cell]) -> dict[tuple[str, str, str], Floats]:
    """For each reader, pass and judge the values [questions x systems]: 1, 0, NaN where unjudged.

    Questions are in the order of `design.ids`, systems in that of their names.
    """
    groups = along("system", by_cell(design.ids, cells))
    # None, for an unjudged row, becomes NaN.
    return {
        key: np.array([[v[i].correct for v in systems.values()] for i in design.ids], dtype=np.float64)
        for key, systems in sorted(groups.items())
    }


def _measures(values: Floats, clusters: Sequence[str]) -> list[Row]:
    """Both measures of `values` [questions x systems]."""
    systems = values.shape[1]
    spread = np.var(values.mean(axis=0), ddof=1)
    centred = values - values.mean(axis=1, keepdims=True)
    errors = {
        PLAIN: _squared_errors(values, clusters).mean(),
        PAIRED: _squared_errors(centred, clusters).mean() * systems / (systems - 1),
    }
    return [
        {
            "formula": formula,
            "spread": rate(np.sqrt(spread)) if np.isfinite(error) else None,
            "error": rate(np.sqrt(error)),
            "value": rate(1 - error / spread) if spread > 1e-12 else None,
        }
        for formula, error in errors.items()
    ]


def _squared_errors(values: Floats, clusters: Sequence[str]) -> Floats:
    """Squared standard errors of the means of `values` [questions x measures], NaN for a single question.

    Times n / (n - 1): what is left of a variance after its mean was taken from the same n questions.
    """
    n = len(values)
    if n < 2:
        return np.full(values.shape[1], np.nan)
    return standard_errors((values - values.mean(axis=0)) / n, clusters) ** 2 * n / (n - 1)
