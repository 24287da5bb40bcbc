"""Where the gold evidence of each question stands in each stage's order."""

from _job import job
from memtrial import store
from memtrial.statistics.retrieval import RetrievalCell, rank_rows
from memtrial.statistics.tables import RANKS, write_table

with job(snakemake) as j:
    stages = [
        store.read(getattr(j.input, n)) if hasattr(j.input, n) else [] for n in ("candidates", "reranked", "packets")
    ]
    cell = RetrievalCell(j.wildcards.system, *stages)
    rows = rank_rows(store.read(j.input.gold), store.read(j.input.evidence), cell, j.spec)
    write_table(j.output.retrieval, rows, RANKS)
