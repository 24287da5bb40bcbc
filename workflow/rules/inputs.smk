# What single rules need: their inputs, outputs and specs. No rule stands here.

CHAINS = [s for s in PACKED if kind(s) != "full-context"] or PACKED
EXAMINED = ("accounting", "leaks", "truth")
MADE = {n: f"results/{{benchmark}}/{{system}}/{n}.parquet" for n in ("packets", "scaffolds")}
GATES = config.get("gates", {})


def oracle(wildcards):
    """The labels of a system that says that it reads them."""
    form = spec.packet(config, wildcards.benchmark, wildcards.system)["packet"].get("form")
    folder = f"results/{wildcards.benchmark}/corpus"
    return receipted(gold=f"{folder}/gold.parquet") if form == spec.ORACLE_FORM else {}


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
    """The reader passes of the run, with what their calls depend on; imported ones and baselines ask nothing."""
    asked = asked_readers()
    return [
        {
            "path": pass_folder(b, s, r, p),
            "corpus": f"results/{b}/corpus",
            "draw": int(p),
            "asked": (s, r) in asked,
            "spec": spec.reader(config, r) if r in config["readers"] else {"kind": "baseline"},
        }
        for b, (s, r, p) in product(RUN["benchmarks"], passes())
    ]


def plan_inputs(wildcards):
    paid = [c for c in plan_cells() if c["spec"]["kind"] in spec.MODEL_KINDS]
    return {
        "requests": [f"{Path(c['path']).parent}/requests.parquet" for c in plan_cells() if c["asked"]],
        "corpus": expand("results/{b}/corpus/{n}.parquet", b=RUN["benchmarks"], n=["questions", "gold"]),
        "controls": expand("results/{b}/judges/{j}/requests.parquet", b=RUN["benchmarks"], j=asking_judges()),
        "answers": [f"{c['path']}/answers.jsonl" for c in plan_cells() if c not in paid],
    }


def official_files():
    return {judge: path for judge in asking_judges() if (path := official_file(judge))}


def summary():
    """What a run ends with: each benchmark's table and where its report lies; nothing after a target that says more."""
    if {"plan", "controls", "gates", "verify", "verify_bundle"} & set(sys.argv):
        return ""
    shown = []
    for name in RUN["benchmarks"]:
        table = Path(f"results/{name}/statistics/headline.txt")
        page = Path(f"results/{name}/report/index.html")
        if table.exists() and page.exists():
            shown += [table.read_text(encoding="utf-8").rstrip(), f"report: {page}", ""]
    shown += [f"two languages: results/languages/{pair}/index.html" for pair in LANGUAGES]
    return "\n".join(["", *shown])


def echoed_gold(wildcards):
    """The gold, for the one baseline that reads it."""
    found = {"gold": f"results/{wildcards.benchmark}/corpus/gold.parquet"}
    return receipted(**found) if wildcards.reader == "gold-echo" else {}
