"""Whole runs of a tiny benchmark with other systems, and with a model behind an HTTP address as reader and judge."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from flow import ASKED, CHAIN, NOTHING, TALKS, Flow, config, rows, write_rows
from tiny_models import save_cross_encoder

from memtrial import store

KEY = "sk-invented-by-the-test-0123456789"
READ = "gpt"
PACKED = {"kind": "chain", "rankings_of": "plain"}
TOKENS = 90


@pytest.fixture(scope="module")
def systems(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Flow:
    """RAG, full context, and the chain: without a reranker, with a cross-encoder of random weights, and packed twice
    more from the first one's rankings."""
    folder = tmp_path_factory.mktemp("systems")
    words = " ".join([*(f"{a} {b}" for _, a, b in TALKS), *(q for q, _, _ in ASKED)]).split()
    model = save_cross_encoder(folder / "model", words)
    cross = {"kind": "cross-encoder", "model": str(model), "backend": "cpu-fp32", "max_tokens": 64}
    defined = {
        "plain": CHAIN,
        "crossed": {**CHAIN, "reranker": cross},
        "oracle": {**PACKED, "packet": {"layout": "archivist", "form": "oracle-question-type"}},
        "tokens": {**PACKED, "packet": {"max_tokens": TOKENS, "tokenizer": "cl100k_base"}},
        "rag": {"kind": "rag", "embedder": CHAIN["embedder"], "packet": {"top_k": 2}},
        "full-context": {"kind": "full-context"},
    }
    flow = Flow(folder, config(write_rows(folder / "tiny.json", rows()), defined), repository=repository)
    flow.ok()
    return flow


def test_each_system_makes_the_rankings_of_its_kind_and_all_else(systems: Flow) -> None:
    rankings = {
        "plain": {"candidates", "reranked"},
        "crossed": {"candidates", "reranked"},
        "oracle": set(),
        "tokens": set(),
        "rag": {"candidates"},
        "full-context": set(),
    }
    for system, own in rankings.items():
        made = {Path(n).stem for n in systems.names(f"tiny/{system}/*.parquet")}
        assert made == own | {"packets", "scaffolds", "retrieval", "support"}
        assert systems.receipt(f"tiny/{system}/packets.parquet")["rows"] == len(ASKED)
    headline = systems.path("tiny/statistics/headline.txt").read_text(encoding="utf-8").splitlines()
    assert sorted(line.split()[1] for line in headline[2:]) == sorted(rankings)


def test_an_oracle_names_the_labels_it_reads_and_makes_no_headline(systems: Flow) -> None:
    told = systems.receipt("tiny/oracle/packets.parquet")
    assert told["spec"]["packet"]["form"] == "oracle-question-type"
    assert [i for i in told["inputs"] if "gold" in i] == ["results/tiny/corpus/gold.parquet"]
    assert not any("gold" in i for i in systems.receipt("tiny/plain/packets.parquet")["inputs"])
    lines = systems.path("tiny/statistics/headline.txt").read_text(encoding="utf-8").splitlines()[2:]
    assert [line.split()[1] for line in lines if "refused: an oracle" in line] == ["oracle"]
    assert "oracle: reads the benchmark" in systems.path("tiny/report/index.html").read_text(encoding="utf-8")


def test_a_budget_in_named_tokens_holds_and_is_in_the_receipt(systems: Flow) -> None:
    packets = store.read(systems.path("tiny/tokens/packets.parquet"))
    assert all(p.tokens is not None and 0 < p.tokens <= TOKENS for p in packets)
    assert any(p.dropped for p in packets), "the limit was felt"
    assert systems.receipt("tiny/tokens/packets.parquet")["facts"]["tokenizer"] == "cl100k_base"


@pytest.mark.parametrize("system", ["plain", "rag", "full-context"])
def test_a_question_has_a_page_of_what_its_reader_gets(systems: Flow, system: str) -> None:
    packet = store.read(systems.path(f"tiny/{system}/packets.parquet"))[0]
    page = f"tiny/{system}/questions/{packet.question_id}.html"
    systems.ok(f"results/{page}")
    text = systems.path(page).read_text(encoding="utf-8")
    assert packet.sha256 in text
    assert f"{'Passage' if system == 'rag' else 'Session'} 1" in text
    assert not any("gold" in i for i in systems.receipt(page)["inputs"])


def test_the_page_of_no_question_is_refused_in_one_message(systems: Flow) -> None:
    ran = systems.run("results/tiny/plain/questions/nobody.html")
    assert ran.code != 0
    assert "questions.parquet" in ran.text
    assert "nobody" in ran.text
    assert "Traceback" not in ran.text


