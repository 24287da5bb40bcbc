"""Published receipts of a judge's controls at the place of our own, as a file and as a page."""

from _job import job
from memtrial import store
from memtrial.judging.controls.imported import import_controls
from memtrial.judging.controls.page import build_page
from memtrial.judging.controls.results import to_json

with job(snakemake) as j:
    questions, gold = store.read(j.input.questions), store.read(j.input.gold)
    named = zip(j.spec["control_receipts"], j.input.receipts, strict=True)
    receipts = {name: path.read_bytes() for name, path in named}
    judge = {"benchmark": j.wildcards.benchmark, "judge": j.wildcards.judge, **j.spec["identity"]}
    result = import_controls(receipts, questions, gold, judge)
    j.output.controls.write_text(to_json(result), encoding="utf-8")
    j.output.page.write_text(build_page(result), encoding="utf-8")
