"""Somebody else's answers, through a field map, at the place of our own."""

from _job import job
from memtrial import store
from memtrial.reading.imported import import_answers

with job(snakemake) as j:
    questions, source = store.read(j.input.questions), j.input.source
    store.write(j.output.answers, import_answers(source.read_bytes(), questions, j.spec, source.name))
