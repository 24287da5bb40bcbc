# in:  a benchmark's file
# out: results/{origin}.{control}/source.json, and below it all that is made of it
#      results/{benchmark}/controls/{system}.{control}.json
#
# A control runs the chain on a copy of the benchmark that differs in what the chain may not depend on.

CHAINS = [s for s in RUN["systems"] if kind(s) != "full-context"] or RUN["systems"]


def compared(benchmark):
    """Artifacts of a system that must not change."""
    return [f"results/{benchmark}/{{system}}/{n}.parquet" for n in ("packets", "scaffolds")]


rule mutate:
    input:
        source=lambda wildcards: source_of(wildcards.origin),
    output:
        source="results/{origin}.{control}/source.json",
        names="results/{origin}.{control}/names.json",
    params:
        spec=lambda wildcards: {
            "format": config["benchmarks"][wildcards.origin]["format"]
        },
        code=code("controls.mutate"),
    log:
        "results/logs/{origin}/mutate.{control}.log",
    conda:
        "../../envs/base.yaml"
    script:
        "../scripts/mutate.py"


rule control:
    input:
        ours=compared("{origin}"),
        theirs=compared("{origin}.{control}"),
        names="results/{origin}.{control}/names.json",
    output:
        **receipted(result="results/{origin}/controls/{system}.{control}.json"),
    params:
        spec=lambda wildcards: spec.packet(config, wildcards.origin, wildcards.system),
        code=code("controls.compare"),
    log:
        "results/logs/{origin}/{system}/control.{control}.log",
    conda:
        "../../envs/base.yaml"
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
