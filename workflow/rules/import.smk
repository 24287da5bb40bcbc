# in:  questions or gold, and a file of somebody else's answers or verdicts (readers and judges of kind import)
# out: .../reader={reader}/pass={reader_pass}/answers.jsonl  judge={judge}/verdicts.jsonl   (as of our own)


rule import_answers:
    input:
        **corpus("questions"),
        source=imported("readers"),
    output:
        **receipted(answers="results/{benchmark}/{system}/reader={reader}/pass={reader_pass}/answers.jsonl"),
    log:
        "results/logs/{benchmark}/{system}/{reader}/{reader_pass}/import.log",
    wildcard_constraints:
        reader=named("readers", "import"),
    conda:
        "../../envs/base.yaml"
    params:
        spec=spec_of(spec.reader, "reader"),
        code=code("reading.imported", "store"),
    script:
        "../scripts/import_answers.py"


rule import_verdicts:
    input:
        **corpus("gold"),
        **receipted(answers=f"{CELL}/answers.jsonl"),
        source=imported("judges"),
    output:
        **receipted(verdicts=f"{CELL}/judge={{judge}}/verdicts.jsonl"),
    log:
        "results/logs/{benchmark}/{system}/{reader}/{reader_pass}/{judge}/import.log",
    wildcard_constraints:
        judge=named("judges", "import"),
    conda:
        "../../envs/base.yaml"
    params:
        spec=spec_of(spec.judge, "judge"),
        code=code("judging.imported", "store"),
    script:
        "../scripts/import_verdicts.py"
