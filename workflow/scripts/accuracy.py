"""Verdicts and ranks to the tables of accuracy and retrieval, and the summary that ends a run."""

from _job import job
from _study import study
from memtrial.statistics import tables
from memtrial.statistics.accuracy import accuracy_rows
from memtrial.statistics.retrieval import rate_rows

with job(snakemake) as j:
    design, cells, read = study(j, baselines=True)
    ranks = zip(j.params.systems, map(tables.read_table, j.input.retrieval), strict=True)
    rates = [row for s, rows in ranks for row in rate_rows(read["questions"], read["gold"], s, rows, j.spec)]
    found = {"accuracy": accuracy_rows(design, cells, j.spec), "retrieval": rates}
    tables.write_tables(j.output, found)
    headline = tables.headline(j.wildcards.benchmark, found["accuracy"], rates, j.params.oracles)
    shown = tables.render(headline, j.spec["statistics"]["confidence"])
    j.output.headline.write_text(f"{shown}\n", encoding="utf-8")
