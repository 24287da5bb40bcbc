"""Check a bundle from disk; name what differs and what rests on it."""

import sys
from pathlib import Path

from _job import job
from memtrial.bundle.verify import verify_bundle
from memtrial.errors import InputError

with job(snakemake) as j:
    if not j.params.bundle:
        raise InputError("name the zip or folder to verify: --config bundle=PATH", field="bundle")
    problems, summary = verify_bundle(Path(j.params.bundle))
    for problem in problems:
        print(f"DIFFERS  {problem.path}: {problem.what}", file=sys.stderr)
    if problems:
        raise SystemExit(f"verify_bundle: {len(problems)} files differ")
    print(f"verified {j.params.bundle}: {summary}", file=sys.stderr)
