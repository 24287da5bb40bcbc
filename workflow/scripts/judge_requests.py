"""Questions, gold and answers to complete judge requests, before any call."""

from _job import job
from memtrial import store
from memtrial.judging.protocols import protocol
from memtrial.judging.requests import render_requests

with job(snakemake) as j:
    questions, gold, answers = (store.read(p) for p in (j.input.questions, j.input.gold, j.input.answers))
    official = None
    if hasattr(j.input, "official"):
        official = j.input.official.read_bytes().decode(errors="replace")
        j.facts["templates"] = dict(protocol(j.spec, official).templates)
    store.write(j.output.requests, render_requests(questions, gold, answers, j.spec, official))
