# in:  sessions, turns, questions, candidates, reranked, packets, scaffolds; nothing of gold
# out: results/{benchmark}/{system}/questions/{question_id}.html
#
# Made on demand, one page a question: snakemake 'results/sample-assistant/chain/questions/….html'


rule question:
    input:
        unpack(ranked),
        **corpus("sessions", "turns", "questions"),
        **receipted(
            packets="results/{benchmark}/{system}/packets.parquet",
            scaffolds="results/{benchmark}/{system}/scaffolds.parquet",
        ),
    output:
        **receipted(page="results/{benchmark}/{system}/questions/{question_id}.html"),
    log:
        "results/logs/{benchmark}/{system}/questions/{question_id}.log",
    wildcard_constraints:
        question_id=r"[^/]+",
    conda:
        "../../envs/base.yaml"
    params:
        spec=spec_of(spec.system, "benchmark", "system"),
        code=code("report.question", "store"),
    script:
        "../scripts/question.py"
