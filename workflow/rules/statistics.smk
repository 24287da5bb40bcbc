# in:  corpus, candidates, reranked, packets, scaffolds, verdicts, the dossier of disputed gold
# out: results/{benchmark}/{system}/{retrieval,support}.parquet
#      results/{benchmark}/statistics/{packets,support,triggers,accuracy,retrieval}.{csv,parquet}  headline.txt


rule ranks:
    input:
        unpack(ranked),
        unpack(packed),
        **corpus(*CORPUS),
    output:
        **receipted(retrieval="results/{benchmark}/{system}/retrieval.parquet"),
    log:
        "results/logs/{benchmark}/{system}/ranks.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=spec_of(spec.ranks, "benchmark"),
        code=code("statistics.retrieval", "statistics.tables"),
    script:
        "../scripts/ranks.py"


rule support:
    input:
        **corpus("questions", "gold"),
        **receipted(scaffolds="results/{benchmark}/{system}/scaffolds.parquet"),
    output:
        **receipted(support="results/{benchmark}/{system}/support.parquet"),
    log:
        "results/logs/{benchmark}/{system}/support.log",
    conda:
        "../../envs/base.yaml"
    params:
        code=code("statistics.support", "statistics.tables", "store"),
    script:
        "../scripts/support.py"


rule evidence_tables:
    input:
        unpack(operator_labels),
        **corpus("gold"),
        **of_systems("packets", PACKED),
        **of_systems("scaffolds", PACKED),
        **of_systems("support", PACKED),
        **of_systems("retrieval", PACKED),
    output:
        **tables_of("evidence"),
    log:
        "results/logs/{benchmark}/evidence_tables.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=evidence_spec,
        code=code(
            "statistics.packets",
            "statistics.support",
            "statistics.triggers",
            "statistics.tables",
            "store",
            "tokenizers",
        ),
    script:
        "../scripts/evidence_tables.py"


rule accuracy:
    input:
        unpack(judged),
        **of_systems("retrieval", MEASURED),
    output:
        **tables_of("accuracy"),
        **receipted(headline="results/{benchmark}/statistics/headline.txt"),
    log:
        "results/logs/{benchmark}/accuracy.log",
    benchmark:
        "results/benchmarks/{benchmark}/accuracy.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        spec=spec_of(spec.statistics, "benchmark"),
        code=code("statistics.accuracy", "statistics.design", "statistics.retrieval", "statistics.tables", "store"),
        cells=cells(),
        systems=MEASURED,
        oracles=spec.oracles(config),
    script:
        "../scripts/accuracy.py"
