# in:  questions, gold, evidence, sessions, dossier and verdicts of two benchmarks that hold the same questions
# out: results/languages/{pair}/{slices,contrasts}.{csv,parquet}  index.html  receipt.json


rule language_pair:
    input:
        unpack(both_judged),
    output:
        **receipted(
            slices_csv="results/languages/{pair}/slices.csv",
            slices_parquet="results/languages/{pair}/slices.parquet",
            contrasts_csv="results/languages/{pair}/contrasts.csv",
            contrasts_parquet="results/languages/{pair}/contrasts.parquet",
            page="results/languages/{pair}/index.html",
        ),
    log:
        "results/logs/languages/{pair}.log",
    wildcard_constraints:
        pair="|".join(LANGUAGES) or r"(?!)",
    conda:
        "../../envs/base.yaml"
    params:
        spec=language_spec,
        code=code("report.languages", "statistics.design", "statistics.languages", "statistics.tables", "store"),
        cells=cells(),
    script:
        "../scripts/languages.py"


rule gather_pair:
    input:
        receipts=lambda wildcards: [f"{path}.receipt.json" for path in language_files(wildcards.pair)],
        report=[],
    output:
        receipt="results/languages/{pair}/receipt.json",
    log:
        "results/logs/languages/{pair}.gather.log",
    conda:
        "../../envs/base.yaml"
    params:
        code=code("receipt"),
    script:
        "../scripts/gather.py"


rule languages:
    input:
        expand("results/languages/{pair}/receipt.json", pair=LANGUAGES),
        [path for pair in LANGUAGES for path in language_files(pair)],
