"""What happens to requests whose provider fails in each known way."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtrial.calls import (
    AuthenticationStopped,
    CallFailed,
    Outcome,
    Response,
    Transport,
    run_calls,
)
from memtrial.errors import InputError
from memtrial.ledger import Ledger
from memtrial.records import Message, Request
from memtrial.request import canonical_parameters, make_request
from memtrial.text import canonical, sha256
from memtrial.transports import embedded, redacted

KEY = "sk-invented-0123456789abcdef"


def requests(n: int, **parameters: Any) -> list[Request]:
    shared = canonical_parameters("m", parameters)
    return [make_request(f"q{i:03}", [Message("user", f"question {i}")], shared, {}) for i in range(n)]


class Provider:
    """A scripted transport: what it does at each call of a question is given as a list, the last entry repeats."""

    def __init__(self, script: dict[int, list[Exception | Response]] | None = None, latency_s: float = 0.0) -> None:
        self.script, self.latency_s = script or {}, latency_s
        self.calls: list[int] = []
        self.at: list[float] = []
        self.active = self.most_active = 0

    async def __call__(self, messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response:
        number = int(messages[-1]["content"].split()[-1])
        steps = self.script.get(number, [reply(f"answer {number}")])
        step = steps[min(self.calls.count(number), len(steps) - 1)]
        self.calls.append(number)
        self.at.append(time.monotonic())
        self.active += 1
        self.most_active = max(self.most_active, self.active)
        await asyncio.sleep(self.latency_s)
        self.active -= 1
        if isinstance(step, Exception):
            raise step
        return step


def reply(text: str, finish_reason: str = "stop") -> Response:
    return Response(text, finish_reason, "m-2026", {"prompt_tokens": 3}, {"id": "x"})


def run(provider: Transport, calls: Path, asked: list[Request], draw: int = 1, **options: Any) -> list[Outcome]:
    settings = {"attempts": 3, "timeout_s": 5.0, "concurrency": 4, "base_delay_s": 0.001, **options}
    return run_calls(asked, provider, Ledger(calls), draw=draw, total=len(asked), **settings)


def test_outcomes_stand_in_the_order_of_requests_and_progress_counts_up(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    notes: list[str] = []

    def progress(done: int, total: int, note: str) -> None:
        seen.append((done, total))
        notes.append(note)

    async def slow_first(messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response:
        number = int(messages[-1]["content"].split()[-1])
        await asyncio.sleep(0.02 if number == 0 else 0)
        return reply(str(number))

    outcomes = run(slow_first, tmp_path, requests(9), progress=progress)
    assert [o.question_id for o in outcomes] == [f"q{i:03}" for i in range(9)]
    assert [o.text for o in outcomes] == [str(i) for i in range(9)]
    assert seen == [(i, 9) for i in range(1, 10)]
    assert "27 tokens, price unknown" in notes[-1]
    assert "left" in notes[0]
    assert "left" not in notes[-1]
    assert outcomes[0] == Outcome("q000", "ok", "0", "stop", "m-2026", {"prompt_tokens": 3}, 1, None, False)


def test_concurrency_is_bounded_and_requests_are_streamed(tmp_path: Path) -> None:
    provider, drawn = Provider(latency_s=0.005), 0

    def stream() -> Iterator[Request]:
        nonlocal drawn
        for request in requests(40):
            drawn += 1
            assert drawn <= len(provider.calls) + 4
            yield request

    run_calls(stream(), provider, Ledger(tmp_path), draw=1, total=40, concurrency=4)
    assert provider.most_active == 4


def test_a_second_run_makes_no_call_and_another_draw_does(tmp_path: Path) -> None:
    first = run(Provider(), tmp_path, requests(5))
    again = Provider()
    replayed = run(again, tmp_path, requests(5))
    assert again.calls == []
    assert replayed == [o._replace(replayed=True) for o in first]
    run(again, tmp_path, requests(5), draw=2)
    assert sorted(again.calls) == [0, 1, 2, 3, 4]


def test_equal_requests_are_sent_once(tmp_path: Path) -> None:
    one = requests(1)[0]
    provider = Provider(latency_s=0.01)
    outcomes = run(provider, tmp_path, [one, one._replace(question_id="twin")])
    assert provider.calls == [0]
    assert [(o.question_id, o.text) for o in outcomes] == [("q000", "answer 0"), ("twin", "answer 0")]


@pytest.mark.parametrize(
    "failure",
    [CallFailed("slow down", status=429), CallFailed("oops", status=503), CallFailed("no network"), reply("  ")],
)
def test_passing_failures_are_tried_again(tmp_path: Path, failure: Exception | Response) -> None:
    outcome = run(Provider({0: [failure, failure, reply("at last")]}), tmp_path, requests(1))[0]
    assert (outcome.status, outcome.text, outcome.attempts) == ("ok", "at last", 3)


def test_lasting_failures_end_as_errors_and_are_asked_again_by_the_next_run(tmp_path: Path) -> None:
    script: dict[int, list[Exception | Response]] = {0: [CallFailed("oops", status=500)], 1: [reply("")]}
    provider = Provider(script)
    outcomes = run(provider, tmp_path, requests(3))
    assert [(o.status, o.attempts, o.error) for o in outcomes] == [
        ("error", 3, "oops"),
        ("error", 3, "empty reply"),
        ("ok", 1, None),
    ]
    assert sorted(provider.calls) == [0, 0, 0, 1, 1, 1, 2]
    later = Provider()
    assert [o.status for o in run(later, tmp_path, requests(3))] == ["ok", "ok", "ok"]
    assert sorted(later.calls) == [0, 1]


def test_retry_after_is_honoured_and_waits_are_capped(tmp_path: Path) -> None:
    provider = Provider({0: [CallFailed("wait", status=429, retry_after=0.2), reply("ok")]})
    run(provider, tmp_path / "short", requests(1))
    assert provider.at[1] - provider.at[0] >= 0.2
    provider = Provider({0: [CallFailed("wait", status=429, retry_after=1e6)]})
    outcome = run(provider, tmp_path / "long", requests(1))[0]
    assert (outcome.status, outcome.attempts) == ("error", 1)
    assert "given up" in (outcome.error or "")


def test_a_time_out_is_tried_again_and_then_an_error(tmp_path: Path) -> None:
    provider = Provider(latency_s=1.0)
    outcome = run(provider, tmp_path, requests(1), timeout_s=0.01, attempts=2)[0]
    assert (outcome.status, outcome.error, provider.calls) == ("error", "no reply within 0.01 s", [0, 0])


def test_refusals_and_cut_replies_are_final(tmp_path: Path) -> None:
    script: dict[int, list[Exception | Response]] = {
        0: [CallFailed("policy", status=400, filtered=True)],
        1: [reply("half an ans", "length")],
        2: [reply("", "length")],
        3: [reply("", "content_filter")],
        4: [CallFailed("no such parameter", status=400)],
    }
    provider = Provider(script)
    outcomes = run(provider, tmp_path, requests(5))
    assert [o.status for o in outcomes] == ["refused", "truncated", "truncated", "refused", "error"]
    assert outcomes[1].text == "half an ans"
    assert sorted(provider.calls) == [0, 1, 2, 3, 4]
    run(provider, tmp_path, requests(4))
    assert len(provider.calls) == 5


@pytest.mark.parametrize("status", [401, 403])
def test_refused_credentials_stop_everything_and_lose_nothing(tmp_path: Path, status: int) -> None:
    provider = Provider({2: [CallFailed(f"bad key {KEY}", status=status)]}, latency_s=0.01)
    with pytest.raises(AuthenticationStopped, match=str(status)) as stopped:
        run(provider, tmp_path, requests(50), concurrency=4)
    assert KEY not in str(stopped.value)
    assert len(provider.calls) <= 7, "those in flight at the refusal, and those they followed"
    later = Provider()
    run(later, tmp_path, requests(50))
    assert sorted([*later.calls, *provider.calls]) == sorted([2, *range(50)])


def test_an_error_in_the_stream_of_requests_comes_through_as_it_is(tmp_path: Path) -> None:
    def stream() -> Iterator[Request]:
        yield requests(1)[0]
        raise InputError("row 2 is broken")

    with pytest.raises(InputError, match="row 2 is broken"):
        run_calls(stream(), Provider(), Ledger(tmp_path), draw=1, total=2)


def test_a_request_is_hashed_over_canonical_messages_and_parameters() -> None:
    request = requests(1, temperature=0)[0]
    messages = [{"role": "user", "content": "question 0"}]
    assert request.sha256 == sha256(canonical([messages, {"model": "m", "temperature": 0}]))
    assert (request.chars, request.proxy_tokens) == (10, 3)


@pytest.mark.parametrize(
    "parameters",
    [
        {"api_key": KEY},
        {"extra_headers": {}},
        {"tools": []},
        {"stream": True},
        {"extra_body": {"api_key": KEY}},
        {"extra_body": {"providers": [{"api_key": KEY}]}},
        {"api_base": f"https://user:{KEY}@host/v1"},
        {"base_url": f"https://user:{KEY}@host/v1"},
        {"fallbacks": ["openai/other"]},
        {"context_window_fallbacks": []},
        {"num_retries": 3},
        {"max_retries": 3},
    ],
)
def test_credentials_and_tools_are_refused_as_parameters(parameters: dict[str, Any]) -> None:
    with pytest.raises(InputError) as refused:
        canonical_parameters("m", parameters)
    assert KEY not in str(refused.value)


def test_ordinary_parameters_are_accepted() -> None:
    given = {
        "temperature": 0,
        "max_tokens": 5,
        "seed": 1,
        "reasoning_effort": "low",
        "api_base": "http://127.0.0.1:1/v1",
    }
    assert json.loads(canonical_parameters("m", given)) == {"model": "m", **given}


def test_the_embedded_transport_answers_with_a_plain_function(tmp_path: Path) -> None:
    outcome = run(embedded(lambda messages, _: messages[0]["content"].upper()), tmp_path, requests(1))[0]
    assert (outcome.text, outcome.model_resolved) == ("QUESTION 0", "m")


def test_redaction_takes_out_environment_secrets_and_key_like_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "unusualvalue")
    assert redacted(f"key unusualvalue or {KEY} is wrong") == "key [redacted] or [redacted] is wrong"
