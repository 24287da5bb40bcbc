"""A model whose server fails, or whose jobs are killed: no row is lost, no reply is paid for twice."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml
from flow import Flow, config, write_rows
from loopback import Body, Loopback, Reply, always, in_turn, prompt, refused, said

from memtrial.text import sha256

KEY = "sk-invented-by-the-test-9876543210"
ANSWERS = "tiny/full-context/reader=model/pass=1/answers.jsonl"
VERDICTS = "tiny/full-context/reader=model/pass=1/judge=model/verdicts.jsonl"
CONCURRENCY = 4


def asked_of(n: int) -> list[dict[str, Any]]:
    """A benchmark of `n` questions, each on two sessions of its own."""
    return [
        {
            "question_id": f"q-{i:03}",
            "question_type": "single-session-user",
            "question": f"Which number did I give to shelf {i:03}?",
            "question_date": "2024/03/01 (Fri) 10:00",
            "answer": str(1000 + i),
            "answer_session_ids": ["s-0"],
            "haystack_dates": ["2024/01/05 (Fri) 09:00", "2024/01/09 (Tue) 18:30"],
            "haystack_session_ids": ["s-0", "s-1"],
            "haystack_sessions": [
                [{"role": "user", "content": f"Shelf {i:03} got number {1000 + i}."}],
                [{"role": "user", "content": "I painted the door."}, {"role": "assistant", "content": "Well done."}],
            ],
        }
        for i in range(n)
    ]


def reply(body: Body) -> Reply:
    """As a reader right about every other shelf; as a judge too, who wants the reference's number."""
    text = prompt(body)
    if "=== SESSIONS ===" in text:
        number = re.findall(r"got number (\d+)", text)[0]
        # In other words than the reference: a control with the reference itself is asked on its own account.
        return said(f"Answer: it was {number}" if int(number) % 2 else f"Answer: {sha256(text)[:8]}")
    answer = text.split("Answer to mark:\n")[1].split("\n\n")[0]
    reference = re.search(r"Reference:\n(.*)", text)
    right = reference[1] in answer if reference else not re.search(r"\d", answer)
    return said("yes" if right else "no")


def flow_of(folder: Path, repository: Path, server: Loopback, n: int, **settings: Any) -> Flow:
    folder.mkdir(parents=True)
    model = {"kind": "litellm", "model": "openai/test", "parameters": {"api_base": server.address}}
    model |= {"concurrency": CONCURRENCY, **settings}
    source = write_rows(folder / "tiny.json", asked_of(n))
    judges = {"model": {**model, "protocol": "binary"}}
    return Flow(folder, config(source, readers={"model": model}, judges=judges), repository=repository)


def lines(flow: Flow, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in flow.path(name).read_text(encoding="utf-8").splitlines()]


