"""Candidates to a scored order."""

from _job import job
from memtrial import store
from memtrial.corpus import Corpus
from memtrial.retrieval.reranker import rerank

with job(snakemake) as j:
    corpus = Corpus(store.iterate(j.input.sessions), store.iterate(j.input.turns), j.spec["future_sessions"])
    rows, j.facts = rerank(
        store.read(j.input.questions), corpus, store.read(j.input.candidates), j.spec, j.cache, j.progress
    )
    store.write(j.output.reranked, rows)
