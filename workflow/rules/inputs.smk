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


def named(axis, *kinds):
    """A wildcard constraint: the definitions of these kinds."""
    return "|".join(name for name, given in config[axis].items() if given["kind"] in kinds) or r"(?!)"


def imported(axis):
    """The file of an imported reader or judge, its path filled in with the cell's names."""

    def source(wildcards):
        given = config[axis][getattr(wildcards, axis.removesuffix("s"))]["source"]
        return given_path(given.format_map(dict(wildcards.items())))

    return source


def official_file(judge):
    """The benchmark's own judge file, for a judge whose protocol is made of it."""
    given = config["judges"][judge]
    return given_path(given["official_file"]) if given.get("form") in spec.OFFICIAL_FORMS else None


def judge_source(wildcards):
    path = official_file(wildcards.judge)
    return {"official": path} if path else {}


def judge_controls(wildcards):
    """What a judge's controls found; an imported one has none."""
    at = f"results/{wildcards.benchmark}/judges/{wildcards.judge}"
    return receipted(controls=f"{at}/controls.json") if config["judges"][wildcards.judge]["kind"] != "import" else {}


def asking_judges():
    return [j for j in RUN["judges"] if config["judges"][j]["kind"] in spec.MODEL_KINDS]


def plan_cells():
    """The reader passes of the run, with what their calls depend on."""
    axes = product(RUN["benchmarks"], RUN["systems"], RUN["readers"], RUN["passes"])
    return [
        {
            "path": f"results/{b}/{s}/reader={r}/pass={p}",
            "corpus": f"results/{b}/corpus",
            "draw": p,
            "spec": spec.reader(config, r),
        }
        for b, s, r, p in axes
    ]


def plan_inputs(wildcards):
    paid = [c for c in plan_cells() if c["spec"]["kind"] in spec.MODEL_KINDS]
    return {
        "requests": [f"{Path(c['path']).parent}/requests.parquet" for c in plan_cells()],
        "corpus": expand("results/{b}/corpus/{n}.parquet", b=RUN["benchmarks"], n=["questions", "gold"]),
        "controls": expand("results/{b}/judges/{j}/requests.parquet", b=RUN["benchmarks"], j=asking_judges()),
        "answers": [f"{c['path']}/answers.jsonl" for c in plan_cells() if c not in paid],
    }


def official_files():
    return {judge: path for judge in asking_judges() if (path := official_file(judge))}


def summary():
    """What a run ends with: each benchmark's table and where its report lies; nothing after a target that says more."""
    if {"plan", "controls", "gates", "verify"} & set(sys.argv):
        return ""
    shown = []
    for name in RUN["benchmarks"]:
        table = Path(f"results/{name}/statistics/headline.txt")
        page = Path(f"results/{name}/report/index.html")
        if table.exists() and page.exists():
            shown += [table.read_text(encoding="utf-8").rstrip(), f"report: {page}", ""]
    return "\n".join(["", *shown])
