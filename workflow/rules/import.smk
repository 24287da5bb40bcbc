# What others have published, at the place of our own.
# in:  corpus, and files of answers, verdicts, rankings, receipts of controls, or objections to the gold
# out: .../reader={reader}/pass={reader_pass}/answers.jsonl  judge={judge}/verdicts.jsonl   (readers, judges: import)
#      results/{benchmark}/{system}/candidates.parquet  rankings.json                       (systems: external)
#      results/{benchmark}/judges/{judge}/controls.json  controls.html                      (judges with control_receipts)
#      results/{benchmark}/corpus/disputed.jsonl


ruleorder: import_rankings > retrieve
ruleorder: import_controls > judge_controls


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
        spec=import_of("readers"),
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
        spec=import_of("judges"),
        code=code("judging.imported", "store"),
    script:
        "../scripts/import_verdicts.py"


rule import_rankings:
    input:
        **corpus("questions", "sessions"),
        source=imported_rankings,
    output:
        **receipted(
            candidates="results/{benchmark}/{system}/candidates.parquet",
            rankings="results/{benchmark}/{system}/rankings.json",
        ),
    log:
        "results/logs/{benchmark}/{system}/import_rankings.log",
    wildcard_constraints:
        system=named("systems", "external"),
    conda:
        "../../envs/base.yaml"
    params:
        spec=rankings_of_log,
        code=code("retrieval.imported", "store"),
    script:
        "../scripts/import_rankings.py"


rule import_controls:
    input:
        **corpus("questions", "gold"),
        receipts=control_receipts,
    output:
        **receipted(
            controls="results/{benchmark}/judges/{judge}/controls.json",
            page="results/{benchmark}/judges/{judge}/controls.html",
        ),
    log:
        "results/logs/{benchmark}/judges/{judge}/import_controls.log",
    wildcard_constraints:
        judge=named("judges", "import"),
    conda:
        "../../envs/base.yaml"
    params:
        spec=control_receipts_spec,
        code=code("judging.controls.imported", "judging.controls.page", "store"),
    script:
        "../scripts/import_controls.py"


rule dossier:
    input:
        **corpus("gold"),
        files=dossier_files,
    output:
        **receipted(disputed="results/{benchmark}/corpus/disputed.jsonl"),
    log:
        "results/logs/{benchmark}/dossier.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=dossier_spec,
        code=code("statistics.dossier", "store"),
    script:
        "../scripts/dossier.py"
