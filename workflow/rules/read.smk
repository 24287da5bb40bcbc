# in:  questions, packets, scaffolds
# out: results/{benchmark}/{system}/reader={reader}/requests.parquet
#      results/{benchmark}/{system}/reader={reader}/pass={reader_pass}/answers.jsonl   (and the ledger calls/ beside it)


rule reader_requests:
    input:
        **corpus("questions"),
        **receipted(
            packets="results/{benchmark}/{system}/packets.parquet",
            scaffolds="results/{benchmark}/{system}/scaffolds.parquet",
        ),
    output:
        **receipted(requests="results/{benchmark}/{system}/reader={reader}/requests.parquet"),
    log:
        "results/logs/{benchmark}/{system}/{reader}/requests.log",
    conda:
        "../../envs/llm.yaml"
    params:
        spec=spec_of(spec.reader_request, "reader"),
        code=code("reading.requests", "store"),
    script:
        "../scripts/reader_requests.py"


rule read:
    input:
        **receipted(requests="results/{benchmark}/{system}/reader={reader}/requests.parquet"),
    output:
        **receipted(answers="results/{benchmark}/{system}/reader={reader}/pass={reader_pass}/answers.jsonl"),
    log:
        "results/logs/{benchmark}/{system}/{reader}/{reader_pass}/read.log",
    benchmark:
        "results/benchmarks/{benchmark}/{system}/{reader}/{reader_pass}/read.tsv"
    wildcard_constraints:
        reader=named("readers", "extractive", "litellm", "local"),
    conda:
        "../../envs/llm.yaml"
    resources:
        llm_slots=1,
    params:
        spec=spec_of(spec.reader, "reader"),
        code=code("reading.run", "local_model", "snapshots", "store"),
        cache=CACHE,
    script:
        "../scripts/read.py"
