"""Questions and corpus to candidates."""

from _job import job
from memtrial import store
from memtrial.corpus import Corpus
from memtrial.retrieval.embedding import CachedEncoder
from memtrial.retrieval.encoder import TransformerEncoder
from memtrial.retrieval.retrieve import retrieve

with job(snakemake) as j:
    corpus = Corpus(store.iterate(j.input.sessions), store.iterate(j.input.turns), j.spec["future_sessions"])
    encoder = TransformerEncoder(**j.spec["embedder"])
    cached = CachedEncoder(encoder, j.cache, j.params.piece_cache_mib)
    j.facts["encoder"] = encoder.identity
    questions = store.read(j.input.questions)
    store.write(j.output.candidates, retrieve(questions, corpus, lambda t: cached.vectors(t, j.progress), j.spec))
