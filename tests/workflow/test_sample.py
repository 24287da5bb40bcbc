"""The default run of the bundled sample: what it makes and prints, its second time, its graph, its controls."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path

import pytest
import yaml
from flow import NOTHING, REPOSITORY, Flow, Job, Ran, jobs

DEFAULT = yaml.safe_load((REPOSITORY / "config/config.yaml").read_text(encoding="utf-8"))
SAMPLES = DEFAULT["run"]["benchmarks"]
RANKINGS = {"chain": ("candidates", "reranked"), "rag": ("candidates",), "full-context": ()}
CORPUS = ("sessions", "turns", "questions", "gold", "evidence")
GOLD_RULES = {"judge_control_requests", "judge_controls", "judge_requests", "judge"}
GOLD_RULES |= {"ranks", "support", "evidence_tables", "accuracy", "passes", "comparisons", "spread", "dossier"}
# The question browser shows gold, and one of the trivial baselines is the gold.
GOLD_RULES |= {"browser", "baseline"}
TABLES = ("accuracy", "retrieval", "packets", "support", "triggers")
TABLES += ("stability", "flips", "agreement", "disagreements", "usage", "comparisons", "slices", "contrasts")
TABLES += ("dialogues", "discriminability", "correlations", "disputed", "claims")
PAGES = ("index.html", "questions.html", "questions.js", "questions.json")
PLOTS = ("accuracy", "agreement", "comparisons", "contrasts", "cost", "passes", "readers", "recall", "retrieval")
BASELINES = ("always-abstain", "question-echo", "gold-echo")


def artifacts() -> list[str]:
    """Every artifact that the design's path scheme names, below a benchmark."""
    found = [*(f"corpus/{n}.parquet" for n in CORPUS), "corpus/quality.jsonl", "corpus/disputed.jsonl"]
    for system, own in RANKINGS.items():
        found += [f"{system}/{n}.parquet" for n in (*own, "packets", "scaffolds", "retrieval", "support")]
        cell = f"{system}/reader=extractive"
        found += [f"{cell}/requests.parquet", f"{cell}/pass=1/answers.jsonl"]
        found += [f"{cell}/pass=1/judge=lexical/{n}" for n in ("requests.parquet", "verdicts.jsonl")]
    for cell in (f"trivial/reader={name}/pass=1" for name in BASELINES):
        found += [
            f"{cell}/{n}" for n in ("answers.jsonl", "judge=lexical/requests.parquet", "judge=lexical/verdicts.jsonl")
        ]
    found += [f"judges/lexical/{n}" for n in ("requests.parquet", "controls.json", "controls.html")]
    tables = product(TABLES, ("csv", "parquet"))
    found += [*(f"statistics/{t}.{end}" for t, end in tables), "statistics/headline.txt"]
    return [*found, *(f"report/{page}" for page in (*PAGES, *(f"{plot}.svg" for plot in PLOTS)))]


def test_the_default_run_makes_every_artifact_with_its_receipt(sample: Flow) -> None:
    for benchmark in SAMPLES:
        made = set(sample.names(f"{benchmark}/**/*"))
        for name in (f"{benchmark}/{a}" for a in artifacts()):
            assert name in made
            assert sample.receipt(name)["artifact"] == f"results/{name}"
        declared = {n.removesuffix(".receipt.json") for n in made if n.endswith(".receipt.json")}
        assert declared == {f"{benchmark}/{a}" for a in artifacts()}


def test_systems_without_a_ranking_have_none(sample: Flow) -> None:
    for benchmark in SAMPLES:
        assert sample.names(f"{benchmark}/full-context/candidates*") == []
        assert sample.names(f"{benchmark}/*/reranked.parquet") == [f"{benchmark}/chain/reranked.parquet"]


def test_the_gathered_receipt_vouches_for_every_artifact(sample: Flow) -> None:
    for benchmark in SAMPLES:
        told = json.loads(sample.path(f"{benchmark}/receipt.json").read_text(encoding="utf-8"))
        expected = {f"results/{benchmark}/{a}" for a in artifacts()}
        assert {a["artifact"] for a in told["artifacts"]} == expected


def test_the_run_ends_with_a_table_of_rates_with_n_and_interval_and_the_report(sample_run: tuple[Flow, Ran]) -> None:
    flow, ran = sample_run
    for benchmark in SAMPLES:
        headline = flow.path(f"{benchmark}/statistics/headline.txt").read_text(encoding="utf-8").rstrip()
        shown = ran.text[ran.text.index(headline) :]
        assert f"report: results/{benchmark}/report/index.html" in shown.removeprefix(headline).splitlines()[1]
        head, _, *rows = headline.splitlines()
        assert "accuracy [95% Wilson]" in head
        assert " n " in head
        for row in rows:
            assert "% [" in row, row
            assert "(n=" in row, row


def test_a_second_run_has_nothing_to_do(sample: Flow) -> None:
    # Snakemake calls `onsuccess` only after a run that had jobs, so the tables are not shown again.
    text = sample.ok()
    assert NOTHING in text
    assert "report: results/" not in text


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_hash_seed_of_the_process_makes_no_job_due(sample: Flow, seed: str) -> None:
    assert sample.due(PYTHONHASHSEED=seed) == set()


@pytest.fixture(scope="module")
def graph(sample: Flow) -> list[Job]:
    return jobs(sample.ok("--dry-run", "--forceall"))


