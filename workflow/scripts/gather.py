"""All receipts of a benchmark under one Merkle root."""

import json

from _job import job
from memtrial import receipt

with job(snakemake) as j:
    receipts = [json.loads(path.read_text(encoding="utf-8")) for path in [*j.input.receipts, *j.input.report]]
    receipt.write(receipt.gather(receipts), j.output.receipt)
