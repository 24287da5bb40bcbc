"""Questions and gold to the complete requests of a judge's controls, before any call."""

from _job import job
from memtrial import store
from memtrial.judging.controls.run import control_requests

with job(snakemake) as j:
    questions, gold = (store.read(p) for p in (j.input.questions, j.input.gold))
    official = j.input.official.read_bytes().decode(errors="replace") if hasattr(j.input, "official") else None
    store.write(j.output.requests, control_requests(questions, gold, j.spec, official))
