"""Recompute every hash of the results; name what differs."""

import json
import sys
from pathlib import Path

from _job import job
from memtrial.receipt import verify

with job(snakemake) as j:
    receipts = [Path(p) for p in j.params.receipts]
    problems = [problem for gathered in receipts for problem in verify(gathered, Path.cwd())]
    for problem in problems:
        print(f"DIFFERS  {problem.path}: {problem.what}", file=sys.stderr)
    if problems:
        raise SystemExit(f"verify: {len(problems)} differences")
    for gathered in receipts:
        told = json.loads(gathered.read_text())
        print(
            f"verified {gathered}: {len(told['artifacts'])} artifacts, Merkle root {told['merkle_root']}",
            file=sys.stderr,
        )
