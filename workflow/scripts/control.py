"""Packets and scaffolds of a benchmark against those of its changed copy."""

from _job import job
from memtrial.controls.compare import compare
from memtrial.controls.findings import write_json

with job(snakemake) as j:
    found = compare(j.wildcards.control, j.input.ours, j.input.theirs, j.input.names)
    write_json(j.output.result, found)
