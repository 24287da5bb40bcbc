"""How a script's body ends: with one message where the user can mend it, with a traceback in the log otherwise."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from memtrial.calls import AuthenticationStopped
from memtrial.errors import InputError

SCRIPTS = Path(__file__).resolve().parents[2] / "workflow/scripts"


def run(folder: Path, error: Exception) -> None:
    """Raise an error in a job; only a fault of the program leaves a traceback in the log."""
    from _job import job

    nothing: dict[str, str] = {}
    snakemake = SimpleNamespace(
        rule="read", input=nothing, output=nothing, params=nothing, wildcards=(), log=[str(folder / "job.log")]
    )
    try:
        with job(snakemake):
            raise error
    finally:
        log = (folder / "job.log").read_text(encoding="utf-8")
        assert ("Traceback" in log) == isinstance(error, RuntimeError)


@pytest.mark.parametrize("error", [InputError("expected a date", file="s.json"), AuthenticationStopped("refused")])
def test_what_the_user_can_mend_ends_in_one_message(
    tmp_path: Path, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(SCRIPTS)
    with pytest.raises(SystemExit) as ended:
        run(tmp_path, error)
    assert ended.value.code == f"error: {error}"


def test_anything_else_passes_on_and_leaves_its_traceback_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(SCRIPTS)
    with pytest.raises(RuntimeError, match="a fault of ours"):
        run(tmp_path, RuntimeError("a fault of ours"))
