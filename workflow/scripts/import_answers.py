"""Somebody else's answers, through a field map, at the place of our own."""

from _job import job
from memtrial import store
from memtrial.reading.imported import import_answers

with job(snakemake) as j:
    files = {path.name: path.read_bytes() for path in j.input.source}
    store.write(j.output.answers, import_answers(files, store.read(j.input.questions), j.spec))
