"""Questions and packets to scaffolds."""

from _job import job
from memtrial import store
from memtrial.corpus import Corpus
from memtrial.scaffold.build import build_scaffolds

with job(snakemake) as j:
    corpus = Corpus(store.iterate(j.input.sessions), store.iterate(j.input.turns), j.spec["future_sessions"])
    questions = store.read(j.input.questions)
    packets = store.iterate(j.input.packets)
    scaffolds = build_scaffolds(questions, packets, corpus, j.spec, j.progress)
    store.write_sorted(j.output.scaffolds, scaffolds)
