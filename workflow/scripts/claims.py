"""Published figures beside ours: the tables that the claims name, and the files that hold some of the figures."""

import json

from _job import job
from memtrial.statistics.claims import claims_rows
from memtrial.statistics.tables import read_table, write_tables

with job(snakemake) as j:
    found = {path.stem: read_table(path) for path in j.input.tables}
    texts = {name: path.read_text(encoding="utf-8") for name, path in zip(j.params.files, j.input.files, strict=True)}
    rows = claims_rows(j.spec["claims"], found, {name: json.loads(text) for name, text in texts.items()})
    write_tables(j.output, {"claims": rows})
