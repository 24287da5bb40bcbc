"""The plan of calls, tokens and price, from requests and ledgers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial import model_table, plan
from memtrial.judging.planned import asked_line, judge_line
from memtrial.judging.requests import render_requests
from memtrial.ledger import Ledger, Row
from memtrial.records import Answer, Gold, Message, Question, Request
from memtrial.request import canonical_parameters, make_request

LITELLM: dict[str, Any] = {"kind": "litellm", "model": "acme/m"}
TABLE = {"acme/m": {"max_input_tokens": 1000, "input_cost_per_token": 2e-06, "output_cost_per_token": 1e-05}}
CELL = Path("results/b/s/reader=r/pass=1")


def request(chars: int, number: int = 0, **parameters: Any) -> Request:
    text = f"{number:04}".ljust(chars, "x")
    limits = parameters or {"max_tokens": 50}
    return make_request(f"q{number}", [Message("user", text)], canonical_parameters("acme/m", limits), {})


def line(asked: list[Request], held: set[str] = frozenset(), **given: Any) -> plan.Line:  # type: ignore[assignment]
    spec, table = given.pop("spec", LITELLM), given.pop("table", TABLE)
    return plan.line(CELL, spec, plan.sizes(asked), held.__contains__, table, **given)


def test_a_line_counts_calls_tokens_and_price() -> None:
    found = line([request(400, n) for n in range(10)])
    assert (found.requests, found.held, found.calls) == (10, 0, 10)
    assert (found.proxy_tokens_in, found.tokens_in, found.tokens_out) == (1000, None, 500)
    assert found.price == pytest.approx(1000 * 2e-06 + 500 * 1e-05)
    assert (found.cell, found.model) == (CELL.as_posix(), "acme/m")


def test_what_the_ledger_holds_is_not_asked_again(tmp_path: Path) -> None:
    asked = [request(400, n) for n in range(3)]
    with Ledger(tmp_path / "calls") as ledger:
        ledger.append(Row(asked[0].sha256, 1, "good", {"text": "x"}, None, 1, 0.1, 1.0))
        ledger.append(Row(asked[1].sha256, 1, "bad", None, "HTTP 500", 6, 0.1, 1.0))
    calls = [
        plan.line(CELL, LITELLM, plan.sizes(asked), plan.replayed(tmp_path / "calls", draw), TABLE).calls
        for draw in (1, 2)
    ]
    assert calls == [2, 3]
    assert plan.replayed(tmp_path / "none", 1)(asked[0].sha256) is False


def test_equal_requests_are_asked_once() -> None:
    assert line([request(400), request(400), request(401)]).calls == 2


def test_requests_over_the_window_are_counted_and_not_priced() -> None:
    found = line([request(400), request(4 * 951, 1), request(4 * 950, 2)], context_tokens=1000)
    assert (found.calls, found.unsendable, found.proxy_tokens_in) == (2, 1, 1050)
    assert "1 do not fit" in plan.table([found])


def test_a_named_tokenizer_sets_size_and_price() -> None:
    asked = plan.sizes([request(400)], len)
    found = plan.line(CELL, LITELLM, asked, set().__contains__, TABLE, context_tokens=449)
    assert (found.calls, found.unsendable) == (0, 1)
    found = plan.line(CELL, LITELLM, asked, set().__contains__, TABLE, context_tokens=450)
    assert (found.proxy_tokens_in, found.tokens_in) == (100, 400)
    assert found.price == pytest.approx(400 * 2e-06 + 50 * 1e-05)


@pytest.mark.parametrize(
    "table",
    [{}, {"acme/m": {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0}}, {"acme/m": {"max_input_tokens": 9}}],
)
def test_an_unknown_price_is_unknown_and_never_nought(table: dict[str, Any]) -> None:
    found = line([request(400)], table=table)
    assert found.price is None
    known = line([request(400)])
    assert plan.total([found, known]).price == known.price
    assert "without 1 cells of unknown price" in plan.table([found, known])
    assert plan.total([found, line([])]).price is None
    shown = plan.table([found]).split("\n")
    assert "unknown" in shown[2]
    assert "unknown" in shown[-1]


def test_a_reply_without_a_limit_has_no_upper_price() -> None:
    found = line([request(400, temperature=0)])
    assert (found.calls, found.tokens_out, found.price) == (1, None, None)
    assert "no limit" in plan.table([found])


@pytest.mark.parametrize("kind", ["extractive", "import", "lexical"])
def test_kinds_that_ask_no_model_have_no_calls(kind: str) -> None:
    found = line([request(400)], spec={"kind": kind}, table={})
    assert (found.requests, found.held, found.calls, found.price, found.model) == (1, 0, 0, 0.0, kind)
    assert plan.prices([{"kind": kind}]) == {}
    assert plan.table([found]).split("\n")[2].endswith("free")


def test_a_local_model_is_asked_for_nothing() -> None:
    found = line([request(400)], spec={"kind": "local", "model": "smol"}, table={})
    assert (found.calls, found.price) == (1, 0.0)
    assert plan.table([found]).split("\n")[2].endswith("free")
    assert plan.table([line([])]).split("\n")[2].endswith("0.00")


JUDGE: dict[str, Any] = {"kind": "litellm", "model": "acme/m", "protocol": "binary", "draw": 2}
QUESTIONS = [Question(f"q{n}", "c1", "Which lamp did I buy?", None, "en", []) for n in range(3)]
GOLD = [Gold(q.question_id, ["the blue one"], "t", {}, False) for q in QUESTIONS]


def answered(text: str = "blue", status: str = "ok") -> list[Answer]:
    blank = Answer("", status, text, text, "", None, "m", None, {}, "", "", "", 1, None)
    return [blank._replace(question_id=q.question_id) for q in QUESTIONS]


def judged(folder: Path, answers: list[Answer] | None, longest: int = 70, **spec: Any) -> plan.Line:
    return judge_line(folder, {**JUDGE, **spec}, QUESTIONS, GOLD, answers, longest, TABLE)


def test_judging_is_estimated_until_the_answers_are_there(tmp_path: Path) -> None:
    estimate, whole = judged(tmp_path, None), judged(tmp_path, None, longest=0)
    assert (estimate.requests, estimate.calls, estimate.note) == (3, 3, "estimate")
    assert estimate.proxy_tokens_in - whole.proxy_tokens_in == 3 * 70
    one = render_requests(QUESTIONS, GOLD, answered(), JUDGE)
    exact = judged(tmp_path, answered("blue lamp " * 28))
    assert exact.note == ""
    assert whole.proxy_tokens_in < 3 * exact.proxy_tokens_in <= estimate.proxy_tokens_in
    with Ledger(tmp_path / "calls") as ledger:
        ledger.append(Row(next(one).sha256, 2, "good", {"text": "yes"}, None, 1, 0.1, 1.0))
    assert judged(tmp_path, None).calls == 3


def test_equal_judge_requests_are_asked_once_and_answers_that_are_not_ok_never(tmp_path: Path) -> None:
    exact = judged(tmp_path, answered())
    assert (exact.requests, exact.calls) == (1, 1)
    (same,) = {r.sha256 for r in render_requests(QUESTIONS, GOLD, answered(), JUDGE)}
    with Ledger(tmp_path / "calls") as ledger:
        ledger.append(Row(same, 2, "good", {"text": "yes"}, None, 1, 0.1, 1.0))
    assert [judged(tmp_path, answered(), draw=d).calls for d in (1, 2)] == [1, 0]
    assert judged(tmp_path, answered("", "error")).requests == 0


@pytest.mark.parametrize("kind", ["lexical", "locomo-f1", "import"])
def test_judges_that_ask_no_model_have_no_calls(tmp_path: Path, kind: str) -> None:
    assert [judged(tmp_path, given, kind=kind).calls for given in (None, answered())] == [0, 0]


def test_controls_are_asked_for_too(tmp_path: Path) -> None:
    found = asked_line(tmp_path, JUDGE, [request(400, n) for n in range(40)], TABLE)
    assert (found.calls, found.proxy_tokens_in) == (40, 4000)


@given(st.lists(st.tuples(st.integers(4, 900), st.booleans()), max_size=20))
def test_every_request_is_held_unsendable_or_called(rows: list[tuple[int, bool]]) -> None:
    asked = [request(4 * size, n) for n, (size, _) in enumerate(rows)]
    held = {r.sha256 for r, (_, there) in zip(asked, rows, strict=True) if there}
    found = line(asked, held, context_tokens=500)
    assert found.held + found.unsendable + found.calls == found.requests == len(rows)
    assert plan.total([found, found]).calls == 2 * found.calls


def test_the_table_is_aligned_and_the_file_holds_the_same() -> None:
    lines = [line([request(400)]), line([request(4_000_000, n) for n in range(3)], note="estimate")]
    shown = plan.table(lines).split("\n")
    assert shown[0].split() == ["cell", "model", "calls", "of", "tokens", "in", "tokens", "out", "USD"]
    assert shown[2].split()[1:] == ["acme/m", "1", "1", "~100", "50", "<0.01"]
    assert shown[3].split()[1:] == ["acme/m", "3", "3", "~3,000,000", "150", "6.00", "estimate"]
    assert shown[5].split()[:3] == ["in", "all", "4"]
    assert len({row.index(mark) for row, mark in ((shown[2], "acme"), (shown[3], "acme"), (shown[0], "model"))}) == 1
    told = json.loads(plan.as_json(lines))
    assert [c["calls"] for c in told["cells"]] == [1, 3]
    assert told["total"]["price"] == pytest.approx(lines[0].price + lines[1].price)  # type: ignore[operator]


def test_the_model_table_knows_a_model_by_its_id_or_as_its_providers() -> None:
    table = model_table.bundled()
    known = model_table.facts("openai/gpt-4o", table)
    assert known == model_table.facts("gpt-4o", table)
    assert known.context_tokens == 128000
    assert known.input_price
    assert model_table.facts("elsewhere/gpt-4o", table) == model_table.UNKNOWN
    assert model_table.facts("openai/no-such-model", table) == model_table.UNKNOWN
    free = model_table.facts("gigachat/GigaChat-2-Max", table)
    assert (free.input_price, free.output_price) == (None, None)
