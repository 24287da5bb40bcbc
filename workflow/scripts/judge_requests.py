"""Questions, gold and answers to complete judge requests, before any call."""

from _job import job
from memtrial import store
from memtrial.judging.requests import render_requests

with job(snakemake) as j:
    questions, gold, answers = (store.read(p) for p in (j.input.questions, j.input.gold, j.input.answers))
    store.write(j.output.requests, render_requests(questions, gold, answers, j.spec))
