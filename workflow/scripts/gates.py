"""Fail if a gate did, after all of them are written, and say which and why."""

import json
import sys

from _job import job
from memtrial.errors import InputError

with job(snakemake) as j:
    told = [json.loads(path.read_text(encoding="utf-8")) for path in j.input.results]
    for t in told:
        print(f"gate {t['gate']} on {t['benchmark']}:", *t["in_words"], sep="\n  ", file=sys.stderr)
    failed = [f"gate {t['gate']} on {t['benchmark']}: {t['in_words'][0]}" for t in told if not t["passed"]]
    if failed:
        raise InputError(f"{len(failed)} of {len(told)} gates failed:\n  " + "\n  ".join(failed))
