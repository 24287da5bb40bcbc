"""All controls of a system on a benchmark, in one file and on one page."""

import json

from _job import job
from memtrial.controls.findings import write_json
from memtrial.controls.page import build_page

with job(snakemake) as j:
    results = [json.loads(path.read_text(encoding="utf-8")) for path in j.input.results]
    at = {"benchmark": j.wildcards.benchmark, "system": j.wildcards.system}
    write_json(j.output.controls, {**at, "passed": all(r["passed"] for r in results), "controls": results})
    j.output.page.write_text(build_page(**at, results=results), encoding="utf-8")
