"""Answers and judge requests to verdicts, through the cell's ledger."""

from _job import job
from memtrial import store
from memtrial.judging.run import judge_pass

with job(snakemake) as j:
    gold, answers, requests = (store.read(p) for p in (j.input.gold, j.input.answers, j.input.requests))
    calls = j.output.verdicts.parent / "calls"
    store.write(j.output.verdicts, judge_pass(gold, answers, requests, j.spec, calls, j.progress))
