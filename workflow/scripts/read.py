"""Reader requests to answers, through the cell's ledger."""

import pyarrow.parquet as pq

from _job import job
from memtrial import store
from memtrial.reading.run import read_pass

with job(snakemake) as j:
    total = pq.read_metadata(j.input.requests).num_rows
    calls = j.output.answers.parent / "calls"
    draw = int(j.wildcards.reader_pass)
    requests = store.iterate(j.input.requests, batch_rows=64)
    store.write(j.output.answers, read_pass(requests, j.spec, calls, draw=draw, total=total, progress=j.progress))
