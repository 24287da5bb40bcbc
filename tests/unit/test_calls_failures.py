"""Each way in which a provider fails, through the real litellm, against a server on loopback."""

from __future__ import annotations

import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from loopback import MODEL, Body, Loopback, Reply, always, prompt, refused, said

from memtrial.calls import AuthenticationStopped, CallsStopped, Outcome, run_calls
from memtrial.ledger import Ledger
from memtrial.records import Message, Request
from memtrial.request import canonical_parameters, make_request
from memtrial.retries import SILENT_REQUESTS, delay_s, retry_after_s
from memtrial.transports import litellm_transport

KEY = "sk-invented-0123456789abcdef"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def requests(address: str, n: int, model: str = "openai/tiny", **parameters: Any) -> list[Request]:
    shared = canonical_parameters(model, {"api_base": address, **parameters})
    return [make_request(f"q{i:03}", [Message("user", f"question {i}.")], shared, {}) for i in range(n)]


def run(calls: Path, asked: list[Request], **options: Any) -> list[Outcome]:
    settings = {"attempts": 3, "timeout_s": 5.0, "concurrency": 4, "base_delay_s": 0.01, **options}
    return run_calls(asked, litellm_transport(), Ledger(calls), draw=1, total=len(asked), **settings)


def once(reply: Reply) -> Callable[[int, Body], Reply | None]:
    """That reply to the first request alone."""
    return lambda number, _: reply if number == 1 else None


def one(calls: Path, *replies: Reply, **options: Any) -> tuple[Outcome, int]:
    """The outcome of one request that gets these replies, the last one for ever, and how often it was asked."""
    with Loopback(faults=[lambda number, _: replies[min(number, len(replies)) - 1]]) as server:
        (outcome,) = run(calls, requests(server.address, 1), **options)
    return outcome, len(server.seen)


def test_a_request_goes_out_as_it_was_stored_and_its_reply_comes_back_whole(tmp_path: Path) -> None:
    with Loopback() as server:
        asked = requests(server.address, 3, temperature=0, max_tokens=9)
        outcomes = run(tmp_path, asked)
    assert [s.sha256 for s in sorted(server.seen, key=lambda s: s.sha256)] == sorted(r.sha256 for r in asked)
    assert {o.status for o in outcomes} == {"ok"}
    assert outcomes[0].text.startswith("Answer: ")
    assert (outcomes[0].model_resolved, outcomes[0].usage["total_tokens"], outcomes[0].attempts) == (MODEL, 9, 1)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_failures_that_may_pass_are_tried_again_and_a_bounded_number_of_times(tmp_path: Path, status: int) -> None:
    failing = refused(status, "busy")
    outcome, asked = one(tmp_path / "passing", failing, failing, said("at last"))
    assert (outcome.status, outcome.text, outcome.attempts, asked) == ("ok", "at last", 3, 3)
    outcome, asked = one(tmp_path / "lasting", failing)
    assert (outcome.status, outcome.attempts, asked) == ("error", 3, 3)
    assert f"HTTP {status}" in (outcome.error or "")


@pytest.mark.parametrize("form", ["seconds", "date", "milliseconds"])
def test_retry_after_is_honoured_in_each_form(tmp_path: Path, form: str) -> None:
    now = datetime.now(UTC)
    headers = {
        "seconds": {"retry_after": "0.4"},
        # Dates have whole seconds.
        "date": {"date": format_datetime(now, usegmt=True), "retry_after": format_datetime(now + timedelta(seconds=1))},
        "milliseconds": {"retry_after_ms": "400", "retry_after": "60"},
    }[form]
    with Loopback(faults=[once(refused(429, "slow down", **headers))]) as server:
        (outcome,) = run(tmp_path, requests(server.address, 1))
    first, second = (s.at for s in server.seen)
    assert outcome.status == "ok"
    assert 0.4 <= second - first < 5


def test_a_wait_beyond_all_bounds_is_not_waited(tmp_path: Path) -> None:
    outcome, asked = one(tmp_path, refused(429, "come back tomorrow", retry_after="86400"))
    assert (outcome.status, outcome.attempts, asked) == ("error", 1, 1)
    assert "given up" in (outcome.error or "")


