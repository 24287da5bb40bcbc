# in:  corpus, packets, answers, verdicts, the dossier of disputed gold, published figures
# out: results/{benchmark}/statistics/{stability,flips,agreement,disagreements,usage}.{csv,parquet}
#      {comparisons,slices,contrasts}  {dialogues,discriminability,correlations,disputed}  {claims}


rule passes:
    input:
        unpack(judged),
        unpack(answered),
    output:
        **tables_of("passes"),
    log:
        "results/logs/{benchmark}/passes.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=spec_of(spec.statistics, "benchmark"),
        code=code(
            "model_table",
            "statistics.agreement",
            "statistics.design",
            "statistics.disagreements",
            "statistics.flips",
            "statistics.stability",
            "statistics.tables",
            "statistics.usage",
            "store",
        ),
        cells=cells(),
        passes=passes(),
        systems=PACKED,
        judges={j: spec.judge(config, j) for j in RUN["judges"]},
    script:
        "../scripts/passes.py"


rule comparisons:
    input:
        unpack(judged),
    output:
        **tables_of("comparisons"),
    log:
        "results/logs/{benchmark}/comparisons.log",
    benchmark:
        "results/benchmarks/{benchmark}/comparisons.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        spec=spec_of(spec.statistics, "benchmark"),
        code=code(
            "statistics.comparisons",
            "statistics.contrasts",
            "statistics.design",
            "statistics.slices",
            "statistics.tables",
            "store",
        ),
        cells=cells(),
    script:
        "../scripts/comparisons.py"


rule spread:
    input:
        unpack(judged),
    output:
        **tables_of("spread"),
    log:
        "results/logs/{benchmark}/spread.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=spec_of(spec.statistics, "benchmark"),
        code=code(
            "statistics.correlations",
            "statistics.design",
            "statistics.dialogues",
            "statistics.discriminability",
            "statistics.disputed",
            "statistics.tables",
            "store",
        ),
        cells=cells(),
    script:
        "../scripts/spread.py"


rule claims:
    input:
        unpack(claimed),
    output:
        **tables_of("claims"),
    log:
        "results/logs/{benchmark}/claims.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=claims_spec,
        files=claim_files,
        code=code("statistics.claims", "statistics.tables"),
    script:
        "../scripts/claims.py"
