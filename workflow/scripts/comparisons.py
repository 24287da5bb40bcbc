"""Verdicts to paired comparisons, slices and contrasts."""

from _job import job
from _study import study
from memtrial.statistics.comparisons import comparison_rows
from memtrial.statistics.contrasts import contrast_rows
from memtrial.statistics.slices import slice_rows
from memtrial.statistics.tables import write_tables

with job(snakemake) as j:
    design, cells, _ = study(j)
    found = {"comparisons": comparison_rows(design, cells, j.spec), "slices": slice_rows(design, cells, j.spec)}
    write_tables(j.output, found | {"contrasts": contrast_rows(design, cells, j.spec)})
