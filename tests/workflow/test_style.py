"""House rules that tools can check: sizes, imports, lint and format of rules and package."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from flow import REPOSITORY

from memtrial import digest

WORKFLOW = REPOSITORY / "workflow"
MODULES = sorted((WORKFLOW / "memtrial").rglob("*.py"))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def run(*command: str, **environment: str) -> tuple[int, str]:
    told = {"text": True, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(command, cwd=REPOSITORY, env=os.environ | environment, **told)
    return done.returncode, done.stdout


def too_long(paths: list[Path], limit: int) -> dict[str, int]:
    sizes = {p.relative_to(REPOSITORY).as_posix(): len(p.read_text(encoding="utf-8").splitlines()) for p in paths}
    return {name: size for name, size in sizes.items() if size > limit}


@pytest.mark.parametrize(
    ("pattern", "limit"),
    [
        ("Snakefile", 60),
        ("workflow/rules/*.smk", 150),
        ("workflow/scripts/[!_]*.py", 25),
        ("workflow/memtrial/**/*.py", 300),
        ("README.md", 150),
    ],
)
def test_files_keep_to_their_size(pattern: str, limit: int) -> None:
    paths = sorted(REPOSITORY.glob(pattern))
    assert paths
    assert too_long(paths, limit) == {}


def test_functions_have_at_most_40_lines() -> None:
    found = {
        f"{path.relative_to(REPOSITORY)}:{node.lineno} {node.name}": node.end_lineno - node.lineno + 1
        for path in [*MODULES, *(WORKFLOW / "scripts").glob("*.py")]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, FUNCTIONS) and node.end_lineno is not None
    }
    assert len(found) > 100
    assert {name: size for name, size in found.items() if size > 40} == {}


def dynamic_imports(source: str) -> list[int]:
    """Lines that import by a name known only at run time, which a code digest cannot follow."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        modules = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module != "importlib.metadata":
            modules = [str(node.module)]
        named = isinstance(node, ast.Name) and node.id in ("__import__", "exec", "eval")
        if named or any(m.split(".")[0] == "importlib" for m in modules):
            lines.append(node.lineno)
    return lines


def test_the_package_imports_statically() -> None:
    found = {p.relative_to(REPOSITORY).as_posix(): dynamic_imports(p.read_text(encoding="utf-8")) for p in MODULES}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("import importlib", [1]),
        ("x = 1\nfrom importlib import import_module", [2]),
        ("import importlib.metadata", [1]),
        ("__import__('x')", [1]),
        ("from importlib.metadata import version", []),
    ],
)
def test_dynamic_imports_are_recognised(source: str, lines: list[int]) -> None:
    assert dynamic_imports(source) == lines


def test_a_rules_code_digest_covers_all_that_its_script_imports() -> None:
    """Otherwise an edited module would leave stale results that no rerun mends."""
    checked = set()
    for text in (p.read_text(encoding="utf-8") for p in sorted((WORKFLOW / "rules").glob("*.smk"))):
        for rule in re.split(r"^rule ", text, flags=re.MULTILINE)[1:]:
            if script := re.search(r'script:\s+"\.\./scripts/(\w+\.py)"', rule):
                modules = re.findall(r'"([\w.]+)"', re.search(r"code=code\(([^)]*)\)", rule)[1])
                covered = digest.reachable(*(f"memtrial.{m}" for m in modules))
                assert imported(WORKFLOW / "scripts" / script[1]) - set(covered) == set(), rule.split(":")[0]
                checked.add(script[1])
    assert checked == {path.name for path in (WORKFLOW / "scripts").glob("[!_]*.py")}


def imported(script: Path) -> set[str]:
    """The modules of the package that a script imports, by itself or through what scripts of statistics share."""
    nodes = [n for n in ast.walk(ast.parse(script.read_text(encoding="utf-8"))) if isinstance(n, ast.ImportFrom)]
    names = {f"{n.module}.{a.name}" for n in nodes for a in n.names} | {str(n.module) for n in nodes}
    found = {m for m in names if m.startswith("memtrial.") and (WORKFLOW / f"{m.replace('.', '/')}.py").exists()}
    return found | (imported(script.with_name("_study.py")) if "_study" in names else set())


def test_stages_import_only_what_they_may() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    code, text = run(str(tool), "pyproject.toml", "--no-cache", "--no-logo", PYTHONPATH=str(WORKFLOW))
    assert code == 0, text
    assert "0 broken" in text


def test_snakemake_lint_is_content(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "snakemake", "--lint", "--snakefile", str(REPOSITORY / "Snakefile")]
    where = ["--directory", str(tmp_path), "--configfile", str(REPOSITORY / "config/config.yaml")]
    code, text = run(*command, *where)
    assert code == 0, text


def test_rules_are_formatted() -> None:
    code, text = run(sys.executable, "-m", "snakefmt", "--check", "-l", "120", "Snakefile", "workflow/rules")
    assert code == 0, text
