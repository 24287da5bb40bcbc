"""Where the gold evidence of each question stands in each stage's order."""

from _job import job
from memtrial import store
from memtrial.corpus import Corpus
from memtrial.statistics.retrieval import RetrievalCell, rank_rows
from memtrial.statistics.tables import RANKS, write_table

with job(snakemake) as j:
    stages = [
        store.read(getattr(j.input, n)) if hasattr(j.input, n) else [] for n in ("candidates", "reranked", "packets")
    ]
    corpus = Corpus(store.iterate(j.input.sessions), store.iterate(j.input.turns))
    cell = RetrievalCell(j.wildcards.system, corpus, *stages)
    questions, gold, evidence = (store.read(p) for p in (j.input.questions, j.input.gold, j.input.evidence))
    write_table(j.output.retrieval, rank_rows(questions, gold, evidence, cell, j.spec), RANKS)
