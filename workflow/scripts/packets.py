"""Candidates, or the whole history, to packets."""

from _job import job
from memtrial import store
from memtrial.corpus import Corpus
from memtrial.packet.compile import compile_packets

with job(snakemake) as j:
    corpus = Corpus(store.iterate(j.input.sessions), store.iterate(j.input.turns), j.spec["future_sessions"])
    questions = store.read(j.input.questions)
    unused = () if j.spec["kind"] == "rag" else ("turns",)
    candidates, reranked = (
        store.read(getattr(j.input, name), unused) if hasattr(j.input, name) else []
        for name in ("candidates", "reranked")
    )
    packets = compile_packets(questions, corpus, candidates, reranked, j.spec, j.progress)
    store.write_sorted(j.output.packets, packets)
