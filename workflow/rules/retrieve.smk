# in:  results/{benchmark}/corpus/{sessions,turns,questions}.parquet   (never gold, never evidence)
# out: results/{benchmark}/{system}/candidates.parquet  reranked.parquet
#
# No benchmark directive here: its sampling of a large process costs a job that uses all cores a fifth of its time.
# The logs tell when each step was done.


rule retrieve:
    input:
        **corpus("sessions", "turns", "questions"),
    output:
        **receipted(candidates="results/{benchmark}/{system}/candidates.parquet"),
    log:
        "results/logs/{benchmark}/{system}/retrieve.log",
    conda:
        "../../envs/retrieval.yaml"
    threads: 16
    params:
        spec=spec_of(spec.retrieve, "benchmark", "system"),
        code=code("retrieval.retrieve", "retrieval.embedding", "store"),
        cache=CACHE,
        piece_cache_mib=1024,
    script:
        "../scripts/retrieve.py"


rule rerank:
    input:
        **corpus("sessions", "turns", "questions"),
        **receipted(candidates="results/{benchmark}/{system}/candidates.parquet"),
    output:
        **receipted(reranked="results/{benchmark}/{system}/reranked.parquet"),
    log:
        "results/logs/{benchmark}/{system}/rerank.log",
    conda:
        "../../envs/retrieval.yaml"
    threads: 16
    params:
        spec=spec_of(spec.rerank, "benchmark", "system"),
        code=code("retrieval.reranker", "store"),
        cache=CACHE,
    script:
        "../scripts/rerank.py"
