"""Somebody else's verdicts, through a field map, at the place of our own."""

from _job import job
from memtrial import store
from memtrial.judging.imported import import_verdicts

with job(snakemake) as j:
    gold, answers = store.read(j.input.gold), store.read(j.input.answers)
    files = {path.name: path.read_bytes() for path in j.input.source}
    store.write(j.output.verdicts, import_verdicts(files, gold, answers, j.spec))
