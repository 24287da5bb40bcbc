"""Bad configs and bad benchmark files end a run with one message that names what is wrong, and leave nothing behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flow import Flow, config, rows, write_rows


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"run": {"benchmark": ["tiny"]}}, ["benchmark", "run"]),
        ({"systems": {"full-context": {"kind": "full-context", "colour": "red"}}}, ["colour", "full-context"]),
        ({"run": {"systems": ["full-contxt"]}}, ["run.systems: 'full-contxt' is not defined", "full-context"]),
        ({"benchmarks": {"sample-russian": {"registry": "locomo10"}}}, ["benchmarks.sample-russian", "one of source"]),
        (
            {"benchmarks": {"tiny": {"format": "locomo", "registry": "no-such"}}},
            ["benchmarks.tiny.registry", "no-such"],
        ),
        ({"systems": {"corpus": {"kind": "full-context"}}}, ["systems.corpus", "taken"]),
        ({"run": {"passes": [0]}}, ["passes"]),
    ],
)
def test_a_bad_config_is_told_with_its_key(
    tmp_path: Path, repository: Path, change: dict[str, Any], named: list[str]
) -> None:
    ran = Flow(tmp_path, change, repository=repository).run("--dry-run")
    assert ran.code != 0
    for word in named:
        assert word in ran.text, ran.text
    assert "Traceback" not in ran.text


def test_all_faults_of_a_config_are_told_at_once(tmp_path: Path, repository: Path) -> None:
    change = {"systems": {"corpus": {"kind": "full-context"}}, "run": {"readers": ["nobody"], "judges": ["no-one"]}}
    text = Flow(tmp_path, change, repository=repository).run("--dry-run").text
    for key in ("systems.corpus", "run.readers: 'nobody'", "run.judges: 'no-one'"):
        assert key in text


def test_a_bad_benchmark_file_is_told_with_file_row_and_field_and_leaves_no_artifact(
    tmp_path: Path, repository: Path
) -> None:
    bad = rows()
    del bad[1]["question_date"]
    flow = Flow(tmp_path / "run", config(write_rows(tmp_path / "broken.json", bad)), repository=repository)
    ran = flow.run()
    assert ran.code != 0
    assert "error: broken.json, row q-1, field 'question_date': missing; expected a date" in ran.text
    assert "Traceback" not in ran.text
    assert [n for n in flow.names("tiny/**/*") if flow.path(n).is_file()] == []
    log = (flow.folder / "results/logs/tiny/ingest.log").read_text(encoding="utf-8")
    assert "broken.json, row q-1, field 'question_date'" in log


def test_a_missing_benchmark_file_is_told_by_name(tmp_path: Path, repository: Path) -> None:
    ran = Flow(tmp_path, config(tmp_path / "absent.json"), repository=repository).run()
    assert ran.code != 0
    assert "absent.json" in ran.text
