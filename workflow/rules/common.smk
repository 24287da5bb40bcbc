# The resolved config, and the functions that rules call. No rule stands here.

from itertools import product
import sys
from pathlib import Path

import yaml
from snakemake.utils import validate

sys.path.insert(0, str(Path(workflow.basedir) / "workflow"))

from memtrial import checks, spec
from memtrial.digest import code_digest
from memtrial.errors import InputError

validate(config, Path(workflow.basedir) / "workflow/schemas/config.schema.yaml")
REGISTRY = yaml.safe_load((Path(workflow.basedir) / "resources/benchmarks.yaml").read_text())
try:
    checks.check(config, REGISTRY)
except InputError as error:
    raise WorkflowError(str(error)) from None

RUN = config["run"]
CORPUS = ("sessions", "turns", "questions", "gold", "evidence")
CACHE = "results/cache"
TABLES = ("accuracy", "retrieval", "flips", "packets", "support", "triggers", "agreement", "disagreements")


wildcard_constraints:
    benchmark=r"[a-z0-9-]+(\.[a-z-]+)?",
    origin=r"[a-z0-9-]+",
    system="|".join(config["systems"]),
    reader="|".join(config["readers"]),
    judge="|".join(config["judges"]),
    reader_pass=r"[0-9]+",
    control=r"[a-z-]+",


def receipted(**paths):
    """Named outputs, each with the receipt that its job writes beside it."""
    return paths | {f"{name}_receipt": f"{path}.receipt.json" for name, path in paths.items()}


def corpus(*names):
    """Named corpus files with their receipts, as rule inputs."""
    return receipted(**{n: f"results/{{benchmark}}/corpus/{n}.parquet" for n in names})


def code(*modules):
    """Modules a stage runs and the digest of all that they lead to."""
    names = [f"memtrial.{m}" for m in modules]
    return {"modules": names, "digest": code_digest(*names)}


def spec_of(resolve, *wildcard_names):
    """A params function: the stage's spec for the job's wildcards (and nothing but them)."""

    def resolved(wildcards):
        return resolve(config, *(getattr(wildcards, name) for name in wildcard_names))

    return resolved


def ingest_spec(wildcards):
    return spec.ingest(config, wildcards.benchmark, REGISTRY)


def registry_entry(wildcards):
    return {"name": wildcards.name} | REGISTRY[wildcards.name]


def own_copy(wildcards):
    """The user's own copy of a registered file, if it lies where it is looked for."""
    given = [b.get("own_copy") for b in config["benchmarks"].values() if b.get("registry") == wildcards.name]
    usual = [f"resources/benchmarks/own/{wildcards.name}.json{end}" for end in (".gz", "")]
    return {"own_copy": path for path in (*reversed(usual), *filter(None, given)) if Path(path).exists()}


def given_path(path):
    """A path of the config: relative to the working directory, else to the repository."""
    given = Path(path)
    return str(given if given.exists() or given.is_absolute() else Path(workflow.basedir) / given)


def source_of(benchmark):
    """A benchmark's file: a control's changed copy, a given path, or the registered file."""
    name, control = spec.split(benchmark)
    definition = config["benchmarks"][name]
    if control:
        return f"results/{name}.{control}/source.json"
    if "source" in definition:
        return given_path(definition["source"])
    return f"resources/benchmarks/{definition['registry']}.json"


def kind(system):
    return config["systems"][system]["kind"]


RANKINGS = {"chain": ["candidates", "reranked"], "rag": ["candidates"], "full-context": []}


def ranked(wildcards):
    """The rankings that a system packs: both for the chain, candidates alone for RAG, none for full context."""
    folder = f"results/{wildcards.benchmark}/{spec.ranker(config, wildcards.system)}"
    return receipted(**{n: f"{folder}/{n}.parquet" for n in RANKINGS[kind(wildcards.system)]})


def cells():
    """(system, reader, pass, judge) of every verdict file that the run asks for."""
    axes = (RUN[axis] for axis in ("systems", "readers", "passes", "judges"))
    return [tuple(map(str, cell)) for cell in product(*axes)]


def verdict_files(benchmark):
    return [f"results/{benchmark}/{s}/reader={r}/pass={p}/judge={j}/verdicts.jsonl" for s, r, p, j in cells()]


def artifacts(benchmark):
    """Every artifact of a benchmark up to its statistics: what the gathered receipt vouches for."""
    base = f"results/{benchmark}"
    found = [*(f"{base}/corpus/{n}.parquet" for n in CORPUS), f"{base}/corpus/quality.jsonl"]
    for s in RUN["systems"]:
        found += [f"{base}/{spec.ranker(config, s)}/{n}.parquet" for n in RANKINGS[kind(s)]]
        found += [f"{base}/{s}/{n}.parquet" for n in ("packets", "scaffolds", "retrieval", "support")]
    readers = [r for r in RUN["readers"] if config["readers"][r]["kind"] != "import"]
    judges = [j for j in RUN["judges"] if config["judges"][j]["kind"] != "import"]
    found += [f"{base}/{s}/reader={r}/requests.parquet" for s, r in product(RUN["systems"], readers)]
    found += [f"{base}/judges/{j}/{n}" for j in judges for n in ("requests.parquet", "controls.json", "controls.html")]
    for verdicts in verdict_files(benchmark):
        cell = Path(verdicts).parent
        requests = [str(cell / "requests.parquet")] if cell.name.removeprefix("judge=") in judges else []
        found += [str(cell.parent / "answers.jsonl"), *requests, verdicts]
    tables = [f"{t}.{end}" for t in TABLES for end in ("csv", "parquet")]
    return list(dict.fromkeys(found)) + [f"{base}/statistics/{t}" for t in (*tables, "headline.txt")]


def receipts(wildcards):
    return [f"{path}.receipt.json" for path in artifacts(wildcards.benchmark)]


def report_spec(wildcards):
    """Resolved definitions that the report shows."""
    return {
        "systems": {s: spec.system(config, wildcards.benchmark, s) for s in RUN["systems"]},
        "readers": {r: spec.reader(config, r) for r in RUN["readers"]},
        "judges": {j: spec.judge(config, j) for j in RUN["judges"]},
        "statistics": spec.statistics(config, wildcards.benchmark)["statistics"],
    }
