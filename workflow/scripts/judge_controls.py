"""A judge's controls, through their own ledger, to what they show of it, as a file and as a page."""

from _job import job
from memtrial import store
from memtrial.judging.controls.page import build_page
from memtrial.judging.controls.results import to_json
from memtrial.judging.controls.run import judge_controls
from memtrial.local_model import transport_of

with job(snakemake) as j:
    corpus = [store.read(p) for p in (j.input.questions, j.input.gold)]
    official = j.input.official.read_bytes().decode(errors="replace") if hasattr(j.input, "official") else None
    at = {"benchmark": j.wildcards.benchmark, "judge": j.wildcards.judge}
    calls, requests = j.output.controls.parent / "calls", store.read(j.input.requests)
    known = {"cache": j.cache, "progress": j.progress, "official_text": official}
    with transport_of(j.spec, j.cache, j.facts) as transport:
        result = judge_controls(*corpus, requests, j.spec, at, calls, transport=transport, **known)
    j.output.controls.write_text(to_json(result), encoding="utf-8")
    j.output.page.write_text(build_page(result), encoding="utf-8")
