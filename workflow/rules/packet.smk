# in:  results/{benchmark}/corpus/{sessions,turns,questions}.parquet, results/{benchmark}/{system}/{candidates,reranked}.parquet
# out: results/{benchmark}/{system}/packets.parquet  scaffolds.parquet
#
# A system whose layout is an oracle (form oracle-question-type) names gold.parquet among its inputs; no other does.


rule packets:
    input:
        unpack(ranked),
        unpack(oracle),
        **corpus("sessions", "turns", "questions"),
    output:
        **receipted(packets="results/{benchmark}/{system}/packets.parquet"),
    log:
        "results/logs/{benchmark}/{system}/packets.log",
    benchmark:
        "results/benchmarks/{benchmark}/{system}/packets.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        spec=spec_of(spec.packet, "benchmark", "system"),
        code=code("packet.compile", "tokenizers", "store"),
    script:
        "../scripts/packets.py"


rule scaffolds:
    input:
        **corpus("sessions", "turns", "questions"),
        **receipted(packets="results/{benchmark}/{system}/packets.parquet"),
    output:
        **receipted(scaffolds="results/{benchmark}/{system}/scaffolds.parquet"),
    log:
        "results/logs/{benchmark}/{system}/scaffolds.log",
    benchmark:
        "results/benchmarks/{benchmark}/{system}/scaffolds.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        spec=spec_of(spec.scaffold, "benchmark", "system"),
        code=code("scaffold.build", "store"),
    script:
        "../scripts/scaffolds.py"
