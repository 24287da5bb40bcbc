# in:  corpus, candidates, reranked, packets, scaffolds, verdicts
# out: results/{benchmark}/{system}/{retrieval,support}.parquet
#      results/{benchmark}/statistics/{accuracy,retrieval,flips,agreement,disagreements,packets,support,triggers}.{csv,parquet}  headline.txt


rule ranks:
    input:
        unpack(ranked),
        **corpus(*CORPUS),
        **receipted(packets="results/{benchmark}/{system}/packets.parquet"),
    output:
        **receipted(retrieval="results/{benchmark}/{system}/retrieval.parquet"),
    log:
        "results/logs/{benchmark}/{system}/ranks.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=spec_of(spec.statistics, "benchmark"),
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
        **of_each_system("packets"),
        **of_each_system("scaffolds"),
        **of_each_system("support"),
        **of_each_system("retrieval"),
    output:
        **tables_of("packets", "support", "triggers"),
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
        systems=RUN["systems"],
    script:
        "../scripts/evidence_tables.py"


rule tables:
    input:
        **corpus("questions", "gold"),
        **of_each_system("retrieval"),
        verdicts=lambda wildcards: verdict_files(wildcards.benchmark),
        verdict_receipts=lambda wildcards: [f"{path}.receipt.json" for path in verdict_files(wildcards.benchmark)],
    output:
        **tables_of("accuracy", "retrieval", "flips", "agreement", "disagreements"),
        **receipted(headline="results/{benchmark}/statistics/headline.txt"),
    log:
        "results/logs/{benchmark}/tables.log",
    benchmark:
        "results/benchmarks/{benchmark}/tables.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        spec=spec_of(spec.statistics, "benchmark"),
        code=code(
            "statistics.accuracy",
            "statistics.agreement",
            "statistics.disagreements",
            "statistics.flips",
            "statistics.retrieval",
            "statistics.tables",
            "store",
        ),
        cells=cells(),
        systems=RUN["systems"],
        judges={j: spec.judge(config, j) for j in RUN["judges"]},
        oracles=spec.oracles(config),
    script:
        "../scripts/tables.py"
