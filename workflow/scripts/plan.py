"""What the run would still ask of models and for what price, from requests and ledgers; nothing is asked here."""

from pathlib import Path

from _job import job
from memtrial import plan, store
from memtrial.judging.planned import asked_line, judge_line
from memtrial.reading.window import window

with job(snakemake) as j:
    table = plan.prices([*(c["spec"] for c in j.params.cells), *j.params.judges.values()])
    official = {n: Path(f).read_bytes().decode(errors="replace") for n, f in j.params.official.items()}
    lines = [asked_line(p.parent, j.params.judges[p.parent.name], store.iterate(p), table) for p in j.input.controls]
    for c in j.params.cells:
        at, limit = Path(c["path"]), window(c["spec"])
        skipped = () if limit.counter else ("messages",)
        requests = store.iterate(at.parent / "requests.parquet", 64, skipped) if c["asked"] else ()
        asked, held = plan.sizes(requests, limit.counter), plan.replayed(at / "calls", c["draw"])
        lines.append(plan.line(at, c["spec"], asked, held, table, context_tokens=limit.tokens, note=limit.problem))
        there = (at / "answers.jsonl").exists() and lines[-1].calls == 0
        read = [store.read(Path(c["corpus"], f"{n}.parquet")) for n in ("questions", "gold")]
        read += [store.read(at / "answers.jsonl") if there else None, plan.longest_reply(asked), table]
        lines += [judge_line(at / f"judge={n}", s, *read, official.get(n)) for n, s in j.params.judges.items()]
    Path("results/plan.json").write_text(plan.as_json(lines), encoding="utf-8")
    print(plan.table(lines), "whole: results/plan.json", sep="\n", flush=True)