def test_a_slow_reply_is_a_time_out_and_tried_again(tmp_path: Path) -> None:
    outcome, asked = one(tmp_path, said("late")._replace(wait_s=2.0), said("in time"), timeout_s=0.5)
    assert (outcome.status, outcome.text, outcome.attempts, asked) == ("ok", "in time", 2, 2)
    outcome, _ = one(tmp_path / "slow", said("late")._replace(wait_s=2.0), timeout_s=0.2, attempts=2)
    assert (outcome.status, outcome.error) == ("error", "no reply within 0.2 s")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def test_a_refused_connection_is_an_error_of_the_request_and_of_many_the_end(tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{free_port()}/v1"
    (outcome,) = run(tmp_path, requests(address, 1))
    assert (outcome.status, outcome.attempts) == ("error", 3)
    with pytest.raises(CallsStopped, match="answered none of 20 requests in a row"):
        run(tmp_path, requests(address, 200), attempts=2, concurrency=1)
    assert sum(len(p.read_text().splitlines()) for p in tmp_path.glob("*.jsonl")) == 1 + SILENT_REQUESTS


def test_a_provider_that_fails_often_but_answers_in_between_is_asked_on(tmp_path: Path) -> None:
    faults = [lambda number, _: None if number % 10 == 0 else refused(500, "oops")]
    with Loopback(faults=faults) as server:
        outcomes = run(tmp_path, requests(server.address, 60), attempts=1, concurrency=1)
    assert [o.status for o in outcomes].count("ok") == 6


@pytest.mark.parametrize(
    "reply",
    [
        refused(400, "The response was filtered", "content_filter"),
        refused(400, "Your request was rejected by our content policy", "content_policy_violation"),
        refused(403, "the model requires moderation and your input was flagged"),
        said("", "content_filter"),
    ],
)
def test_a_content_filter_is_a_refusal_and_final(tmp_path: Path, reply: Reply) -> None:
    outcome, asked = one(tmp_path, reply)
    assert (outcome.status, outcome.finish_reason, outcome.attempts, asked) == ("refused", "content_filter", 1, 1)
    outcome, asked = one(tmp_path, said("now it would answer"))
    assert asked == 1, "another address is another request"


def test_a_request_over_the_context_length_is_told_so_and_not_tried_again(tmp_path: Path) -> None:
    message = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
    outcome, asked = one(tmp_path, refused(400, message, "context_length_exceeded"))
    assert (outcome.status, outcome.attempts, asked) == ("error", 1, 1)
    assert "longer than the model context window" in (outcome.error or "")
    assert "8192" in (outcome.error or "")


def test_any_other_bad_request_is_an_error_of_that_request_and_final(tmp_path: Path) -> None:
    outcome, asked = one(tmp_path, refused(400, "unknown parameter: top_q"))
    assert (outcome.status, outcome.attempts, asked) == ("error", 1, 1)
    assert "top_q" in (outcome.error or "")
    assert "context" not in (outcome.error or "")


@pytest.mark.parametrize(
    ("reply", "kind", "told"),
    [
        (refused(401, f"Incorrect API key provided: {KEY}"), AuthenticationStopped, "key in the environment"),
        (refused(403, "no access"), AuthenticationStopped, "key in the environment"),
        (refused(404, "no such model"), CallsStopped, "no such model or address"),
        (refused(402, "pay first"), CallsStopped, "credit or quota"),
        (refused(429, "You exceeded your current quota", "insufficient_quota"), CallsStopped, "credit or quota"),
    ],
)
def test_where_every_call_would_fail_the_run_stops_at_once_and_keeps_all(
    tmp_path: Path, reply: Reply, kind: type[CallsStopped], told: str
) -> None:
    with Loopback(faults=[always("question 7.", reply)], latency_s=0.01) as server:
        asked = requests(server.address, 60)
        with pytest.raises(kind, match=told) as stopped:
            run(tmp_path, asked)
        assert "question" not in str(stopped.value)
        assert KEY not in str(stopped.value)
        assert len(server.seen) <= 8 + 4, "those in flight at the refusal, and no more"
        server.faults = ()
        assert {o.status for o in run(tmp_path, asked)} == {"ok"}
    assert server.asked() == {r.sha256: 1 + (r.question_id == "q007") for r in asked}


def test_a_missing_key_and_a_model_without_provider_stop_before_anything_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Loopback() as server:
        with pytest.raises(CallsStopped, match="no such model"):
            run(tmp_path, requests(server.address, 3, model="nobodys-model"))
        monkeypatch.delenv("OPENAI_API_KEY")
        with pytest.raises(AuthenticationStopped):
            run(tmp_path, requests(server.address, 3))
    assert server.seen == []


def without_choices() -> Reply:
    body = dict(said("x").body)
    body["choices"] = []
    return Reply(200, body)


@pytest.mark.parametrize("reply", [without_choices(), said(None), said(""), said(" \n"), said(None, reasoning="hm")])
def test_replies_of_nothing_are_tried_again_and_then_an_error(tmp_path: Path, reply: Reply) -> None:
    outcome, asked = one(tmp_path / "lasting", reply)
    assert (outcome.status, outcome.text, asked) == ("error", "", 3)
    outcome, asked = one(tmp_path / "passing", reply, said("at last"))
    assert (outcome.status, outcome.text, asked) == ("ok", "at last", 2)


@pytest.mark.parametrize("text", ["{", "<html>busy</html>", "", '"yes"', "null"])
def test_a_body_that_is_no_reply_is_an_error_after_bounded_tries(tmp_path: Path, text: str) -> None:
    outcome, asked = one(tmp_path, Reply(200, text))
    assert outcome.status == "error"
    assert asked <= 3


@pytest.mark.parametrize("content", ["half an ans", "", None])
def test_a_length_stop_is_a_cut_reply_and_final(tmp_path: Path, content: str | None) -> None:
    outcome, asked = one(tmp_path, said(content, "length"))
    assert (outcome.status, outcome.text, outcome.attempts, asked) == ("truncated", content or "", 1, 1)


CALL = {"id": "1", "type": "function", "function": {"name": "search", "arguments": "{}"}}


@pytest.mark.parametrize(
    "reply",
    [
        said(None, "tool_calls", tool_calls=[CALL]),
        said("Answer: Lisbon", "stop", tool_calls=[CALL]),
        said("Answer: Lisbon", "function_call", function_call=CALL["function"]),
    ],
)
def test_a_reply_that_calls_a_tool_is_never_an_answer(tmp_path: Path, reply: Reply) -> None:
    outcome, asked = one(tmp_path, reply)
    assert (outcome.status, outcome.text, outcome.attempts, asked) == ("error", "", 1, 1)
    assert "calls a tool" in (outcome.error or "")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_is_kept_apart_from_the_reply_and_replayed(tmp_path: Path, field: str) -> None:
    with Loopback(reply=lambda body: said(f"Answer: {prompt(body)}", **{field: "let me see"})) as server:
        asked = requests(server.address, 1)
        first, again = run(tmp_path, asked)[0], run(tmp_path, asked)[0]
    assert (first.text, first.reasoning) == ("Answer: question 0.", "let me see")
    assert again == first._replace(replayed=True)
    assert len(server.seen) == 1


def test_a_request_that_does_not_fit_is_not_sent(tmp_path: Path) -> None:
    with Loopback() as server:
        asked = requests(server.address, 3)
        outcomes = run(tmp_path, asked, unfit=lambda r: "9 do not fit into 8" if r.question_id == "q001" else None)
    assert [(o.status, o.attempts, o.error) for o in outcomes][1] == ("error", 0, "9 do not fit into 8")
    assert server.asked() == {asked[0].sha256: 1, asked[2].sha256: 1}


def test_delays_grow_with_jitter_up_to_a_bound() -> None:
    seeds = [f"request {i}" for i in range(50)]
    for tried, longest in [(1, 1.0), (2, 2.0), (4, 8.0), (7, 60.0), (5000, 60.0)]:
        delays = [delay_s(s, tried, 1.0) for s in seeds]
        assert all(longest / 2 <= d < longest for d in delays)
        assert len(set(delays)) == 50
    assert delay_s("a", 3, 1.0) == delay_s("a", 3, 1.0)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "-7"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:30 GMT"}, 30.0),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:30 GMT", "date": "Thu, 01 Jan 2026 00:00:10 GMT"}, 20.0),
        ({"retry-after": "Wed, 31 Dec 2025 00:00:00 GMT"}, 0.0),
    ],
)
def test_retry_after_is_read_from_each_form(headers: dict[str, str], expected: float | None) -> None:
    assert retry_after_s(headers, NOW) == expected
