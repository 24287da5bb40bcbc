"""Questions, packets and scaffolds to complete reader requests, before any call."""

from _job import job
from memtrial import store
from memtrial.reading.requests import render_requests

with job(snakemake) as j:
    questions, scaffolds = store.read(j.input.questions), store.read(j.input.scaffolds)
    requests = render_requests(questions, store.iterate(j.input.packets), scaffolds, j.spec)
    store.write_sorted(j.output.requests, requests)
