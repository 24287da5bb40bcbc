"""Answers and judge requests to verdicts, through the cell's ledger; a judge that failed its controls is refused."""

import json

from _job import job
from memtrial import store
from memtrial.judging.controls.results import require
from memtrial.judging.run import judge_pass
from memtrial.local_model import transport_of
from memtrial.snapshots import check_snapshots

with job(snakemake) as j:
    require(json.loads(j.input.controls.read_text(encoding="utf-8")), j.wildcards.judge)
    gold, answers, requests = (store.read(p) for p in (j.input.gold, j.input.answers, j.input.requests))
    official = j.input.official.read_bytes().decode(errors="replace") if hasattr(j.input, "official") else None
    calls = j.output.verdicts.parent / "calls"
    known = {"cache": j.cache, "progress": j.progress, "official_text": official}
    with transport_of(j.spec, j.cache, j.facts) as transport:
        verdicts = judge_pass(gold, answers, requests, j.spec, calls, transport=transport, **known)
    j.facts |= check_snapshots(verdicts, j.spec.get("allow_snapshots", False))
    store.write(j.output.verdicts, verdicts)
