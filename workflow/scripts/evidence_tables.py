"""Packets and scaffolds of all systems to tables of sizes, answer support and operator choice."""

from _job import job
from memtrial import store, tokenizers
from memtrial.statistics import tables
from memtrial.statistics.packets import packet_row, text_tokens
from memtrial.statistics.support import support_rates
from memtrial.statistics.triggers import labelled_needs, needs_by_type, trigger_rows

with job(snakemake) as j:
    gold = store.read(j.input.gold)
    needs = needs_by_type(gold, j.spec["needs"]) if j.spec["needs"] else None
    if hasattr(j.input, "labels"):
        needs = labelled_needs(j.input.labels.read_text(encoding="utf-8"), j.wildcards.benchmark, j.input.labels.name)
    rows = {"packets": [], "support": [], "triggers": []}
    for n, (name, packet) in enumerate(j.spec["packets"].items()):
        count = tokenizers.load(packet["tokenizer"]).count if packet["tokenizer"] else text_tokens
        ranks, support = (tables.read_table(p[n]) for p in (j.input.retrieval, j.input.support))
        rows["packets"].append(packet_row(name, store.read(j.input.packets[n]), ranks, packet, count))
        rows["support"] += support_rates(name, support, gold, j.spec["confidence"])
        rows["triggers"] += trigger_rows(name, store.read(j.input.scaffolds[n]), gold, needs)
    tables.write_tables(j.output, rows)
