# in:  questions, gold, results/{benchmark}/{system}/reader={reader}/pass={reader_pass}/answers.jsonl
# out: .../pass={reader_pass}/judge={judge}/requests.parquet  verdicts.jsonl   (and the ledger calls/ beside them)

CELL = "results/{benchmark}/{system}/reader={reader}/pass={reader_pass}"


rule judge_requests:
    input:
        **corpus("questions", "gold"),
        **receipted(answers=f"{CELL}/answers.jsonl"),
    output:
        **receipted(requests=f"{CELL}/judge={{judge}}/requests.parquet"),
    log:
        "results/logs/{benchmark}/{system}/{reader}/{reader_pass}/{judge}/requests.log",
    conda:
        "../../envs/llm.yaml"
    params:
        spec=spec_of(spec.judge_request, "judge"),
        code=code("judging.requests", "store"),
    script:
        "../scripts/judge_requests.py"


rule judge:
    input:
        **corpus("gold"),
        **receipted(
            answers=f"{CELL}/answers.jsonl",
            requests=f"{CELL}/judge={{judge}}/requests.parquet",
        ),
    output:
        **receipted(verdicts=f"{CELL}/judge={{judge}}/verdicts.jsonl"),
    log:
        "results/logs/{benchmark}/{system}/{reader}/{reader_pass}/{judge}/judge.log",
    benchmark:
        "results/benchmarks/{benchmark}/{system}/{reader}/{reader_pass}/{judge}/judge.tsv"
    conda:
        "../../envs/llm.yaml"
    resources:
        llm_slots=1,
    params:
        spec=spec_of(spec.judge, "judge"),
        code=code("judging.run", "store"),
    script:
        "../scripts/judge.py"
