"""What a system's packets hold: sizes against the budget, forms of their slots, what was left out, and whether the
gold evidence is in them whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from memtrial.errors import InputError
from memtrial.records import Packet
from memtrial.statistics.intervals import DECIMALS
from memtrial.text import proxy_tokens

FORMS = ("whole", "extracted", "cut", "turns")
Row = dict[str, Any]


def text_tokens(text: str) -> int:
    """The size of a text in proxy tokens."""
    return proxy_tokens(len(text))


def packet_row(
    system: str,
    packets: Sequence[Packet],
    ranks: Iterable[Row],
    settings: Mapping[str, Any],
    count: Callable[[str], int] = text_tokens,
) -> Row:
    """The row of `columns.PACKETS` for one system.

    `ranks` are its `retrieval.rank_rows`; `settings` its packet settings (`max_sessions`, `max_tokens`, `tokenizer`;
    an absent limit is none). `over_budget` counts the packets with too many slots or whose text, measured afresh with
    `count` (in the unit of the budget), is too long. Raises `InputError` if there are no packets.
    """
    if not packets:
        raise InputError("no packets", file=f"{system}/packets.parquet")
    sizes = [text_tokens(p.text) for p in packets]
    slots = [s for p in packets for s in p.slots]
    forms = Counter(s.form for s in slots)
    reasons = Counter(d.reason for p in packets for d in p.dropped)
    limits = {name: settings.get(name) for name in ("max_sessions", "max_tokens", "tokenizer")}
    return {
        "system": system, "slice": "all", "n": len(packets), "layout": " ".join(sorted({p.layout for p in packets})),
        "sessions_mean": _mean(len({s.position for s in p.slots}) for p in packets),
        "proxy_tokens_mean": _mean(sizes), "proxy_tokens_max": max(sizes), **limits,
        "over_budget": sum(_over(p, limits["max_sessions"], limits["max_tokens"], count) for p in packets),
        **{form: forms[form] for form in FORMS}, "elided_lines": sum(s.elided_lines for s in slots),
        "dropped": reasons.total(), "dropped_by": " ".join(f"{r}={n}" for r, n in sorted(reasons.items())),
        **_complete(ranks),
    }  # fmt: skip


def _over(packet: Packet, max_sessions: int | None, max_tokens: int | None, count: Callable[[str], int]) -> bool:
    crowded = max_sessions is not None and len(packet.slots) > max_sessions
    return crowded or (max_tokens is not None and count(packet.text) > max_tokens)


def _complete(ranks: Iterable[Row]) -> Row:
    """The shares of packets that hold all gold sessions, and all gold turns, of the questions where each is known."""
    whole: dict[str, list[bool]] = {"session": [], "turn": []}
    for rank in (r for r in ranks if r["stage"] == "packet"):
        whole[rank["level"]].append(rank["rank_all"] is not None)
    row: Row = {}
    for level, name in (("session", "gold_complete"), ("turn", "turn_complete")):
        row |= {name: _mean(whole[level]) if whole[level] else None, f"n_{name}": len(whole[level])}
    return row


def _mean(values: Iterable[int]) -> float:
    listed = list(values)
    return round(sum(listed) / len(listed), DECIMALS)
