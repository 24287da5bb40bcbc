# What a run consists of: its cells, and every artifact that they rest on. No rule stands here.

from itertools import product

RANKINGS = {
    "chain": ["candidates.parquet", "reranked.parquet"],
    "rag": ["candidates.parquet"],
    "full-context": [],
    "external": ["candidates.parquet", "rankings.json"],
}
PACKED = [s for s in RUN["systems"] if kind(s) != "external"]
MEASURED = [s for s in RUN["systems"] if kind(s) != "external" or "rankings" in config["systems"][s]]
TABLES = {
    "accuracy": ("accuracy", "retrieval"),
    "passes": ("stability", "flips", "agreement", "disagreements", "usage"),
    "comparisons": ("comparisons", "slices", "contrasts"),
    "spread": ("dialogues", "discriminability", "correlations", "disputed"),
    "evidence": ("packets", "support", "triggers"),
    "claims": ("claims",),
}
ALL_TABLES = [table for group in TABLES.values() for table in group]


def rankings(benchmark, system):
    """The files of the rankings that a system packs, or was imported with."""
    folder = f"results/{benchmark}/{spec.ranker(config, system)}"
    return [f"{folder}/{name}" for name in RANKINGS[kind(system)]]


def ranked(wildcards):
    found = rankings(wildcards.benchmark, wildcards.system)
    return receipted(**{Path(path).stem: path for path in found})


def packed(wildcards):
    """A system's packets; an external one has none."""
    found = {"packets": f"results/{wildcards.benchmark}/{wildcards.system}/packets.parquet"}
    return receipted(**found) if kind(wildcards.system) != "external" else {}


def cells():
    """(system, reader, pass, judge) of every verdict file that the run asks for, trivial baselines last."""
    axes = ("systems", "readers", "passes", "judges")
    chosen = [[given.get(axis, RUN[axis]) for axis in axes] for given in RUN.get("cells", [{}])]
    found = [tuple(map(str, cell)) for lists in chosen for cell in product(*lists)]
    judges = [j for j in own_judges() if spec.judges_baselines(config, j)]
    found += [(spec.TRIVIAL, b, "1", j) for b, j in product(RUN.get("baselines", []), judges)]
    return list(dict.fromkeys(found))


def own_judges():
    """The judges of the run that judge here: imported ones only bring verdicts."""
    return [j for j in RUN["judges"] if config["judges"][j]["kind"] != "import"]


def passes():
    """(system, reader, pass) of every answer file of the run."""
    return list(dict.fromkeys(cell[:3] for cell in cells()))


def pass_folder(benchmark, system, reader, reader_pass):
    return f"results/{benchmark}/{system}/reader={reader}/pass={reader_pass}"


def answer_files(benchmark):
    return [f"{pass_folder(benchmark, *cell)}/answers.jsonl" for cell in passes()]


def verdict_files(benchmark):
    return [f"{pass_folder(benchmark, *cell[:3])}/judge={cell[3]}/verdicts.jsonl" for cell in cells()]


def asked_readers():
    """(system, reader) of every request file of readers."""
    found = dict.fromkeys(cell[:2] for cell in cells())
    return [(s, r) for s, r in found if s in PACKED and config["readers"][r]["kind"] != "import"]


def judge_request_files(benchmark):
    own = [cell for cell in cells() if cell[3] in own_judges()]
    return [f"{pass_folder(benchmark, *cell[:3])}/judge={cell[3]}/requests.parquet" for cell in own]


def judge_control_files(benchmark):
    """What the controls of judges found, an imported one's from its receipts if it has any."""
    judges = [j for j in RUN["judges"] if j in own_judges() or "control_receipts" in config["judges"][j]]
    return [f"results/{benchmark}/judges/{j}/controls.json" for j in judges]


def table_files(*groups):
    return [f"{t}.{end}" for g in groups or TABLES for t in TABLES[g] for end in ("csv", "parquet")]


def artifacts(benchmark):
    """Every artifact of a benchmark up to its statistics: what the gathered receipt vouches for."""
    base = f"results/{benchmark}"
    found = [*(f"{base}/corpus/{n}.parquet" for n in CORPUS), f"{base}/corpus/quality.jsonl"]
    found += [f"{base}/corpus/disputed.jsonl"]
    for s in MEASURED:
        found += [*rankings(benchmark, s), f"{base}/{s}/retrieval.parquet"]
    found += [f"{base}/{s}/{n}.parquet" for s in PACKED for n in ("packets", "scaffolds", "support")]
    found += [f"{base}/{s}/reader={r}/requests.parquet" for s, r in asked_readers()]
    found += [f"{base}/judges/{j}/requests.parquet" for j in own_judges()]
    found += [
        f"{Path(path).parent}/controls.{end}" for path in judge_control_files(benchmark) for end in ("json", "html")
    ]
    found += answer_files(benchmark)
    found += [*judge_request_files(benchmark), *verdict_files(benchmark)]
    found += [f"{base}/statistics/{t}" for t in (*table_files(), "headline.txt")]
    return list(dict.fromkeys(found))


def receipts(wildcards):
    return [f"{path}.receipt.json" for path in artifacts(wildcards.benchmark)]
