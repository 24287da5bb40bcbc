# in:  results/{benchmark}/corpus/{sessions,turns,questions}.parquet   (never gold, never evidence)
# out: results/{benchmark}/{system}/candidates.parquet  reranked.parquet


rule retrieve:
    input:
        **corpus("sessions", "turns", "questions"),
    output:
        **receipted(candidates="results/{benchmark}/{system}/candidates.parquet"),
    params:
        spec=spec_of(spec.retrieve, "benchmark", "system"),
        code=code("retrieval.retrieve", "retrieval.embedding"),
        cache=CACHE,
        piece_cache_mib=1024,
    threads: 16
    log:
        "results/logs/{benchmark}/{system}/retrieve.log",
    benchmark:
        "results/benchmarks/{benchmark}/{system}/retrieve.tsv"
    conda:
        "../../envs/retrieval.yaml"
    script:
        "../scripts/retrieve.py"


rule rerank:
    input:
        **corpus("sessions", "turns", "questions"),
        **receipted(candidates="results/{benchmark}/{system}/candidates.parquet"),
    output:
        **receipted(reranked="results/{benchmark}/{system}/reranked.parquet"),
    params:
        spec=spec_of(spec.rerank, "benchmark", "system"),
        code=code("retrieval.reranker"),
        cache=CACHE,
    threads: 16
    log:
        "results/logs/{benchmark}/{system}/rerank.log",
    benchmark:
        "results/benchmarks/{benchmark}/{system}/rerank.tsv"
    conda:
        "../../envs/retrieval.yaml"
    script:
        "../scripts/rerank.py"
