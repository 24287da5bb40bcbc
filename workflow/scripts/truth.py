"""Scaffolds against what their packets say."""

from _job import job
from memtrial import store
from memtrial.controls.findings import SHOWN, Finding, result, write_json
from memtrial.controls.truth import examine
from memtrial.corpus import Corpus

with job(snakemake) as j:
    corpus = Corpus(store.iterate(j.input.sessions), store.iterate(j.input.turns), j.spec["future_sessions"])
    questions = {q.question_id: q for q in store.iterate(j.input.questions)}
    packets = {p.question_id: p for p in store.iterate(j.input.packets)}
    name = j.input.scaffolds.name
    examined = {
        s.question_id: examine(questions[s.question_id], packets[s.question_id], s, corpus)
        for s in store.iterate(j.input.scaffolds)
    }
    findings = [Finding(name, question, what) for question, e in examined.items() for what in e.faults]
    unchecked = [f"{question}: {what}" for question, e in examined.items() for what in e.unchecked]
    facts = {"checked": sum(e.checked for e in examined.values()), "unchecked": len(unchecked)}
    told = result("truth", {name: len(examined)}, findings)
    write_json(j.output.result, told | {"facts": facts, "unchecked": unchecked[:SHOWN]})
