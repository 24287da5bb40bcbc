"""The digest of the code that a stage runs: sensitive to what can change a result, to nothing else."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from memtrial import digest

FILES = {
    "__init__.py": '"""The package."""\n',
    "text.py": 'import json\n\nimport yaml\n\nSIZE = 4\n\n\ndef cut(s):\n    """Cut."""\n    return s[:SIZE]\n',
    "other.py": "VALUE = 1\n",
    "reading/__init__.py": "",
    "reading/run.py": "from memtrial.reading import prompts\nfrom memtrial import text\n\nprint(prompts.ASK, text)\n",
    "reading/prompts.py": '"""Prompts."""\n\nASK = "what?"\n',
    "reading/words.txt": "one\n",
    "judging/__init__.py": "",
    "judging/run.py": "import memtrial.text\n\nimport pyarrow as pa\n\n\nclass Judge:\n    pass\n",
}
STAGES = ("memtrial.reading.run", "memtrial.judging.run")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small package in place of the real one."""
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.setattr(digest, "ROOT", tmp_path)
    digest._module.cache_clear()
    yield tmp_path
    digest._module.cache_clear()


def digests() -> dict[str, str]:
    digest._module.cache_clear()
    return {stage.split(".")[1]: digest.code_digest(stage) for stage in STAGES}


def rewrite(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(package: Path) -> None:
        content = (package / name).read_text(encoding="utf-8")
        assert old in content
        (package / name).write_text(content.replace(old, new), encoding="utf-8")

    return change


@pytest.mark.parametrize(
    ("change", "touched"),
    [
        (rewrite("reading/prompts.py", '"""Prompts."""', '"""Other words."""'), set()),
        (rewrite("reading/prompts.py", '"""Prompts."""\n', ""), set()),
        (rewrite("text.py", '    """Cut."""\n', '    """Cut\n    it.\n    """\n'), set()),
        (rewrite("text.py", "SIZE = 4\n", "# Characters.\n\n\nSIZE = (  4  )  # four\n"), set()),
        (rewrite("reading/prompts.py", "what?", "which?"), {"reading"}),
        (rewrite("reading/words.txt", "one", "two"), {"reading"}),
        (rewrite("judging/run.py", "pass", "name = 'pass'"), {"judging"}),
        (rewrite("text.py", "SIZE = 4", "SIZE = 5"), {"reading", "judging"}),
        (rewrite("other.py", "1", "2"), set()),
    ],
)
def test_only_what_can_change_a_result_changes_the_digest(
    package: Path, change: Callable[[Path], None], touched: set[str]
) -> None:
    before = digests()
    change(package)
    after = digests()
    assert {stage for stage in before if before[stage] != after[stage]} == touched


def test_a_new_data_file_counts_and_a_file_of_another_kind_does_not(package: Path) -> None:
    before = digests()
    (package / "reading/notes.md").write_text("x", encoding="utf-8")
    assert digests() == before
    (package / "reading/page.css").write_text("x", encoding="utf-8")
    after = digests()
    assert after["reading"] != before["reading"]
    assert after["judging"] == before["judging"]


def test_modules_are_reached_through_every_form_of_import(package: Path) -> None:
    reached = digest.reachable("memtrial.reading.run")
    assert set(reached) >= {f"memtrial.{m}" for m in ("reading.run", "reading.prompts", "text")}
    assert reached == sorted(reached)
    assert not {"memtrial.other", "memtrial.judging.run"} & set(reached)
    assert "memtrial.text" in digest.reachable("memtrial.judging.run")


def test_a_digest_is_16_hex_digits_and_covers_all_given_modules(package: Path) -> None:
    both = digest.code_digest(*STAGES)
    assert len(both) == 16
    int(both, 16)
    assert both == digest.code_digest(*reversed(STAGES))
    assert both not in digests().values()


def test_versions_are_those_of_imported_distributions_alone(package: Path) -> None:
    assert digest.library_versions("memtrial.reading.run") == {"PyYAML": version("PyYAML")}
    assert digest.library_versions("memtrial.judging.run") == {
        "PyYAML": version("PyYAML"),
        "pyarrow": version("pyarrow"),
    }


def test_in_the_real_package_stages_do_not_reach_one_another() -> None:
    digest._module.cache_clear()
    reached = digest.reachable("memtrial.packet.compile")
    assert "memtrial.packet.coverage" in reached
    assert "memtrial.records" in reached
    assert not [m for m in reached if m.startswith(("memtrial.reading", "memtrial.judging", "memtrial.retrieval"))]
