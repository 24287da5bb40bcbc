"""One pass, one model: providers resolve a model's name to a dated snapshot, and may change it between two calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from memtrial.errors import InputError
from memtrial.records import Answer, Verdict


def check_snapshots(rows: Sequence[Answer] | Sequence[Verdict], allowed: bool) -> dict[str, Any]:
    """Facts for the receipt: {"models": {resolved model: rows}}, rows without a resolved model left out.

    Raises `InputError` naming the models with their counts if there are several, unless that is `allowed`.
    """
    counts = Counter(name for r in rows if (name := r.model_resolved) is not None)
    if len(counts) > 1 and not allowed:
        raise InputError(
            f"the replies of one pass come from {len(counts)} models, {_named(counts.items())}. All of them are kept in"
            " the folder calls/ of this pass. Set `allow_snapshots: true` for this reader or judge to use them as they"
            " are (its receipt then shows the models), or remove that folder to ask everything anew",
            field="model_resolved",
        )
    return {"models": dict(sorted(counts.items()))} if counts else {}


def _named(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} ({n:,})" for name, n in sorted(counts))
