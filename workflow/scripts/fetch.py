"""Fetch a registered benchmark file, or take the user's own copy, and verify its hash."""

from _job import job
from memtrial.ingest.fetch import fetch

with job(snakemake) as j:
    own_copy = getattr(j.input, "own_copy", None)
    j.facts = fetch(j.spec, own_copy, j.output.source, j.progress)
