"""Reader requests to answers, through the cell's ledger."""

import pyarrow.parquet as pq

from _job import job
from memtrial import store
from memtrial.local_model import transport_of
from memtrial.reading.run import read_pass
from memtrial.snapshots import check_snapshots

with job(snakemake) as j:
    total = pq.read_metadata(j.input.requests).num_rows
    calls, draw = j.output.answers.parent / "calls", int(j.wildcards.reader_pass)
    requests = store.iterate(j.input.requests, batch_rows=64)
    known = {"draw": draw, "total": total, "cache": j.cache, "progress": j.progress}
    with transport_of(j.spec, j.cache, j.facts) as transport:
        answers = read_pass(requests, j.spec, calls, transport=transport, **known)
    j.facts |= check_snapshots(answers, j.spec.get("allow_snapshots", False))
    store.write(j.output.answers, answers)
