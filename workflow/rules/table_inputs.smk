# What the rules of statistics and report need. No rule stands here.

from memtrial.report.data import PLOTS
from memtrial.statistics.claims import named_files, named_tables

# What the report consists of, beside the folder of the question browser.
REPORT = ("index.html", *(f"{name}.svg" for name in PLOTS), "questions.html", "questions.js", "questions.json")


def tables_of(*groups):
    """Tables as outputs, Parquet and CSV, each with its receipt; the CSV goes into Snakemake's report."""
    base = "results/{benchmark}/statistics"
    found = {}
    for name in (t for group in groups for t in TABLES[group]):
        found |= receipted(**{f"{name}_parquet": f"{base}/{name}.parquet"})
        caption = f"../report/{name}_table.rst"
        found[f"{name}_csv"] = report(f"{base}/{name}.csv", caption=caption, category="{benchmark}")
        found[f"{name}_csv_receipt"] = f"{base}/{name}.csv.receipt.json"
    return found


def of_systems(artifact, systems):
    """A file of each of these systems, and their receipts, as named inputs."""
    found = expand(f"results/{{{{benchmark}}}}/{{system}}/{artifact}.parquet", system=systems)
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
        "packets": {s: spec.packet(config, wildcards.benchmark, s)["packet"] for s in PACKED},
    }


def judged(wildcards):
    """All verdicts of the run on a benchmark, with the questions' gold and labels."""
    verdicts = verdict_files(wildcards.benchmark)
    folder = f"results/{wildcards.benchmark}/corpus"
    dossier = receipted(disputed=f"{folder}/disputed.jsonl")
    tables = receipted(**{n: f"{folder}/{n}.parquet" for n in ("questions", "gold", "evidence", "sessions")})
    return tables | dossier | {"verdicts": verdicts, "verdict_receipts": [f"{v}.receipt.json" for v in verdicts]}


def answered(wildcards):
    """All answers of the run on a benchmark, and the packets that they were given."""
    answers = answer_files(wildcards.benchmark)
    packets = [f"results/{wildcards.benchmark}/{s}/packets.parquet" for s in PACKED]
    return {"answers": answers, "packets": packets, "more_receipts": [f"{p}.receipt.json" for p in answers + packets]}


def report_spec(wildcards):
    """Resolved definitions that the report shows."""
    return {
        "systems": {s: spec.system(config, wildcards.benchmark, s) for s in RUN["systems"]},
        "readers": {r: spec.reader(config, r) for r in RUN["readers"]},
        "judges": {j: spec.judge(config, j) for j in RUN["judges"]},
        "statistics": spec.statistics(config, wildcards.benchmark)["statistics"],
    }


def claims_spec(wildcards):
    return {"claims": spec.claims(config, wildcards.benchmark)}


def claim_files(wildcards):
    return named_files(spec.claims(config, wildcards.benchmark).values())


def claimed(wildcards):
    """The tables that published figures are laid beside, and the files that the figures are read from."""
    lists = spec.claims(config, wildcards.benchmark).values()
    # Always after one table, so that nothing is told of a benchmark that could not be read.
    names = sorted({"accuracy", *named_tables(lists)})
    tables = [f"results/{wildcards.benchmark}/statistics/{name}.parquet" for name in names]
    files = [given_path(f) for f in named_files(lists)]
    return {"tables": tables, "table_receipts": [f"{t}.receipt.json" for t in tables], "files": files}


def browser_rows(wildcards):
    """What the question browser reads of each question, with receipts: it knows the files by the path scheme."""
    base = f"results/{wildcards.benchmark}"
    shown = [s for s in dict.fromkeys(cell[0] for cell in cells()) if s in PACKED]
    found = [f"{base}/corpus/{n}" for n in ("questions.parquet", "gold.parquet", "evidence.parquet", "disputed.jsonl")]
    found += [f"{base}/{s}/{n}.parquet" for s in shown for n in MADE]
    found += [f"{base}/{s}/reader={r}/requests.parquet" for s, r in asked_readers()]
    found += [*answer_files(wildcards.benchmark), *judge_request_files(wildcards.benchmark)]
    found += verdict_files(wildcards.benchmark)
    return {"rows": found, "row_receipts": [f"{path}.receipt.json" for path in found]}


def browser_spec(wildcards):
    """The cells in the order to show them, and what is to be said of their systems."""
    systems = dict.fromkeys(cell[0] for cell in cells())
    return {
        "cells": [list(cell) for cell in cells()],
        "kinds": {s: s if s == spec.TRIVIAL else kind(s) for s in systems},
        "oracles": spec.oracles(config),
        "retrieval_abstention": spec.benchmark(config, wildcards.benchmark)["retrieval_abstention"],
    }


def plots_of(*names):
    """Plots as outputs, each with its receipt; they go into Snakemake's report."""
    found = receipted(**{name: f"results/{{benchmark}}/report/{name}.svg" for name in names})
    shown = {n: report(found[n], caption=f"../report/{n}.rst", category="{benchmark}") for n in names}
    return found | shown


def report_controls(wildcards):
    return judge_control_files(wildcards.benchmark)


def made_controls(wildcards):
    """Controls of systems that lie there already: a bundle takes them along, and has none made."""
    base = f"results/{wildcards.benchmark}"
    found = [f"{base}/{s}/{n}" for s in CHAINS for n in ("controls.json", "controls.html")]
    found += [f"{base}/controls/{s}.{c}.json" for s in CHAINS for c in (*spec.CONTROLS, *EXAMINED)]
    return [path for path in found if Path(path).exists()]


def workflow_files():
    """The workflow's own files, without caches: what a bundle packs so that the code travels with its results."""
    root = Path(workflow.basedir)
    found = [root / name for name in ("Snakefile", "LICENSE", "resources/benchmarks.yaml")]
    for path in (p for folder in ("workflow", "config", "envs") for p in sorted((root / folder).rglob("*"))):
        hidden = any(part.startswith((".", "__py")) for part in path.relative_to(root).parts)
        found += [path] if path.is_file() and not hidden else []
    return [str(path) for path in found]


def bundle_spec(wildcards):
    """The resolved config, the registry's entry of the benchmark's file, and the date that the bundle tells."""
    given = {key: value for key, value in config.items() if key != "bundle"}
    registered = REGISTRY.get(config["benchmarks"][wildcards.benchmark].get("registry"))
    return {"config": given, "registry": registered, "date": config["release_date"]}
