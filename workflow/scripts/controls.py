"""Fail if a control did, after all of them are written, and say which and on what question."""

import json
import sys

from _job import job
from memtrial.controls.findings import told
from memtrial.errors import InputError

with job(snakemake) as j:
    gathered = [json.loads(path.read_text(encoding="utf-8")) for path in j.input.controls]
    failed = [line for g in gathered for line in told(g["benchmark"], g["system"], g["controls"])]
    for g in gathered:
        passed = sum(c["passed"] for c in g["controls"])
        print(f"{g['system']} on {g['benchmark']}: {passed} of {len(g['controls'])} controls passed", file=sys.stderr)
    if failed:
        raise InputError("\n  ".join([f"{len(failed)} controls failed:", *failed]))
