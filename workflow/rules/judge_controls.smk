# in:  questions, gold (and the benchmark's own judge file, if the judge's protocol is made of it)
# out: results/{benchmark}/judges/{judge}/requests.parquet  controls.json  controls.html   (and the ledger calls/)
#
# Written whether the judge passes or not; rule `judge` refuses a judge that did not.

JUDGE = "results/{benchmark}/judges/{judge}"


rule judge_control_requests:
    input:
        unpack(judge_source),
        **corpus("questions", "gold"),
    output:
        **receipted(requests=f"{JUDGE}/requests.parquet"),
    log:
        "results/logs/{benchmark}/judges/{judge}/requests.log",
    conda:
        "../../envs/llm.yaml"
    params:
        spec=spec_of(spec.judge_control_request, "judge"),
        code=code("judging.controls.run", "store"),
    script:
        "../scripts/judge_control_requests.py"


rule judge_controls:
    input:
        unpack(judge_source),
        **corpus("questions", "gold"),
        **receipted(requests=f"{JUDGE}/requests.parquet"),
    output:
        **receipted(controls=f"{JUDGE}/controls.json", page=f"{JUDGE}/controls.html"),
    log:
        "results/logs/{benchmark}/judges/{judge}/controls.log",
    benchmark:
        "results/benchmarks/{benchmark}/judges/{judge}/controls.tsv"
    conda:
        "../../envs/llm.yaml"
    resources:
        llm_slots=1,
    params:
        spec=spec_of(spec.judge_controls, "judge"),
        code=code("judging.controls.run", "judging.controls.page", "local_model", "store"),
        cache=CACHE,
    script:
        "../scripts/judge_controls.py"
