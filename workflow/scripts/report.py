"""Tables, findings and receipts to one page and its plots."""

import json

from _job import job
from memtrial import store
from memtrial.report.build import build_report
from memtrial.report.data import ReportData
from memtrial.report.plots import draw
from memtrial.statistics.tables import headline, read_table

TABLES = ("accuracy", "retrieval", "flips", "packets", "support", "triggers")

with job(snakemake) as j:
    tables = {n: read_table(getattr(j.input, n)) for n in TABLES}
    summary = headline(j.wildcards.benchmark, tables["accuracy"], tables["retrieval"])
    receipts = [json.loads(p.read_text(encoding="utf-8")) for p in j.input.receipts]
    quality = store.read(j.input.quality)
    data = ReportData(j.wildcards.benchmark, summary, **tables, quality=quality, receipts=receipts, **j.spec)
    plots = draw(data)
    for name, svg in plots.items():
        getattr(j.output, name).write_text(svg, encoding="utf-8")
    j.output.page.write_text(build_report(data, plots), encoding="utf-8")
