# in:  a benchmark's file
# out: results/{origin}.{control}/source.json, and below it all that is made of it
#      results/{benchmark}/controls/{system}.{control}.json
#
# A control runs the chain on a copy of the benchmark that differs in what the chain may not depend on.

CHAINS = [s for s in RUN["systems"] if kind(s) != "full-context"] or RUN["systems"]


rule mutate:
    input:
        source=lambda wildcards: source_of(wildcards.origin),
    output:
        source="results/{origin}.{control}/source.json",
        names="results/{origin}.{control}/names.json",
    log:
        "results/logs/{origin}/mutate.{control}.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=lambda wildcards: {"format": config["benchmarks"][wildcards.origin]["format"]},
        code=code("controls.mutate"),
    script:
        "../scripts/mutate.py"


rule control:
    input:
        ours=multiext("results/{origin}/{system}/", "packets.parquet", "scaffolds.parquet"),
        theirs=multiext("results/{origin}.{control}/{system}/", "packets.parquet", "scaffolds.parquet"),
        names="results/{origin}.{control}/names.json",
    output:
        **receipted(result="results/{origin}/controls/{system}.{control}.json"),
    log:
        "results/logs/{origin}/{system}/control.{control}.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=lambda wildcards: spec.packet(config, wildcards.origin, wildcards.system),
        code=code("controls.compare"),
    script:
        "../scripts/control.py"


rule controls:
    input:
        expand(
            "results/{origin}/controls/{system}.{control}.json",
            origin=RUN["benchmarks"],
            system=CHAINS,
            control=spec.CONTROLS,
        ),
