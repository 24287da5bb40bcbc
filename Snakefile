# memtrial: long-term conversational memory on trial.
#
# The path is the experiment:
#   results/{benchmark}/corpus/{sessions,turns,questions,gold,evidence}.parquet  quality.jsonl
#   results/{benchmark}/{system}/candidates.parquet  reranked.parquet  packets.parquet  scaffolds.parquet
#   results/{benchmark}/{system}/retrieval.parquet  support.parquet  controls.{json,html}  questions/{question_id}.html
#   results/{benchmark}/{system}/reader={reader}/requests.parquet  pass={reader_pass}/answers.jsonl
#   results/{benchmark}/{system}/reader={reader}/pass={reader_pass}/judge={judge}/verdicts.jsonl
#   results/{benchmark}/statistics/  report/  controls/  gates/  receipt.json  bundle.zip      results/languages/{pair}/
# Every artifact X has X.receipt.json beside it. `snakemake verify` recomputes them all.

from snakemake.utils import min_version

min_version("9.19")


configfile: "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/selection.smk"
include: "workflow/rules/inputs.smk"
include: "workflow/rules/import_inputs.smk"
include: "workflow/rules/table_inputs.smk"
include: "workflow/rules/language_inputs.smk"
include: "workflow/rules/ingest.smk"
include: "workflow/rules/retrieve.smk"
include: "workflow/rules/packet.smk"
include: "workflow/rules/read.smk"
include: "workflow/rules/judge.smk"
include: "workflow/rules/judge_controls.smk"
include: "workflow/rules/import.smk"
include: "workflow/rules/baselines.smk"
include: "workflow/rules/plan.smk"
include: "workflow/rules/statistics.smk"
include: "workflow/rules/comparisons.smk"
include: "workflow/rules/languages.smk"
include: "workflow/rules/controls.smk"
include: "workflow/rules/gates.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/bundle.smk"
include: "workflow/rules/question.smk"
include: "workflow/rules/browser.smk"


report: "workflow/report/workflow.rst"


rule all:
    default_target: True
    input:
        expand("results/{benchmark}/report/{page}", benchmark=RUN["benchmarks"], page=REPORT),
        expand("results/{benchmark}/receipt.json", benchmark=RUN["benchmarks"]),
        rules.languages.input,
        # Named here too, since Snakemake misses a deleted file only where a target asks for it.
        [artifact for name in RUN["benchmarks"] for artifact in artifacts(name)],


onsuccess:
    print(summary())
