# in:  the run's reader requests and judge control requests, questions and gold; answers of readers that ask no model
# out: a table of calls, tokens and price on the terminal, and results/plan.json
#
# Without outputs, so that it is told anew each time. Ledgers, and answers that cost calls, are looked at where they lie:
# as inputs they would be made first, and paid for.


rule plan:
    input:
        unpack(plan_inputs),
    log:
        "results/logs/plan.log",
    conda:
        "../../envs/llm.yaml"
    params:
        cells=plan_cells(),
        judges={name: spec.judge(config, name) for name in RUN["judges"]},
        official=official_files(),
        code=code("judging.planned", "reading.window", "store"),
    script:
        "../scripts/plan.py"
