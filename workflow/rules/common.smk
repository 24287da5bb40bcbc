# The resolved config, and the functions that rules call. No rule stands here.

import sys
from pathlib import Path

import yaml
from snakemake.utils import validate

sys.path.insert(0, str(Path(workflow.basedir) / "workflow"))

from memtrial import checks, spec
from memtrial.digest import code_digest
from memtrial.errors import InputError
from memtrial.result_files import source_files

validate(config, Path(workflow.basedir) / "workflow/schemas/config.schema.yaml")
REGISTRY = yaml.safe_load((Path(workflow.basedir) / "resources/benchmarks.yaml").read_text())
try:
    checks.check(config, REGISTRY)
except InputError as error:
    raise WorkflowError(str(error)) from None

RUN = config["run"]
CORPUS = ("sessions", "turns", "questions", "gold", "evidence")
CACHE = "results/cache"


wildcard_constraints:
    benchmark=r"[a-z0-9-]+(\.[a-z-]+)?",
    origin=r"[a-z0-9-]+",
    system="|".join([*config["systems"], spec.TRIVIAL]),
    reader="|".join([*config["readers"], *spec.BASELINES]),
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
    """A benchmark's file: a control's changed copy, a given path (of a folder, its files), or the registered file."""
    name, control = spec.split(benchmark)
    definition = config["benchmarks"][name]
    if control:
        return f"results/{name}.{control}/source.json"
    if "source" in definition:
        path = given_path(definition["source"])
        return source_files(path) if Path(path).is_dir() else path
    return f"resources/benchmarks/{definition['registry']}.json"


def kind(system):
    return config["systems"][system]["kind"]
