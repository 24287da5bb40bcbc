# in:  questions, gold, results/{benchmark}/{system}/reader={reader}/pass={reader_pass}/answers.jsonl, the judge's controls
# out: .../pass={reader_pass}/judge={judge}/requests.parquet  verdicts.jsonl   (and the ledger calls/ beside them)

CELL = "results/{benchmark}/{system}/reader={reader}/pass={reader_pass}"


rule judge_requests:
    input:
        unpack(judge_source),
        **corpus("questions", "gold"),
        **receipted(answers=f"{CELL}/answers.jsonl"),
    output:
        **receipted(requests=f"{CELL}/judge={{judge}}/requests.parquet"),
    log:
        "results/logs/{benchmark}/{system}/{reader}/{reader_pass}/{judge}/requests.log",
    wildcard_constraints:
        judge=named("judges", *spec.RULE_JUDGES, *spec.MODEL_KINDS),
    conda:
        "../../envs/llm.yaml"
    params:
        spec=spec_of(spec.judge_request, "judge"),
        code=code("judging.requests", "store"),
    script:
        "../scripts/judge_requests.py"


rule judge:
    input:
        unpack(judge_source),
        unpack(judge_controls),
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
    wildcard_constraints:
        judge=named("judges", *spec.RULE_JUDGES, *spec.MODEL_KINDS),
    conda:
        "../../envs/llm.yaml"
    resources:
        llm_slots=1,
    params:
        spec=spec_of(spec.judge, "judge"),
        code=code("judging.run", "judging.controls.results", "local_model", "snapshots", "store"),
        cache=CACHE,
    script:
        "../scripts/judge.py"
