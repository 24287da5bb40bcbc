"""Where the gold evidence of each question stands in each stage's order."""

import json

from _job import job
from memtrial import store
from memtrial.corpus import Corpus
from memtrial.statistics.columns import RANKS
from memtrial.statistics.retrieval import RetrievalCell, rank_rows
from memtrial.statistics.tables import write_table

with job(snakemake) as j:
    ranked = [store.read(getattr(j.input, n)) if hasattr(j.input, n) else [] for n in ("candidates", "reranked")]
    packets = store.read(j.input.packets) if hasattr(j.input, "packets") else None
    log = json.loads(j.input.rankings.read_text(encoding="utf-8")) if hasattr(j.input, "rankings") else {}
    unranked = frozenset(log["unranked"] if log.get("missing") == "skip" else ())
    corpus = Corpus(store.iterate(j.input.sessions), store.iterate(j.input.turns))
    cell = RetrievalCell(j.wildcards.system, corpus, *ranked, packets, unranked)
    questions, gold, evidence = (store.read(p) for p in (j.input.questions, j.input.gold, j.input.evidence))
    write_table(j.output.retrieval, rank_rows(questions, gold, evidence, cell, j.spec), RANKS)
