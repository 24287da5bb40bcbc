"""Wall time and memory of the read stage against a server on loopback with a fixed latency; prints JSON.

    python tests/bench/reading.py [locomo] [packets]      (default: both)

locomo     full context of LoCoMo: 1,986 requests of about 100 kB
packets    500 requests of 40,000 proxy tokens each, of invented words

The bound is requests × latency / concurrency; the job's time holds the start of Python and the import of litellm,
which are told beside it. The server is a process of its own and needs a part of the machine too.
"""

from __future__ import annotations

import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml

REPO = Path(__file__).resolve().parents[2]
LOCOMO = REPO.parent / "shared" / "data" / "locomo" / "locomo10.json.gz"
LATENCY_S, CONCURRENCY = 0.2, 16
PACKETS, CHARS, SESSIONS = 500, 160_000, 40
WORDS = ["garden", "letter", "window", "bicycle", "river", "lesson", "market", "winter", "number", "bottle", "engine"]
IMPORTS = """
import snakemake.script, tqdm
import memtrial.receipt, memtrial.reading.run
from memtrial.transports import litellm_transport
litellm_transport()
"""


def invented(path: Path) -> Path:
    """A benchmark in LongMemEval's format with histories of `CHARS` characters."""
    chosen = random.Random(1)
    with path.open("w", encoding="utf-8") as file:
        for n in range(PACKETS):
            texts = [" ".join(chosen.choices(WORDS, k=CHARS // SESSIONS // 8)) for _ in range(SESSIONS)]
            row = {
                "question_id": f"q-{n:03}",
                "question_type": "single-session-user",
                "question": f"What was number {n}?",
                "question_date": "2024/03/01 (Fri) 10:00",
                "answer": "none",
                "answer_session_ids": ["s-0"],
                "haystack_dates": [f"2024/01/{1 + i % 28:02} (Mon) {i % 24:02}:00" for i in range(SESSIONS)],
                "haystack_session_ids": [f"s-{i}" for i in range(SESSIONS)],
                "haystack_sessions": [[{"role": "user", "content": text}] for text in texts],
            }
            file.write(("[" if n == 0 else ",") + json.dumps(row) + "\n")
        file.write("]")
    return path


def snakemake(folder: Path, config: Path, target: str) -> None:
    base = [sys.executable, "-m", "snakemake", "-s", str(REPO / "Snakefile"), "--directory", str(folder)]
    configs = ["--configfile", str(REPO / "config" / "config.yaml"), str(config)]
    environment = os.environ | {"OPENAI_API_KEY": "none-is-needed"}
    command = [*base, *configs, "--cores", "all", "--", target]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the run failed:\n{done.stderr[-3000:]}")


def start_s() -> float:
    """Seconds that a process needs to start and import what a reading job imports."""
    started = time.perf_counter()
    command = [sys.executable, "-c", IMPORTS]
    subprocess.run(command, env=os.environ | {"PYTHONPATH": str(REPO / "workflow")}, check=True)
    return time.perf_counter() - started


def reading(name: str) -> dict[str, Any]:
    """The read stage of one benchmark with full context."""
    with tempfile.TemporaryDirectory() as temporary:
        folder, config = Path(temporary), Path(temporary) / "bench.yaml"
        command = [sys.executable, str(REPO / "tests" / "loopback.py"), "0", str(LATENCY_S)]
        environment = os.environ | {"PYTHONPATH": str(REPO / "workflow")}
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, env=environment, **pipes) as server:
            assert server.stdout
            address = server.stdout.readline().strip()
            reader = {"kind": "litellm", "model": "openai/test", "concurrency": CONCURRENCY}
            reader["parameters"] = {"api_base": address}
            source = LOCOMO if name == "locomo" else invented(folder / "packets.json")
            definition = {"format": "locomo" if name == "locomo" else "longmemeval", "source": str(source)}
            run = {"benchmarks": ["bench"], "systems": ["full-context"], "readers": ["bench"]}
            overlay = {"benchmarks": {"bench": definition}, "readers": {"bench": reader}, "run": run}
            config.write_text(yaml.safe_dump(overlay))
            cell = "results/bench/full-context/reader=bench"
            snakemake(folder, config, f"{cell}/requests.parquet")
            load = os.getloadavg()[0]
            snakemake(folder, config, f"{cell}/pass=1/answers.jsonl")
            told = json.loads(server.communicate()[0].splitlines()[-1])
        with (folder / "results/benchmarks/bench/full-context/bench/1/read.tsv").open() as file:
            (row,) = csv.DictReader(file, delimiter="\t")
        rows = [json.loads(line) for line in (folder / cell / "pass=1/answers.jsonl").open(encoding="utf-8")]
    bound, wall, start = len(rows) * LATENCY_S / CONCURRENCY, float(row["s"]), start_s()
    return {
        "requests": len(rows),
        "ok": sum(r["status"] == "ok" for r in rows),
        "server": told,
        "bound_s": bound,
        "read_stage_s": wall,
        "process_start_s": start,
        "ratio_without_start": (wall - start) / bound,
        "peak_rss_mib": float(row["max_rss"]),
        "load_before": load,
    }


if __name__ == "__main__":
    asked = sys.argv[1:] or ["locomo", "packets"]
    print(json.dumps({"cores": os.cpu_count(), **{name: reading(name) for name in asked}}, indent=1))
