"""Verdicts of two systems on the same questions to what the second recovers and breaks."""

import json

from _job import job
from memtrial import store
from memtrial.statistics.cells import Cell
from memtrial.statistics.gate import gate, listed_ids, render

with job(snakemake) as j:
    of = j.spec["gate"]
    cells = [
        Cell(of[role], of["reader"], str(of["pass"]), of["judge"], store.read(getattr(j.input, role)))
        for role in ("incumbent", "candidate")
    ]
    file = getattr(j.input, "questions", None)
    controls = listed_ids(file.read_text(encoding="utf-8")) if file else None
    told = gate(*cells, controls, file)
    named = {"gate": j.wildcards.gate, "benchmark": j.wildcards.benchmark, **of, **told}
    j.output.result.write_text(json.dumps(named, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    j.output.table.write_text(render(j.wildcards.gate, j.wildcards.benchmark, told, *cells), encoding="utf-8")
