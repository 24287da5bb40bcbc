"""What each pass cost: tokens by the provider's own count, and dollars by a price table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from memtrial.records import Answer
from memtrial.statistics.columns import CELL
from memtrial.statistics.intervals import rate
from memtrial.statistics.judgings import pass_order

Row = dict[str, Any]
Price = Callable[[str, int, int], float | None]
_COUNTS = ("prompt_tokens", "completion_tokens")


def usage_rows(
    answers: Mapping[tuple[str, str, str], Iterable[Answer]], packet_tokens: Mapping[str, Sequence[int]], price: Price
) -> list[Row]:
    """Rows of `columns.USAGE`, one a pass.

    `answers` by (system, reader, pass); `packet_tokens` by system, proxy tokens of each packet (absent: null); `price`
    gives the dollars of a model as it was requested, its prompt and its completion tokens, or null if it has no price.
    Only answers with both counts are summed (`n_counted`), and means a question are over them; while none has, sums are
    null. Dollars are list prices of every answer, also of one replayed from the ledger: what the pass costs once.
    """
    ordered = sorted(answers, key=lambda key: (*key[:2], pass_order(key[2])))
    return [_row(key, list(answers[key]), packet_tokens.get(key[0], ()), price) for key in ordered]


def _row(key: tuple[str, str, str], answers: Sequence[Answer], packets: Sequence[int], price: Price) -> Row:
    counted = [a for a in answers if all(name in a.usage for name in _COUNTS)]
    n, dollars = len(counted), _dollars(counted, price)
    sums = [sum(a.usage[name] for a in counted) if n else None for name in _COUNTS]
    return {
        **dict(zip(CELL[:3], key, strict=True)),
        "n": len(answers),
        "n_counted": n,
        **dict(zip(_COUNTS, sums, strict=True)),
        "tokens_per_question": _mean(sum(a.usage[name] for a in counted for name in _COUNTS), n),
        "dollars": rate(dollars),
        "dollars_per_question": None if dollars is None else _mean(dollars, n),
        "packet_tokens": _mean(sum(packets), len(packets)),
    }


def _dollars(counted: Iterable[Answer], price: Price) -> float | None:
    models: dict[str, Counter[str]] = {}
    for answer in counted:
        models.setdefault(answer.model_requested, Counter()).update({name: answer.usage[name] for name in _COUNTS})
    paid = [price(model, *(models[model][name] for name in _COUNTS)) for model in sorted(models)]
    return fsum(p for p in paid if p is not None) if paid and None not in paid else None


def _mean(total: float, n: int) -> float | None:
    return rate(total / n) if n else None
