"""The questions whose gold somebody disputes, beside what the judges made of the answers to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from memtrial.errors import InputError
from memtrial.records import TRIVIAL, Disputed, Gold
from memtrial.statistics.cells import Cell, shown
from memtrial.statistics.judgings import by_cell

Row = dict[str, Any]


def disputed_rows(disputed: Iterable[Disputed], gold: Iterable[Gold], cells: Iterable[Cell]) -> list[Row]:
    """Rows of `columns.DISPUTED`: one a row of the dossier, ordered by question, source and kind.

    `n_judged` and `n_right` count the cells that judged the question, and judged it right; trivial baselines do not
    count. Raises `InputError` naming the ids of the dossier that the benchmark does not have, and where verdicts and
    gold do not match.
    """
    types = {g.question_id: g.question_type for g in gold}
    dossier = sorted(disputed, key=lambda d: (d.question_id, d.source, d.kind, d.detail))
    if unknown := {d.question_id for d in dossier} - types.keys():
        raise InputError(f"the benchmark has no {shown(unknown)}", file="disputed.jsonl", field="question_id")
    judged: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for (system, *_), verdicts in by_cell(types, cells).items():
        if system != TRIVIAL:
            judged.update(i for i, v in verdicts.items() if v.correct is not None)
            right.update(i for i, v in verdicts.items() if v.correct)
    return [
        {
            "question_id": d.question_id,
            "question_type": types[d.question_id],
            "kind": d.kind,
            "changes_score": d.changes_score,
            "source": d.source,
            "detail": d.detail,
            "n_judged": judged[d.question_id],
            "n_right": right[d.question_id],
        }
        for d in dossier
    ]
