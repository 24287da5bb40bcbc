"""A benchmark file changed in what no stage before the judge may see or depend on."""

from _job import job
from memtrial.controls.mutate import mutate_file

with job(snakemake) as j:
    j.facts = mutate_file(j.input.source, j.spec["format"], j.wildcards.control, j.output.source, j.output.names)
