"""Verdicts to paired comparisons, slices and contrasts."""

from _job import job
from _study import study, write
from memtrial.statistics.comparisons import comparison_rows
from memtrial.statistics.contrasts import contrast_rows
from memtrial.statistics.slices import slice_rows

with job(snakemake) as j:
    design, cells, _ = study(j)
    found = {"comparisons": comparison_rows(design, cells, j.spec), "slices": slice_rows(design, cells, j.spec)}
    write(j, found | {"contrasts": contrast_rows(design, cells, j.spec)})
