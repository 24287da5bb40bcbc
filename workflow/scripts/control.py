"""Packets and scaffolds of a benchmark against those of its changed copy."""

from _job import job
from memtrial.controls.compare import compare

with job(snakemake) as j:
    compare(j.wildcards.control, j.input.ours, j.input.theirs, j.input.names, j.spec["packet"], j.output.result)
