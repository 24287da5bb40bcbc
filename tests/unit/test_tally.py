"""What a run has come to so far, in words; and one model for one pass."""

from __future__ import annotations

import pytest

from memtrial.errors import InputError
from memtrial.model_table import UNKNOWN, ModelFacts
from memtrial.records import Answer
from memtrial.snapshots import check_snapshots
from memtrial.tally import Tally

USED = {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010}


def test_a_run_tells_failures_tokens_price_rate_and_rest() -> None:
    tally = Tally(10, ModelFacts(None, 2e-5, 1e-4))
    for status in ("ok", "ok", "truncated", "refused"):
        tally.add(status, USED, asked=True)
    tally.add("error", {}, asked=True)
    assert tally.done == 5
    expected = "1 failed, 1 refused, 1 truncated, 4,040 tokens, $0.08, 0.5 calls/s, about 0:00:10 left"
    assert tally.note(10.0) == expected


def test_what_the_ledger_answers_costs_nothing_and_says_nothing_of_the_rate() -> None:
    tally = Tally(4, UNKNOWN)
    tally.add("ok", USED, asked=False)
    assert tally.note(1.0) == ""
    tally.add("ok", USED, asked=True)
    assert tally.note(1.0) == "1,010 tokens, price unknown, 1.0 calls/s, about 0:00:02 left"


def answer(question_id: str, model: str | None) -> Answer:
    return Answer(question_id, "ok", "a", "a", "", "stop", "openai/m", model, {}, "r", "p", "s", 1, None)


def test_one_resolved_model_is_a_fact_of_the_pass_and_rows_without_one_do_not_count() -> None:
    rows = [answer("a", "m-1"), answer("b", None), answer("c", "m-1")]
    assert check_snapshots(rows, False) == {"models": {"m-1": 2}}
    assert check_snapshots([answer("b", None)], False) == {}
    assert check_snapshots([], False) == {}


def test_two_resolved_models_fail_unless_they_are_allowed_and_then_are_shown() -> None:
    rows = [*(answer(f"a{i}", "m-2") for i in range(3)), answer("b", "m-1")]
    with pytest.raises(InputError, match=r"m-1 \(1\), m-2 \(3\).*allow_snapshots: true"):
        check_snapshots(rows, False)
    assert check_snapshots(rows, True) == {"models": {"m-1": 1, "m-2": 3}}
