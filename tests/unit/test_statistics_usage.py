"""Tokens and dollars of a pass: sums by hand, answers without a count, prices that are not known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memtrial.records import Answer
from memtrial.statistics import columns, tables
from memtrial.statistics.usage import usage_rows

NONE = ("prompt_tokens", "completion_tokens", "tokens_per_question", "dollars", "dollars_per_question")


def answer(usage: dict[str, int], model: str = "m", status: str = "ok") -> Answer:
    return Answer("q", status, "a", "a", "", "stop", model, model, usage, "r", "p", "s", 1, None)


def counted(prompt: int, completion: int, model: str = "m") -> Answer:
    return answer({"prompt_tokens": prompt, "completion_tokens": completion, "cached_tokens": 3}, model)


def price(model: str, prompt: int, completion: int) -> float | None:
    """A thousandth of a dollar a prompt token, ten times as much a completion token; model n has no price."""
    return None if model == "n" else prompt * 0.001 + completion * 0.01


def row(*answers: Answer, packets: tuple[int, ...] = ()) -> dict[str, Any]:
    [found] = usage_rows({("chain", "x", "1"): answers}, {"chain": packets}, price)
    return found


def test_sums_are_over_answers_with_a_count() -> None:
    found = row(
        counted(100, 10), counted(50, 5), answer({}, status="error"), answer({"prompt_tokens": 7}), packets=(3, 4)
    )
    assert found == {
        "system": "chain", "reader": "x", "reader_pass": "1", "n": 4, "n_counted": 2, "prompt_tokens": 150,
        "completion_tokens": 15, "tokens_per_question": 82.5, "dollars": 0.3, "dollars_per_question": 0.15,
        "packet_tokens": 3.5,
    }  # fmt: skip


def test_what_is_not_known_is_null() -> None:
    assert [row(answer({}))[name] for name in NONE] == [None] * 5
    assert row(answer({}))["packet_tokens"] is None
    [elsewhere] = usage_rows({("rag", "x", "1"): [counted(1, 1)]}, {"chain": [5]}, price)
    assert elsewhere["packet_tokens"] is None


def test_each_model_has_its_own_price_and_one_without_leaves_no_sum() -> None:
    def by_model(model: str, prompt: int, completion: int) -> float:
        return (prompt + completion) * {"m": 1.0, "k": 2.0}[model]

    [found] = usage_rows({("chain", "x", "1"): [counted(1, 1), counted(2, 2, "k"), counted(3, 3)]}, {}, by_model)
    assert (found["dollars"], found["dollars_per_question"]) == (16.0, 5.333333)
    without = row(counted(1, 1), counted(1, 1, "n"))
    assert (without["prompt_tokens"], without["dollars"], without["dollars_per_question"]) == (2, None, None)
    free = usage_rows({("chain", "x", "1"): [counted(1, 1)]}, {}, lambda *_: 0.0)
    assert free[0]["dollars"] == 0.0


def test_rows_go_by_the_number_of_the_pass(tmp_path: Path) -> None:
    found = usage_rows({("chain", "x", p): [counted(1, 1)] for p in ("10", "2")}, {}, price)
    assert [r["reader_pass"] for r in found] == ["2", "10"]
    found.append(row(answer({})))
    tables.write_table(tmp_path / "usage.parquet", found, columns.USAGE)
    assert tables.read_table(tmp_path / "usage.parquet") == found
    assert all(r.keys() == set(columns.USAGE.names) for r in found)