def started(flow: Flow, *targets: str) -> psutil.Popen:
    """Snakemake on its way to these files, with whatever a kill left behind."""
    overlay = flow.folder / "overlay.yaml"
    overlay.write_text(yaml.safe_dump(flow.config), encoding="utf-8")
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--nolock", "--rerun-incomplete"]
    command += ["--snakefile", str(flow.repository / "Snakefile"), "--directory", str(flow.folder)]
    command += ["--configfile", str(flow.repository / "config/config.yaml"), str(overlay)]
    environment = {**psutil.Process().environ(), "OPENAI_API_KEY": KEY}
    files = [str(flow.path(t).relative_to(flow.folder)) for t in targets]
    return psutil.Popen([*command, "--", *files], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_until(true: Callable[[], bool], running: psutil.Popen) -> bool:
    """Wait until something is true; False if the process ends first."""
    until = time.monotonic() + 120
    while not true():
        assert time.monotonic() < until
        if running.poll() is not None:
            return False
        time.sleep(0.005)
    return True


def kill(running: psutil.Popen, *, all_of_it: bool) -> None:
    """Kill -9 of all that Snakemake started, and of itself too or not; wait for the end of all."""
    jobs = running.children(recursive=True)
    for process in [*([running] if all_of_it else []), *jobs]:
        process.kill()
    psutil.wait_procs([running, *jobs])


def paid(flow: Flow) -> set[str]:
    """Requests whose reply is in a ledger."""
    rows = [line for p in flow.path("").rglob("calls/*.jsonl") for line in p.read_bytes().splitlines(keepends=True)]
    return {json.loads(line)["key"] for line in rows if line.endswith(b"\n")}


def kept(flow: Flow) -> dict[str, bytes]:
    """The bytes of answers, verdicts and their receipts."""
    return {n: flow.path(n + end).read_bytes() for n in (ANSWERS, VERDICTS) for end in ("", ".receipt.json")}


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(reply, latency_s=0.05) as running:
        yield running


@pytest.mark.slow
def test_kills_at_any_moment_lose_nothing_and_pay_for_nothing_twice(
    tmp_path: Path, repository: Path, server: Loopback
) -> None:
    survive(tmp_path, repository, server, n=100, kills=3)


def survive(folder: Path, repository: Path, server: Loopback, n: int, kills: int) -> None:
    """Read and judge `n` questions through kills, and once undisturbed: the same files, and no reply paid for twice."""
    chosen = random.Random(7)
    flow, calm = (flow_of(folder / name, repository, server, n) for name in ("killed", "calm"))
    moments = sorted(chosen.sample(range(1, 2 * n - CONCURRENCY), kills))
    known: list[tuple[int, set[str]]] = []
    for number, moment in enumerate(moments):
        running = started(flow, VERDICTS)
        assert wait_until(lambda m=moment: len(server.seen) >= m, running)
        kill(running, all_of_it=number % 3 != 1)
        known.append((len(server.seen), paid(flow)))
    flow.ok(f"results/{VERDICTS}", "--nolock", "--rerun-incomplete", OPENAI_API_KEY=KEY)
    assert len(paid(flow)) == len(server.asked()) > 2 * n, "questions, answers and the judge's controls"
    for seen, already in known:
        assert not already & {s.sha256 for s in server.seen[seen:]}, "what was paid for is not asked again"
        assert len({s.sha256 for s in server.seen[:seen]} - already) <= 2 * CONCURRENCY, "in flight, of two jobs"
    assert Counter(r["correct"] for r in lines(flow, VERDICTS)) == {True: n // 2, False: n // 2}
    print(f"{kills} kills at {moments}; {len(server.seen) - len(paid(flow))} of {len(paid(flow))} asked again")

    server.seen.clear()
    calm.ok(f"results/{VERDICTS}", OPENAI_API_KEY=KEY)
    assert set(server.asked().values()) == {1}
    assert kept(flow) == kept(calm)


@pytest.mark.slow
def test_a_rerun_beside_a_job_that_outlived_its_snakemake_asks_nothing_twice(
    tmp_path: Path, repository: Path, server: Loopback
) -> None:
    # The job has most of its quarter of a minute before it when the next run starts.
    server.latency_s = 1.0
    flow = flow_of(tmp_path / "flow", repository, server, 60)
    running = started(flow, ANSWERS)
    assert wait_until(lambda: len(server.seen) >= 5, running)
    jobs = running.children(recursive=True)
    running.kill()
    running.wait()
    flow.ok(f"results/{ANSWERS}", "--nolock", "--rerun-incomplete", OPENAI_API_KEY=KEY)
    psutil.wait_procs(jobs)
    assert len(server.asked()) == 60
    assert set(server.asked().values()) == {1}
    assert Counter(r["status"] for r in lines(flow, ANSWERS)) == {"ok": 60}


@pytest.mark.slow
def test_a_faulty_provider_gives_every_row_its_status_and_logs_hold_no_text(
    tmp_path: Path, repository: Path, server: Loopback
) -> None:
    too_long = "This model's maximum context length is 10 tokens; your prompt is longer."
    server.faults = (
        always("shelf 011?", refused(400, "The prompt was filtered", "content_filter")),
        always("shelf 022?", refused(400, too_long, "context_length_exceeded")),
        in_turn((7, refused(429, "slow down", retry_after="0.1")), (11, refused(500, "oops")), (13, said(""))),
    )
    flow = flow_of(tmp_path / "flow", repository, server, 60, attempts=12)
    text = flow.ok(f"results/{ANSWERS}", OPENAI_API_KEY=KEY)
    answers = {r["question_id"]: r for r in lines(flow, ANSWERS)}
    assert Counter(r["status"] for r in answers.values()) == {"ok": 58, "refused": 1, "error": 1}
    assert answers["q-011"]["status"] == "refused"
    assert "context window" in answers["q-022"]["error"]
    assert answers["q-022"]["attempts"] == answers["q-011"]["attempts"] == 1
    assert len(server.seen) == sum(r["attempts"] for r in answers.values())
    assert "1 failed, 1 refused" in text

    logs = [p for p in flow.folder.rglob("*.log") if p.is_file()]
    shown = text + "".join(p.read_text(encoding="utf-8") for p in logs)
    assert "60 of 60" in shown
    for private in ("Shelf 0", "shelf 0", "number did I", answers["q-000"]["answer"], KEY):
        assert private not in shown
    for file in (p for p in flow.folder.rglob("*") if p.is_file()):
        assert KEY.encode() not in file.read_bytes()
    receipt = flow.path(f"{ANSWERS}.receipt.json").read_text(encoding="utf-8")
    assert not any(private in receipt for private in ("shelf 0", answers["q-000"]["answer"]))


@pytest.mark.slow
def test_refused_credentials_and_two_models_end_the_job_in_one_message_and_keep_all(
    tmp_path: Path, repository: Path, server: Loopback
) -> None:
    flow = flow_of(tmp_path / "flow", repository, server, 8)
    server.faults = (always("shelf 003?", refused(401, f"Incorrect API key provided: {KEY}")),)
    ran = flow.run(f"results/{ANSWERS}", OPENAI_API_KEY=KEY)
    assert ran.code != 0
    assert "set the provider's key in the environment" in ran.text
    assert "Traceback" not in ran.text
    assert KEY not in ran.text

    server.faults = (always("shelf 003?", said("Answer: 7", model="test-2027")),)
    ran = flow.run(f"results/{ANSWERS}", OPENAI_API_KEY=KEY)
    assert ran.code != 0
    assert "loopback-2026 (7), test-2027 (1)" in ran.text
    assert "Traceback" not in ran.text
    assert max(server.asked().values()) == 2, "the one that was refused"

    seen = len(server.seen)
    flow.config["readers"]["model"]["allow_snapshots"] = True
    flow.ok(f"results/{ANSWERS}", OPENAI_API_KEY=KEY)
    assert flow.receipt(ANSWERS)["facts"] == {"models": {"loopback-2026": 7, "test-2027": 1}}
    assert len(server.seen) == seen, "all of it was in the ledger"
