"""What every script needs of a job: the package on the path, a log, progress, named paths, and receipts at the end."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tqdm import tqdm

from memtrial import receipt
from memtrial.calls import CallsStopped
from memtrial.errors import InputError

LOG_EVERY = 0.05


def _paths(files: Any) -> SimpleNamespace:
    """Named files as paths; a name with several files gives a list."""
    named = files.items()
    return SimpleNamespace(**{n: Path(f) if isinstance(f, str) else [Path(p) for p in f] for n, f in named})


class Job:
    """A running job: `input` and `output` as named paths, `spec`, and `facts` for the receipts."""

    def __init__(self, snakemake: Any) -> None:
        self._snakemake = snakemake
        self.input, self.output = _paths(snakemake.input), _paths(snakemake.output)
        self.params, self.wildcards = snakemake.params, snakemake.wildcards
        self.spec: dict[str, Any] = dict(snakemake.params.get("spec", {}))
        self.cache = Path(snakemake.params.get("cache", "."))
        self.facts: dict[str, Any] = {}
        self._label = " ".join([snakemake.rule, *map(str, snakemake.wildcards)])
        self._bar: tqdm[Any] | None = None
        self._logged, self._started = 0.0, time.monotonic()

    def progress(self, done: int, total: int | None, note: str = "") -> None:
        """A bar on a terminal; in the log a line every 5%. `note` says in words what it has come to so far."""
        if not total:
            return
        if sys.stderr.isatty():
            self._bar = self._bar or tqdm(total=total, desc=self._label, leave=False, dynamic_ncols=True)
            self._bar.set_postfix_str(note, refresh=False)
            self._bar.update(done - self._bar.n)
        if done >= total or done / total >= self._logged + LOG_EVERY:
            self._logged = done / total
            passed = f"{time.monotonic() - self._started:.1f} s"
            line = f"{self._label}: {done} of {total} ({done / total:.0%}), {', '.join(filter(None, [passed, note]))}"
            logging.info(line)
            if not sys.stderr.isatty():
                print(line, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Write the receipt of each output that declares one."""
        if self._bar:
            self._bar.close()
        snakemake = self._snakemake
        sources = [Path(p) for p in snakemake.input if not p.endswith(receipt.SUFFIX)]
        for declared in (Path(p) for p in snakemake.output if p.endswith(receipt.SUFFIX)):
            artifact = declared.with_name(declared.name.removesuffix(receipt.SUFFIX))
            told = receipt.make(artifact, sources, self.spec, snakemake.params.code["modules"], self.facts, Path.cwd())
            receipt.write(told, declared)
            logging.info("%s: %s rows, content %s", artifact, told["rows"], told["content_sha256"])


@contextmanager
def job(snakemake: Any) -> Iterator[Job]:
    """Run a script's body as a job; what the user can mend ends it with one message, all else with a traceback."""
    logging.basicConfig(
        filename=snakemake.log[0],
        filemode="w",
        force=True,
        level=logging.INFO,
        format="%(asctime)s %(levelname)s %(message)s",
    )
    running = Job(snakemake)
    try:
        yield running
        running.close()
    except (InputError, CallsStopped) as error:
        logging.error("%s", error)
        raise SystemExit(f"error: {error}") from None
    except Exception:
        logging.exception("failed")
        raise
