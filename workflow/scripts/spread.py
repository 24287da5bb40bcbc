"""Verdicts to dialogues, to what tells systems apart, and to the table of disputed gold."""

from _job import job
from _study import study
from memtrial.statistics.correlations import correlation_rows
from memtrial.statistics.dialogues import dialogue_rows
from memtrial.statistics.discriminability import discriminability_rows
from memtrial.statistics.disputed import disputed_rows
from memtrial.statistics.tables import write_tables

with job(snakemake) as j:
    design, cells, read = study(j)
    found = {
        "dialogues": dialogue_rows(design, read["questions"], read["gold"], cells, j.spec),
        "discriminability": discriminability_rows(design, cells),
        "correlations": correlation_rows(design, cells, j.spec),
        "disputed": disputed_rows(read["disputed"], read["gold"], cells),
    }
    write_tables(j.output, found)
