# What the rules of pairs of languages need. No rule stands here.

from types import SimpleNamespace

# Pairs of which the run has both benchmarks.
LANGUAGES = {n: of for n, of in config.get("languages", {}).items() if set(of.values()) <= set(RUN["benchmarks"])}


def both_judged(wildcards):
    """What `judged` gives of the left benchmark and of the right one, each under its side's name."""
    found = {}
    for side, benchmark in sorted(LANGUAGES[wildcards.pair].items()):
        found |= {f"{side}_{name}": files for name, files in judged(SimpleNamespace(benchmark=benchmark)).items()}
    return found


def language_spec(wildcards):
    """The names of both benchmarks, and what is reckoned of each."""
    pair = LANGUAGES[wildcards.pair]
    return {"languages": dict(pair)} | {side: spec.statistics(config, pair[side]) for side in ("left", "right")}


def language_files(pair):
    """Every artifact of a pair."""
    tables = [f"{table}.{end}" for table in ("slices", "contrasts") for end in ("csv", "parquet")]
    return [f"results/languages/{pair}/{name}" for name in (*tables, "index.html")]
