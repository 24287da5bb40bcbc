"""Verdicts and answers to the tables of passes and judges: stability, flips, agreement, usage."""

from _job import job
from _study import packet_tokens, study
from memtrial import store
from memtrial.model_table import dollars
from memtrial.statistics.agreement import agreement_rows
from memtrial.statistics.disagreements import disagreement_rows
from memtrial.statistics.flips import flip_rows, hashes_of
from memtrial.statistics.stability import stability_rows
from memtrial.statistics.tables import write_tables
from memtrial.statistics.usage import usage_rows

with job(snakemake) as j:
    design, cells, _ = study(j)
    answers = {tuple(p): store.read(path) for p, path in zip(j.params.passes, j.input.answers, strict=True)}
    found = {
        "stability": stability_rows(design, cells, j.params.judges, j.spec),
        "flips": flip_rows(design, cells, hashes_of(answers)),
        "agreement": agreement_rows(design, cells, j.params.judges, j.spec["statistics"]["confidence"]),
        "disagreements": disagreement_rows(cells),
        "usage": usage_rows(answers, packet_tokens(j), dollars),
    }
    write_tables(j.output, found)
