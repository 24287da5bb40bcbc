from __future__ import annotations

from typing import Any

import pytest

from memtrial.errors import InputError
from memtrial.records import Dropped, Packet, Slot
from memtrial.statistics.columns import PACKETS
from memtrial.statistics.packets import packet_row


def packet(i: str, text: str, slots: list[Slot], dropped: list[str]) -> Packet:
    """A packet whose own sizes are wrong, so that a test shows what is measured on the text."""
    left_out = [Dropped(9, n, 1, reason) for n, reason in enumerate(dropped, 1)]
    return Packet(i, "coverage", slots, left_out, text, 0, 0, None, "")


def slot(n: int, form: str, elided: int = 0, position: int | None = None) -> Slot:
    return Slot(n, n if position is None else position, "prefix", form, None, elided, 1, 1)


FIRST = packet("q1", "a" * 41, [slot(1, "whole"), slot(2, "extracted", 5), slot(3, "cut", 2)], ["budget", "blank"])
SECOND = packet("q2", "a" * 40, [slot(1, "whole"), slot(2, "turns", position=1)], ["budget"])


def rank(level: str, rank_all: int | None, stage: str = "packet") -> dict[str, Any]:
    return {"stage": stage, "level": level, "rank_all": rank_all}


RANKS = [rank("session", 3), rank("session", None), rank("session", 1), rank("turn", 2), rank("turn", 9, "reranked")]


def test_the_row_of_two_packets() -> None:
    row = packet_row("chain", [FIRST, SECOND], RANKS, {"max_sessions": 3, "max_tokens": 10, "prefix": "reranked"})
    assert list(row) == PACKETS.names
    assert row == {
        "system": "chain", "slice": "all", "n": 2, "layout": "coverage", "sessions_mean": 2.0,
        "proxy_tokens_mean": 10.5, "proxy_tokens_max": 11, "max_sessions": 3, "max_tokens": 10, "tokenizer": None,
        "over_budget": 1, "whole": 2, "extracted": 1, "cut": 1, "turns": 1, "elided_lines": 7, "dropped": 3,
        "dropped_by": "blank=1 budget=2", "gold_complete": pytest.approx(2 / 3, abs=1e-6), "n_gold_complete": 3,
        "turn_complete": 1.0, "n_turn_complete": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "over"),
    [({}, 0), ({"max_sessions": 2}, 1), ({"max_tokens": 11}, 0), ({"max_tokens": 9, "max_sessions": None}, 2)],
)
def test_an_absent_limit_is_none(settings: dict[str, Any], over: int) -> None:
    assert packet_row("chain", [FIRST, SECOND], [], settings)["over_budget"] == over


def test_a_named_tokenizer_counts_in_its_own_unit() -> None:
    settings = {"max_tokens": 40, "tokenizer": "letters"}
    row = packet_row("chain", [FIRST, SECOND], [], settings, count=len)
    assert (row["over_budget"], row["tokenizer"], row["proxy_tokens_max"]) == (1, "letters", 11)


def test_what_is_not_known_is_null_and_no_packets_are_a_fault() -> None:
    row = packet_row("chain", [SECOND], [], {})
    assert (row["gold_complete"], row["n_gold_complete"], row["turn_complete"]) == (None, 0, None)
    with pytest.raises(InputError, match=r"chain/packets\.parquet: no packets"):
        packet_row("chain", [], [], {})