def test_the_receipt_of_a_ranking_names_the_reranker(systems: Flow) -> None:
    plain, crossed = (systems.receipt(f"tiny/{s}/reranked.parquet") for s in ("plain", "crossed"))
    assert (plain["spec"]["kind"], plain["facts"]) == ("none", {})
    identity = crossed["facts"]["reranker"]
    assert identity["backend"] == "flagembedding-cpu-fp32"
    assert identity["max_tokens"] == 64
    assert plain["rows"] == crossed["rows"] == len(ASKED) * len(TALKS)
    assert plain["content_sha256"] != crossed["content_sha256"]


def test_rag_keeps_to_its_number_of_sessions_and_full_context_shows_all(systems: Flow) -> None:
    names = {s: systems.path(f"tiny/{s}/packets.parquet") for s in ("rag", "full-context")}
    slots = {s: {len(p.slots) for p in store.read(path)} for s, path in names.items()}
    assert slots == {"rag": {2}, "full-context": {len(TALKS)}}


class Model(ThreadingHTTPServer):
    """An OpenAI-compatible model: right as a reader, but the second time asked about the dog; strict as a judge."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[str] = []
        self.keys: set[str] = set()

    def reply(self, prompt: str) -> str:
        question, answer = next((q, a) for q, a, _ in ASKED if q in prompt)
        if "=== SESSIONS ===" not in prompt:
            return "yes" if f"Answer to mark:\n{answer}" in prompt else "no"
        again = sum(question in p and "=== SESSIONS ===" in p for p in self.asked) > 1
        return "Answer: I do not know" if again and answer == "Biscuit" else f"Answer: {answer}"


class Handler(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        prompt = body["messages"][-1]["content"]
        self.server.asked.append(prompt)
        self.server.keys.add(self.headers["authorization"])
        message = {"role": "assistant", "content": self.server.reply(prompt)}
        told: dict[str, Any] = {"id": "c", "object": "chat.completion", "created": 1, "model": "test-2026"}
        told["choices"] = [{"index": 0, "finish_reason": "stop", "message": message}]
        told["usage"] = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}
        data = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def lines(flow: Flow, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in flow.path(name).read_text(encoding="utf-8").splitlines()]


def test_a_model_reads_and_judges_is_asked_once_and_its_key_is_kept_nowhere(
    tiny: Flow, model: Model, tmp_path: Path
) -> None:
    address = f"http://127.0.0.1:{model.server_port}/v1"
    shared = {"kind": "litellm", "model": "openai/test", "parameters": {"api_base": address}}
    judge = {**shared, "protocol": "binary"}
    source = Path(tiny.config["benchmarks"]["tiny"]["source"])
    tiny.config = config(source, readers={READ: shared}, judges={READ: judge}, passes=(1, 2))
    tiny.ok("--until", "read", OPENAI_API_KEY=KEY)
    assert len(model.asked) == 2 * len(ASKED)
    tiny.ok(OPENAI_API_KEY=KEY)
    controls = tiny.receipt(f"tiny/judges/{READ}/requests.parquet")["rows"]
    assert len(model.asked) == 4 * len(ASKED) + controls, "each answer once, and the judge's controls before them"
    assert json.loads(tiny.path(f"tiny/judges/{READ}/controls.json").read_text(encoding="utf-8"))["passed"]
    assert model.keys == {f"Bearer {KEY}"}

    cells = [f"tiny/full-context/reader={READ}/pass={p}" for p in (1, 2)]
    answers = [r for c in cells for r in lines(tiny, f"{c}/answers.jsonl")]
    verdicts = [r for c in cells for r in lines(tiny, f"{c}/judge={READ}/verdicts.jsonl")]
    assert {a["status"] for a in answers} == {"ok"}
    assert {a["model_resolved"] for a in answers} == {"test-2026"}
    assert {v["status"] for v in verdicts} == {"judged"}
    assert sum(v["correct"] for v in verdicts) == 5
    flips = tiny.path("tiny/statistics/flips.csv").read_text(encoding="utf-8").splitlines()
    # Which of the passes asked first, and so got the right answer, is left to the scheduler.
    assert [row.removeprefix(f"full-context,{READ},{READ},1,2,") for row in flips[1:]] in (
        ["q-0,single-session-user,true,false,false,true,reader,false"],
        ["q-0,single-session-user,false,true,false,true,reader,false"],
    )

    assert NOTHING in tiny.ok(OPENAI_API_KEY=KEY)
    for name in (f"{cells[0]}/answers.jsonl", f"{cells[1]}/judge={READ}/verdicts.jsonl"):
        tiny.path(name).unlink()
    tiny.ok(OPENAI_API_KEY=KEY)
    assert len(model.asked) == 4 * len(ASKED) + controls, "the ledger answers what was asked before"
    assert_nowhere(KEY, tmp_path)


def assert_nowhere(secret: str, folder: Path) -> None:
    files = [p for p in folder.rglob("*") if p.is_file()]
    assert len(files) > 100
    assert [p for p in files if secret.encode() in p.read_bytes()] == []
