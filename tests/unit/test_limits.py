"""Limits of requests and tokens per minute hold over all workers and all processes on a machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import Loopback

from memtrial.calls import run_calls
from memtrial.ledger import Ledger
from memtrial.limits import FREE, HORIZON_S, Booked, Pace, Rates, book, correct, most_tokens, pace
from memtrial.records import Message
from memtrial.request import canonical_parameters, make_request
from memtrial.transports import embedded

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OPENAI_API_KEY": "sk-invented-0123456789"}


@given(
    st.lists(st.tuples(st.floats(0, 5), st.integers(0, 3000)), min_size=1, max_size=60),
    st.one_of(st.none(), st.integers(1, 600)),
    st.one_of(st.none(), st.integers(100, 100_000)),
)
def test_no_minute_holds_more_than_the_limits_and_one_call(
    calls: list[tuple[float, int]], requests: int | None, tokens: int | None
) -> None:
    rates, booked, now, starts = Rates(requests, tokens), FREE, 1e9, []
    for pause, size in calls:
        now += pause
        booked, start = book(booked, now, size, rates)
        assert start >= now
        starts.append((start, size))
    assert [s for s, _ in starts] == sorted(s for s, _ in starts) or not any(rates)
    for begin, _ in starts:
        inside = [(s, size) for s, size in starts if begin <= s < begin + 59.999]
        if requests:
            assert len(inside) <= requests + 1
        if tokens:
            # The last call of a minute may be of any size, as what it uses is paid back after it.
            assert sum(size for _, size in inside[:-1]) <= tokens


def test_a_call_after_a_pause_does_not_wait_and_a_limit_is_used_up_evenly() -> None:
    rates = Rates(60, None)
    booked, start = book(FREE, 100.0, 5, rates)
    assert start == 100.0
    booked, start = book(booked, 100.0, 5, rates)
    assert start == 101.0
    assert book(booked, 500.0, 5, rates)[1] == 500.0


def test_the_stricter_limit_decides_and_a_correction_moves_tokens_alone() -> None:
    rates = Rates(60, 600)
    booked, _ = book(FREE, 100.0, 100, rates)
    assert booked == Booked(101.0, 110.0)
    assert book(booked, 100.0, 100, rates)[1] == 110.0
    assert correct(booked, -50, rates) == Booked(101.0, 105.0)
    assert correct(booked, -50, Rates(60, None)) == booked


def test_a_moment_booked_by_a_wrong_clock_is_not_waited_for() -> None:
    wrong = Booked(1e9 + 2 * HORIZON_S, 0.0)
    assert book(wrong, 1e9, 1, Rates(60, None)) == (Booked(1e9 + 1, 0.0), 1e9)


def test_a_request_is_booked_with_the_longest_reply_it_allows() -> None:
    message = [Message("user", "x" * 40)]
    for parameters, expected in [({}, 10), ({"max_tokens": 5}, 15), ({"max_completion_tokens": 7}, 17)]:
        assert most_tokens(make_request("q", message, canonical_parameters("m", parameters), {})) == expected


def test_a_spec_without_limits_has_none_and_models_have_files_of_their_own(tmp_path: Path) -> None:
    assert pace({"model": "openai/m"}, None) is None
    given = {"model": "openai/m", "requests_per_minute": 60}
    with pytest.raises(ValueError, match="shared state"):
        pace(given, None)
    elsewhere = {**given, "parameters": {"api_base": "http://127.0.0.1:1/v1"}}
    specs = [given, {**given, "tokens_per_minute": 5}, elsewhere, {**given, "model": "openai/n"}]
    paths = [p.path for s in specs if (p := pace(s, tmp_path))]
    assert paths[0] == paths[1]
    assert len(set(paths)) == 3
    assert all(p.parent == tmp_path / "limits" for p in paths)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"1 2 3", b"\xff\xfe", b"1"])
def test_a_damaged_state_file_is_begun_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "state").write_bytes(content)
    shared = Pace(tmp_path / "state", Rates(60, None))
    assert [round(shared.wait_s(1000.0, 1)) for _ in range(3)] == [0, 1, 2]


BOOKING = """
import sys, time
from pathlib import Path
from memtrial.limits import Pace, Rates
shared = Pace(Path(sys.argv[1]), Rates(6000, None))
for _ in range(200):
    now = time.time()
    print(repr(now + shared.wait_s(now, 1)), flush=True)
"""


def test_processes_that_book_at_once_never_book_the_same_moment(tmp_path: Path) -> None:
    command = [sys.executable, "-c", BOOKING, str(tmp_path / "state")]
    running = [subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    starts = sorted(float(line) for process in running for line in process.communicate(timeout=60)[0].split())
    assert len(starts) == 600
    # State is kept to a microsecond.
    assert min(b - a for a, b in pairwise(starts)) > 0.01 - 1e-5


def test_a_killed_holder_of_the_lock_leaves_none(tmp_path: Path) -> None:
    code = (
        "import fcntl, os, sys, time\n"
        "file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)\n"
        "fcntl.flock(file, fcntl.LOCK_EX)\nprint('held', flush=True)\ntime.sleep(600)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "state")], stdout=subprocess.PIPE)
    assert holder.stdout
    assert holder.stdout.readline() == b"held\n"
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    assert Pace(tmp_path / "state", Rates(60, None)).wait_s(1000.0, 1) == 0.0


ASKING = """
import sys
from pathlib import Path
from memtrial.asking import ask
from memtrial.records import Message
from memtrial.request import canonical_parameters, make_request
name, address, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
shared = canonical_parameters("openai/tiny", {"api_base": address})
asked = [make_request(f"q{i}", [Message("user", f"{name} {i}")], shared, {}) for i in range(15)]
spec = {"model": "openai/tiny", "parameters": {"api_base": address}, "requests_per_minute": 600}
outcomes = ask(asked, spec, folder / name, draw=1, total=15, cache=folder / "cache")
assert all(o.status == "ok" for o in outcomes)
"""


def test_two_jobs_together_keep_to_the_rate_of_one_limit(tmp_path: Path) -> None:
    with Loopback() as server:
        begun = [
            subprocess.Popen([sys.executable, "-c", ASKING, name, server.address, str(tmp_path)], env=ENVIRONMENT)
            for name in ("first", "second")
        ]
        assert [process.wait(timeout=120) for process in begun] == [0, 0]
    times = sorted(s.at for s in server.seen)
    assert len(times) == 30
    # 30 calls at 600 a minute take 2.9 s, less what the very first are late by; without a shared limit 1.4 s.
    assert times[-1] - times[0] > 2.1


def test_one_process_books_one_moment_ahead_and_waits_without_polling(tmp_path: Path) -> None:
    shared = Pace(tmp_path / "state", Rates(300, None))
    at: list[float] = []

    def answer(messages: list[dict[str, str]], parameters: dict[str, object]) -> str:
        at.append(time.time())
        assert float((tmp_path / "state").read_text().split()[0]) <= time.time() + 2 * 0.2
        return "yes"

    asked = [make_request(f"q{i}", [Message("user", str(i))], canonical_parameters("m", {}), {}) for i in range(6)]
    before = time.process_time()
    run_calls(asked, embedded(answer), Ledger(tmp_path / "calls"), draw=1, total=6, concurrency=6, limits=shared)
    assert at[-1] - at[0] >= 5 * 0.2 - 0.01
    assert time.process_time() - before < 0.5, "one second of waiting takes no second of work"
