"""Tables, findings, controls and receipts to one page and its plots."""

import json

from _job import job
from memtrial import store
from memtrial.report.build import build_report
from memtrial.report.data import PLOTS, ReportData
from memtrial.report.plots import draw
from memtrial.statistics.tables import headline, read_table

NOT_TABLES = ("quality", "controls", "receipts")

with job(snakemake) as j:
    found = vars(j.input)
    tables = {n: read_table(p) for n, p in found.items() if n not in NOT_TABLES and not n.endswith("_receipt")}
    summary = headline(j.wildcards.benchmark, tables["accuracy"], tables["retrieval"])
    receipts = [json.loads(p.read_text(encoding="utf-8")) for p in j.input.receipts]
    controls = {p.parent.name: json.loads(p.read_text(encoding="utf-8")) for p in j.input.controls}
    quality = store.read(j.input.quality)
    data = ReportData(j.wildcards.benchmark, summary, tables, quality, receipts, controls=controls, **j.spec)
    plots = draw(data)
    for name in PLOTS:
        getattr(j.output, name).write_text(plots[name], encoding="utf-8")
    j.output.page.write_text(build_report(data, plots), encoding="utf-8")
