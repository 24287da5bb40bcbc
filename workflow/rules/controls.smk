# in:  a benchmark's file, its corpus, packets and scaffolds
# out: results/{origin}.{control}/source.json, and below it all that is made of it
#      results/{benchmark}/controls/{system}.{control}.json
#      results/{benchmark}/{system}/controls.json  controls.html
#
# A control of spec.CONTROLS runs a system on a copy of the benchmark that differs in what it may not depend on; one of
# EXAMINED looks at the system's own packets and scaffolds. A failed one is written like any other; the target
# `controls` then fails.


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
    wildcard_constraints:
        control="|".join(spec.CONTROLS),
    conda:
        "../../envs/base.yaml"
    params:
        code=code("controls.compare"),
    script:
        "../scripts/control.py"


rule accounting:
    input:
        **corpus("sessions", "turns", "questions"),
        **receipted(**MADE),
    output:
        **receipted(result="results/{benchmark}/controls/{system}.accounting.json"),
    log:
        "results/logs/{benchmark}/{system}/control.accounting.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=texts_spec,
        code=code("controls.accounts", "store"),
    script:
        "../scripts/accounting.py"


rule leaks:
    input:
        **corpus("sessions", "turns", "questions", "gold", "evidence"),
        **receipted(**MADE),
    output:
        **receipted(result="results/{benchmark}/controls/{system}.leaks.json"),
    log:
        "results/logs/{benchmark}/{system}/control.leaks.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=texts_spec,
        code=code("controls.leaks", "store"),
    script:
        "../scripts/leaks.py"


rule truth:
    input:
        **corpus("sessions", "turns", "questions"),
        **receipted(**MADE),
    output:
        **receipted(result="results/{benchmark}/controls/{system}.truth.json"),
    log:
        "results/logs/{benchmark}/{system}/control.truth.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=texts_spec,
        code=code("controls.truth", "controls.findings", "store"),
    script:
        "../scripts/truth.py"


rule control_page:
    input:
        results=expand("results/{{benchmark}}/controls/{{system}}.{control}.json", control=[*spec.CONTROLS, *EXAMINED]),
    output:
        **receipted(
            controls="results/{benchmark}/{system}/controls.json",
            page="results/{benchmark}/{system}/controls.html",
        ),
    log:
        "results/logs/{benchmark}/{system}/control_page.log",
    conda:
        "../../envs/base.yaml"
    params:
        code=code("controls.page", "controls.findings"),
    script:
        "../scripts/control_page.py"


# Without outputs, so that a failure is told each time and takes no evidence with it.
rule controls:
    input:
        controls=expand("results/{benchmark}/{system}/controls.json", benchmark=RUN["benchmarks"], system=CHAINS),
    log:
        "results/logs/controls.log",
    conda:
        "../../envs/base.yaml"
    params:
        code=code("controls.findings"),
    script:
        "../scripts/controls.py"
