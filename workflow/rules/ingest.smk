# in:  a benchmark file (bundled, registered, or a path)
# out: resources/benchmarks/{name}.json
#      results/{benchmark}/corpus/{sessions,turns,questions,gold,evidence}.parquet  quality.jsonl


rule fetch:
    input:
        unpack(own_copy),
    output:
        source="resources/benchmarks/{name}.json",
        source_receipt="resources/benchmarks/{name}.json.receipt.json",
    log:
        "results/logs/fetch/{name}.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=registry_entry,
        code=code("ingest.fetch"),
    script:
        "../scripts/fetch.py"


rule ingest:
    input:
        source=lambda wildcards: source_of(wildcards.benchmark),
    output:
        **receipted(
            quality="results/{benchmark}/corpus/quality.jsonl",
            **{n: f"results/{{benchmark}}/corpus/{n}.parquet" for n in CORPUS},
        ),
    log:
        "results/logs/{benchmark}/ingest.log",
    benchmark:
        "results/benchmarks/{benchmark}/ingest.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        spec=ingest_spec,
        code=code("ingest.build"),
    script:
        "../scripts/ingest.py"
