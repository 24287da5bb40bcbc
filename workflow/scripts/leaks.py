"""The scan of packets and scaffolds for what must stay hidden."""

from _job import job
from memtrial import store
from memtrial.controls.findings import result, write_json
from memtrial.controls.leaks import Secrets, leaks
from memtrial.corpus import Corpus

with job(snakemake) as j:
    corpus = Corpus(store.iterate(j.input.sessions), store.iterate(j.input.turns), j.spec["future_sessions"])
    secrets = Secrets(store.read(j.input.questions), store.read(j.input.gold), store.read(j.input.evidence))
    packets, scaffolds = store.read(j.input.packets), store.read(j.input.scaffolds)
    counts = {j.input.packets.name: len(packets), j.input.scaffolds.name: len(scaffolds)}
    write_json(j.output.result, result("leaks", counts, leaks(packets, scaffolds, secrets, corpus)))
