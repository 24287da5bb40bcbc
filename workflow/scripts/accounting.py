"""The accounts of packets and scaffolds, done again."""

from _job import job
from memtrial import store
from memtrial.controls.accounts import accounting
from memtrial.controls.findings import result, write_json
from memtrial.corpus import Corpus

with job(snakemake) as j:
    corpus = Corpus(store.iterate(j.input.sessions), store.iterate(j.input.turns), j.spec["future_sessions"])
    packets, scaffolds = store.read(j.input.packets), store.read(j.input.scaffolds)
    findings = accounting(store.read(j.input.questions), packets, scaffolds, corpus, j.spec)
    counts = {j.input.packets.name: len(packets), j.input.scaffolds.name: len(scaffolds)}
    write_json(j.output.result, result("accounting", counts, findings))
