"""The ledger keeps what was paid for, whatever happens to the writer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memtrial.errors import InputError
from memtrial.ledger import Ledger, Row, alone
from memtrial.text import canonical


def row(key: str = "k", draw: int = 1, status: str = "good", text: str = "да") -> Row:
    good = status == "good"
    return Row(key, draw, status, {"text": text} if good else None, None if good else "HTTP 500", 1, 0.5, 1.0)


def test_good_rows_come_back_by_key_and_draw_and_bad_ones_do_not(tmp_path: Path) -> None:
    with Ledger(tmp_path / "calls") as ledger:
        ledger.append(row())
        ledger.append(row("other", status="bad"))
        assert ledger.get("k", 1) == row()
    again = Ledger(tmp_path / "calls")
    assert again.get("k", 1) == row()
    assert again.get("k", 2) is None
    assert again.get("other", 1) is None


def test_a_ledger_that_is_only_read_leaves_no_file_and_each_writer_has_its_own(tmp_path: Path) -> None:
    Ledger(tmp_path / "calls").close()
    assert not (tmp_path / "calls").exists()
    for draw in (1, 2):
        with Ledger(tmp_path) as ledger:
            ledger.append(row(draw=draw))
    assert len(list(tmp_path.glob("*.jsonl"))) == 2


def test_russian_stays_readable_in_the_file(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.append(row())
    assert "да" in next(tmp_path.glob("*.jsonl")).read_text(encoding="utf-8")


@pytest.mark.parametrize("lost_bytes", [1, 5, 60])
def test_a_torn_last_line_is_counted_and_the_rest_replays(tmp_path: Path, lost_bytes: int) -> None:
    whole = canonical(row("a")._asdict()) + "\n"
    torn = (canonical(row("b")._asdict()) + "\n").encode()[: -1 - lost_bytes]
    (tmp_path / "1.jsonl").write_bytes(whole.encode() + torn)
    ledger = Ledger(tmp_path)
    assert (ledger.torn, ledger.get("a", 1), ledger.get("b", 1)) == (1, row("a"), None)


def test_a_last_line_that_lacks_only_its_line_break_counts(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_text(canonical(row()._asdict()), encoding="utf-8")
    ledger = Ledger(tmp_path)
    assert (ledger.torn, ledger.get("k", 1)) == (0, row())


@pytest.mark.parametrize("bad", ["{}", "nonsense", '{"key":"k"}', canonical({**row()._asdict(), "status": "fine"})])
def test_any_other_bad_line_is_an_error_that_names_file_and_line(tmp_path: Path, bad: str) -> None:
    (tmp_path / "1.jsonl").write_text(f"{canonical(row()._asdict())}\n{bad}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"1\.jsonl, row 2"):
        Ledger(tmp_path)


def test_of_two_good_rows_the_first_by_file_name_and_line_wins(tmp_path: Path) -> None:
    first, second, third = (canonical(row(text=t)._asdict()) for t in "abc")
    (tmp_path / "2.jsonl").write_text(f"{first}\n", encoding="utf-8")
    (tmp_path / "1.jsonl").write_text(f"{second}\n{third}\n", encoding="utf-8")
    found = Ledger(tmp_path).get("k", 1)
    assert found and found.response == {"text": "b"}


def test_rows_survive_a_kill_of_the_writer(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from memtrial.ledger import Ledger, Row\n"
        "ledger = Ledger(Path(sys.argv[1]))\n"
        "for i in range(50): ledger.append(Row(f'k{i}', 1, 'good', {'text': 'x'}, None, 1, 0.0, 0.0))\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    ledger = Ledger(tmp_path)
    assert ledger.torn == 0
    assert all(ledger.get(f"k{i}", 1) for i in range(50))


def test_a_line_that_a_full_disk_cuts_stays_the_last_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write

    def half(file: int, line: bytes) -> int:
        if len(line) < 60:
            raise OSError(28, "No space left on device")
        return write(file, line[: len(line) // 2])

    ledger = Ledger(tmp_path)
    monkeypatch.setattr(os, "write", half)
    with pytest.raises(OSError, match="space"):
        ledger.append(row("a"))
    monkeypatch.undo()
    ledger.append(row("b"))
    ledger.close()
    again = Ledger(tmp_path)
    assert (again.torn, again.get("a", 1), again.get("b", 1)) == (1, None, row("b"))


def test_a_row_that_could_not_be_read_back_is_not_written(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger, pytest.raises(ValueError, match="response"):
        ledger.append(row()._replace(response=None))
    assert not list(tmp_path.glob("*.jsonl"))


HOLDING = """
import sys, time
from pathlib import Path
from memtrial.ledger import alone
with alone(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
    Path(sys.argv[1], "left").touch()
"""


def hold(folder: Path, seconds: float) -> subprocess.Popen[bytes]:
    """A process that holds the ledger's folder."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", HOLDING, str(folder), str(seconds)]
    holder = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
    assert holder.stdout
    assert holder.stdout.readline() == b"held\n"
    return holder


def test_a_second_process_waits_for_the_first_and_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    holder = hold(tmp_path, 0.3)
    with alone(tmp_path):
        assert (tmp_path / "left").exists()
    assert "another process is asking" in caplog.text
    holder.communicate()


def test_a_killed_process_holds_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    holder = hold(tmp_path, 600)
    holder.kill()
    holder.communicate()
    with alone(tmp_path):
        assert caplog.text == ""
