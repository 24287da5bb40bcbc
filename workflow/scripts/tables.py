"""Verdicts and ranks to the tables of a benchmark, and the summary that ends a run."""

from _job import job
from memtrial import store
from memtrial.statistics import tables
from memtrial.statistics.accuracy import Cell, accuracy_rows
from memtrial.statistics.agreement import agreement_rows
from memtrial.statistics.disagreements import disagreement_rows
from memtrial.statistics.flips import flip_rows
from memtrial.statistics.retrieval import rate_rows

with job(snakemake) as j:
    questions, gold = store.read(j.input.questions), store.read(j.input.gold)
    cells = [Cell(*names, store.read(p)) for names, p in zip(j.params.cells, j.input.verdicts, strict=True)]
    ranks = zip(j.params.systems, map(tables.read_table, j.input.retrieval), strict=True)
    retrieval = [row for system, rows in ranks for row in rate_rows(questions, gold, system, rows, j.spec)]
    written = {"accuracy": accuracy_rows(gold, questions, cells, j.spec), "retrieval": retrieval}
    written |= {"flips": flip_rows(cells), "disagreements": disagreement_rows(cells)}
    confidence = j.spec["statistics"]["confidence"]
    written["agreement"] = agreement_rows(gold, questions, cells, j.params.judges, confidence)
    for name, rows in written.items():
        for suffix in ("csv", "parquet"):
            tables.write_table(getattr(j.output, f"{name}_{suffix}"), rows, getattr(tables, name.upper()))
    headline = tables.headline(j.wildcards.benchmark, written["accuracy"], retrieval, j.params.oracles)
    j.output.headline.write_text(tables.render(headline, confidence) + "\n", encoding="utf-8")
