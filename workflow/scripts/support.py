"""Whether each question's gold value is derivable from its scaffold, by operator."""

from _job import job
from memtrial import store
from memtrial.statistics.columns import SUPPORT_ROWS
from memtrial.statistics.support import support_rows
from memtrial.statistics.tables import write_table

with job(snakemake) as j:
    questions, gold, scaffolds = (store.read(p) for p in (j.input.questions, j.input.gold, j.input.scaffolds))
    write_table(j.output.support, support_rows(questions, gold, scaffolds), SUPPORT_ROWS)
