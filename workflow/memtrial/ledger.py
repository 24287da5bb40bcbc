"""Append-only ledger of model calls: what was paid for once is never asked again.

A cell's `calls/` folder holds one JSONL file per writing process; no file is ever rewritten, so writing needs no
lock and a kill costs at most the line being written. A row is found again by the request's sha256 and the draw.
Only good rows (the model gave a definite outcome) are replayed; bad ones stay as a record of what went wrong.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from memtrial.errors import InputError
from memtrial.text import canonical

LOG = logging.getLogger(__name__)
SYNC_S = 1.0


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold a ledger's folder for one asking process; another one waits here until the first has ended, however it did.

    A job that outlives a killed Snakemake is still asking: a rerun beside it would pay for the same replies twice.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            LOG.warning("%s: another process is asking; waiting until it has ended", folder)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


class Row(NamedTuple):
    """A finished attempt to get one request answered; `response` is complete in good rows, null in bad ones.

    `key` is the request's sha256, `status` is `good` or `bad`, `written_at` is Unix time in seconds.
    """

    key: str
    draw: int
    status: str
    response: dict[str, Any] | None
    error: str | None
    attempts: int
    elapsed_s: float
    written_at: float


class Ledger:
    """The rows of a `calls/` folder, and this process's own file in it (made at the first append).

    Every row reaches the kernel before `append` returns, so killing the process loses none; it is forced to disk
    at most `SYNC_S` seconds later at the next append, and on `close`: that window is what a power cut can lose.
    Of two good rows with one key and draw the first by (file name, line) counts.
    """

    def __init__(self, folder: Path) -> None:
        """Read all rows in `folder` (it need not exist).

        `torn` counts unfinished last lines, which a kill leaves. Raises `InputError` naming file and line for any
        other line that is not a row.
        """
        self.folder = folder
        self.torn = 0
        self._good: dict[tuple[str, int], Row] = {}
        self._out: int | None = None
        self._synced_at = time.monotonic()
        for path in sorted(folder.glob("*.jsonl")):
            self._load(path)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *error: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _load(self, path: Path) -> None:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    self._index(_parse(line))
                except (ValueError, TypeError) as error:
                    if line.endswith(b"\n"):
                        raise InputError(f"expected a ledger row: {error}", file=path, row=number) from error
                    self.torn += 1

    def _index(self, row: Row) -> None:
        if row.status == "good":
            self._good.setdefault((row.key, row.draw), row)

    def get(self, key: str, draw: int) -> Row | None:
        """The good row of a request and draw, if there is one."""
        return self._good.get((key, draw))

    def append(self, row: Row) -> None:
        """Write one row; a good one can be got from now on. Raises `ValueError` if it could not be read back."""
        _check(row)
        line = (canonical(row._asdict()) + "\n").encode()
        if self._out is None:
            self._out = self._create()
        try:
            while line:
                line = line[os.write(self._out, line) :]
        except OSError:
            # What was written of the line must stay the last of its file.
            os.close(self._out)
            self._out = None
            raise
        self._index(row)
        if time.monotonic() - self._synced_at >= SYNC_S:
            self.sync()

    def _create(self) -> int:
        self.folder.mkdir(parents=True, exist_ok=True)
        # Names begin with the time, so that "first by file name" is "first written" as far as clocks agree.
        name = f"{time.time_ns():020d}-{socket.gethostname()}-{os.getpid()}.jsonl"
        return os.open(self.folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)

    def sync(self) -> None:
        """Force this process's rows to disk."""
        if self._out is not None:
            os.fsync(self._out)
        self._synced_at = time.monotonic()

    def close(self) -> None:
        """Force rows to disk and close this process's file; a later append opens a new one."""
        if self._out is not None:
            self.sync()
            os.close(self._out)
            self._out = None


def _parse(line: bytes) -> Row:
    fields = json.loads(line)
    if not isinstance(fields, dict) or set(fields) != set(Row._fields):
        raise ValueError(f"fields are {', '.join(Row._fields)}")
    row = Row(**fields)
    _check(row)
    return row


def _check(row: Row) -> None:
    if row.status not in ("good", "bad"):
        raise ValueError(f"status is good or bad, not {row.status!r}")
    if (row.status == "good") != isinstance(row.response, dict):
        raise ValueError("a good row holds a response, a bad one none")
    if not isinstance(row.key, str) or not isinstance(row.draw, int):
        raise ValueError("key is text and draw a whole number")
