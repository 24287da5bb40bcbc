"""Benchmark file to corpus, questions, gold, evidence and quality findings."""

from _job import job
from memtrial.ingest.build import ingest

TABLES = ("sessions", "turns", "questions", "gold", "evidence", "quality")

with job(snakemake) as j:
    outputs = {name: getattr(j.output, name) for name in TABLES}
    j.facts = ingest(j.input.source, j.spec, outputs, j.progress)
