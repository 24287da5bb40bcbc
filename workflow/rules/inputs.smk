# What single rules need: their inputs, outputs and specs. No rule stands here.

CHAINS = [s for s in RUN["systems"] if kind(s) != "full-context"] or RUN["systems"]
EXAMINED = ("accounting", "leaks", "truth")
MADE = {n: f"results/{{benchmark}}/{{system}}/{n}.parquet" for n in ("packets", "scaffolds")}
GATES = config.get("gates", {})


def oracle(wildcards):
    """The labels of a system that says that it reads them."""
    form = spec.packet(config, wildcards.benchmark, wildcards.system)["packet"].get("form")
    folder = f"results/{wildcards.benchmark}/corpus"
    return receipted(gold=f"{folder}/gold.parquet") if form == spec.ORACLE_FORM else {}


def tables_of(*names):
    """Named tables as outputs, Parquet and CSV, each with its receipt; the CSV goes into Snakemake's report."""
    base = "results/{benchmark}/statistics"
    found = {}
    for name in names:
        found |= receipted(**{f"{name}_parquet": f"{base}/{name}.parquet"})
        caption = f"../report/{name}_table.rst"
        found[f"{name}_csv"] = report(f"{base}/{name}.csv", caption=caption, category="{benchmark}")
        found[f"{name}_csv_receipt"] = f"{base}/{name}.csv.receipt.json"
    return found


def of_each_system(artifact):
    """A file of every system of the run, and their receipts, as named inputs."""
    found = expand(f"results/{{{{benchmark}}}}/{{system}}/{artifact}.parquet", system=RUN["systems"])
    return {artifact: found, f"{artifact}_receipts": [f"{path}.receipt.json" for path in found]}


def operator_labels(wildcards):
    """The benchmark's hand-made labels of what its questions need, if it names any."""
    labels = spec.benchmark(config, wildcards.benchmark).get("operator_needs", {}).get("labels")
    return {"labels": given_path(labels)} if labels else {}


def evidence_spec(wildcards):
    """The confidence of intervals, what the questions need, and each system's packet settings."""
    return {
        "confidence": config["statistics"]["confidence"],
        "needs": spec.benchmark(config, wildcards.benchmark).get("operator_needs", {}).get("question_types"),
        "packets": {s: spec.packet(config, wildcards.benchmark, s)["packet"] for s in RUN["systems"]},
    }


def texts_spec(wildcards):
    """Settings of a system's packets and scaffolds."""
    names = config, wildcards.benchmark, wildcards.system
    return {**spec.packet(*names), **spec.scaffold(*names)}


def gate_spec(wildcards):
    """A gate's definition with its defaults."""
    return {"gate": spec.gate(config, wildcards.gate)}


def gate_inputs(wildcards):
    """Verdicts of incumbent and candidate, and the file of control questions if one is given."""
    of = spec.gate(config, wildcards.gate)
    cell = f"reader={of['reader']}/pass={of['pass']}/judge={of['judge']}"
    roles = {r: f"results/{wildcards.benchmark}/{of[r]}/{cell}/verdicts.jsonl" for r in ("incumbent", "candidate")}
    listed = of["questions"] and {"questions": given_path(of["questions"].format(benchmark=wildcards.benchmark))}
    return receipted(**roles) | (listed or {})


def summary():
    """What a run ends with: each benchmark's table and where its report lies."""
    shown = []
    for name in RUN["benchmarks"]:
        table = Path(f"results/{name}/statistics/headline.txt")
        page = Path(f"results/{name}/report/index.html")
        if table.exists() and page.exists():
            shown += [table.read_text(encoding="utf-8").rstrip(), f"report: {page}", ""]
    return "\n".join(["", *shown])