def upstream(graph: list[Job], outputs: set[str]) -> list[Job]:
    """The jobs that make `outputs`, and all that those lead back to."""
    maker = {o: job for job in graph for o in job.outputs}
    waiting, seen = list(outputs), dict[frozenset[str], Job]()
    while waiting:
        job = maker.get(waiting.pop())
        if job and job.outputs not in seen:
            seen[job.outputs] = job
            waiting += job.inputs
    return list(seen.values())


def gold_inputs(job: Job) -> set[str]:
    return {i for i in job.inputs if Path(i).name.startswith(("gold.", "evidence."))}


def test_no_job_up_to_the_answers_has_gold_as_an_input(graph: list[Job]) -> None:
    answers = {o for job in graph for o in job.outputs if o.endswith("/answers.jsonl") and "gold-echo" not in o}
    assert len(answers) == 9 + 3 * 2
    before = upstream(graph, answers)
    assert {job.rule for job in before} >= {"ingest", "retrieve", "rerank", "packets", "scaffolds", "read"}
    assert {job.rule for job in before if gold_inputs(job)} == set()


def test_gold_goes_to_judging_and_statistics_alone(graph: list[Job]) -> None:
    readable = {job.rule for job in graph if any(i.endswith(".parquet") for i in gold_inputs(job))}
    assert readable == GOLD_RULES | {"all"}, "and the target that names every artifact"
    assert {job.rule for job in graph if gold_inputs(job)} == GOLD_RULES | {"all", "report", "gather"}, (
        "those take receipts"
    )


def test_no_reader_side_artifact_is_made_from_gold_by_its_receipt(sample: Flow) -> None:
    checked = 0
    for name in sample.names("sample-*/**/*.receipt.json"):
        told = json.loads(sample.path(name).read_text(encoding="utf-8"))
        made = Path(told["artifact"])
        if made.parent.name == "statistics" or "reader=gold-echo" in made.parts:
            continue
        if made.name in ("packets.parquet", "scaffolds.parquet", "answers.jsonl"):
            assert not any("gold" in i or "evidence" in i for i in told["inputs"])
            checked += 1
    assert checked == len(SAMPLES) * (3 * len(RANKINGS) + 2)


def test_other_cores_row_order_and_cold_caches_give_the_same_content(sample: Flow, tmp_path: Path) -> None:
    rows = json.loads((REPOSITORY / "resources/sample/rumba-sample.json").read_text(encoding="utf-8"))
    random.Random(1).shuffle(rows)
    for row in rows:
        random.Random(2).shuffle(row["conversation"])
    source = tmp_path / "shuffled.json"
    source.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    again = Flow(
        tmp_path / "again", {"benchmarks": {"sample-russian": {"source": str(source)}}}, repository=sample.repository
    )
    systems = [f"sample-russian/{s}/{n}.parquet" for s in ("chain", "full-context") for n in ("packets", "scaffolds")]
    again.ok(*(f"results/{name}" for name in systems), cores=1)
    compared = [*(f"sample-russian/corpus/{n}.parquet" for n in CORPUS), *systems]
    compared += [f"sample-russian/chain/{n}.parquet" for n in RANKINGS["chain"]]
    for name in compared:
        assert again.receipt(name)["rows"] > 0
        assert again.receipt(name)["content_sha256"] == sample.receipt(name)["content_sha256"], name
        assert again.path(name).read_bytes() == sample.path(name).read_bytes(), name


def test_all_controls_pass_on_all_samples(sample: Flow, tmp_path: Path) -> None:
    flow = sample.copy(tmp_path / "controls", {"run": {"systems": ["chain"]}})
    flow.ok("controls")
    for benchmark in SAMPLES:
        told = json.loads(flow.path(f"{benchmark}/chain/controls.json").read_text(encoding="utf-8"))
        assert told["passed"]
        assert "accounting" in flow.path(f"{benchmark}/chain/controls.html").read_text(encoding="utf-8")
    controls = ("recompile", "gold-permutation", "label-permutation", "id-sabotage", "row-order")
    for benchmark, control in product(SAMPLES, controls):
        found = json.loads(flow.path(f"{benchmark}/controls/chain.{control}.json").read_text(encoding="utf-8"))
        assert found["passed"]
        n = sample.receipt(f"{benchmark}/chain/packets.parquet")["rows"]
        assert found["artifacts"] == {f"{a}.parquet": {"n": n, "differing": []} for a in ("packets", "scaffolds")}
        changed, own = (flow.path(f"{b}/corpus/{{}}") for b in (f"{benchmark}.{control}", benchmark))
        same = {t for t in ("gold", "questions", "turns") if bytes_of(changed, t) == bytes_of(own, t)}
        expected = {"gold-permutation": {"questions", "turns"}, "label-permutation": {"questions", "turns"}}
        assert same == expected.get(control, {"turns"} if control == "id-sabotage" else {"gold", "questions", "turns"})


def bytes_of(pattern: Path, table: str) -> bytes:
    return Path(str(pattern).format(f"{table}.parquet")).read_bytes()


def test_snakemakes_own_report_builds(sample: Flow, tmp_path: Path) -> None:
    flow = sample.copy(tmp_path / "report")
    flow.ok("--report", "report.zip")
    assert (flow.folder / "report.zip").stat().st_size > 100_000
