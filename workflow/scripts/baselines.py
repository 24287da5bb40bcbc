"""Answers that no memory made, at the place of a reader's own; the gold echo alone is given the gold."""

from _job import job
from memtrial import store
from memtrial.reading.baselines import baseline_answers

with job(snakemake) as j:
    gold = store.read(j.input.gold) if hasattr(j.input, "gold") else None
    answers = baseline_answers(j.wildcards.reader, store.read(j.input.questions), gold)
    store.write(j.output.answers, answers)
