# in:  questions, and gold for the gold echo alone
# out: results/{benchmark}/trivial/reader={baseline}/pass=1/answers.jsonl   (judged by the ordinary rules)


rule baseline:
    input:
        unpack(echoed_gold),
        **corpus("questions"),
    output:
        **receipted(
            answers=f"results/{{benchmark}}/{spec.TRIVIAL}/reader={{reader}}/pass={{reader_pass}}/answers.jsonl"
        ),
    log:
        "results/logs/{benchmark}/trivial/{reader}/{reader_pass}/baseline.log",
    wildcard_constraints:
        reader="|".join(spec.BASELINES),
        reader_pass="1",
    conda:
        "../../envs/base.yaml"
    params:
        spec={"kind": "baseline"},
        code=code("reading.baselines", "store"),
    script:
        "../scripts/baselines.py"


rule baselines:
    input:
        expand(
            "results/{benchmark}/{system}/reader={reader}/pass=1/judge={judge}/verdicts.jsonl",
            benchmark=RUN["benchmarks"],
            system=spec.TRIVIAL,
            reader=spec.BASELINES,
            judge=own_judges(),
        ),
