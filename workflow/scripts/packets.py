"""Candidates, or the whole history, to packets."""

from _job import job
from memtrial import store, tokenizers
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
    # Gold is an input only where the spec asks for the oracle form, which sees the type of a question and no more.
    types = {g.question_id: g.question_type for g in store.read(j.input.gold)} if hasattr(j.input, "gold") else None
    counter = tokenizers.load(name) if (name := j.spec["packet"]["tokenizer"]) else None
    j.facts = counter.facts if counter else {}
    count = counter.count if counter else None
    packets = compile_packets(questions, corpus, candidates, reranked, j.spec, count, types, j.progress)
    store.write_sorted(j.output.packets, packets)
