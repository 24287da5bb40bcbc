# in:  gold, evidence, candidates, reranked, packets, verdicts
# out: results/{benchmark}/{system}/retrieval.parquet
#      results/{benchmark}/statistics/{accuracy,retrieval,flips}.{csv,parquet}  headline.txt


rule ranks:
    input:
        unpack(ranked),
        **corpus("gold", "evidence"),
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


rule tables:
    input:
        **corpus("questions", "gold"),
        verdicts=lambda wildcards: verdict_files(wildcards.benchmark),
        verdict_receipts=lambda wildcards: [f"{path}.receipt.json" for path in verdict_files(wildcards.benchmark)],
        ranks=expand("results/{{benchmark}}/{system}/retrieval.parquet", system=RUN["systems"]),
        rank_receipts=expand("results/{{benchmark}}/{system}/retrieval.parquet.receipt.json", system=RUN["systems"]),
    output:
        **receipted(
            accuracy_parquet="results/{benchmark}/statistics/accuracy.parquet",
            retrieval_parquet="results/{benchmark}/statistics/retrieval.parquet",
            flips_parquet="results/{benchmark}/statistics/flips.parquet",
            headline="results/{benchmark}/statistics/headline.txt",
        ),
        accuracy_csv=report(
            "results/{benchmark}/statistics/accuracy.csv",
            caption="../report/accuracy_table.rst",
            category="{benchmark}",
        ),
        retrieval_csv=report(
            "results/{benchmark}/statistics/retrieval.csv",
            caption="../report/retrieval_table.rst",
            category="{benchmark}",
        ),
        flips_csv=report(
            "results/{benchmark}/statistics/flips.csv",
            caption="../report/flips_table.rst",
            category="{benchmark}",
        ),
        accuracy_csv_receipt="results/{benchmark}/statistics/accuracy.csv.receipt.json",
        retrieval_csv_receipt="results/{benchmark}/statistics/retrieval.csv.receipt.json",
        flips_csv_receipt="results/{benchmark}/statistics/flips.csv.receipt.json",
    log:
        "results/logs/{benchmark}/tables.log",
    benchmark:
        "results/benchmarks/{benchmark}/tables.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        spec=spec_of(spec.statistics, "benchmark"),
        code=code("statistics.accuracy", "statistics.flips", "statistics.retrieval", "statistics.tables"),
        cells=cells(),
        systems=RUN["systems"],
    script:
        "../scripts/tables.py"
