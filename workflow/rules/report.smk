# in:  everything above
# out: results/{benchmark}/report/{index.html,accuracy.svg,...}  results/{benchmark}/receipt.json


rule report:
    input:
        **receipted(**{n: f"results/{{benchmark}}/statistics/{n}.parquet" for n in ALL_TABLES}),
        **receipted(quality="results/{benchmark}/corpus/quality.jsonl"),
        controls=report_controls,
        receipts=receipts,
    output:
        **plots_of(*PLOTS),
        page=report(
            "results/{benchmark}/report/index.html",
            caption="../report/index.rst",
            category="{benchmark}",
        ),
        page_receipt="results/{benchmark}/report/index.html.receipt.json",
    log:
        "results/logs/{benchmark}/report.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=report_spec,
        code=code("report.build", "report.plots", "statistics.tables"),
    script:
        "../scripts/report.py"


rule gather:
    input:
        receipts=receipts,
        report=multiext("results/{benchmark}/report/", *(f"{page}.receipt.json" for page in REPORT)),
    output:
        receipt="results/{benchmark}/receipt.json",
    log:
        "results/logs/{benchmark}/gather.log",
    conda:
        "../../envs/base.yaml"
    params:
        code=code("receipt"),
    script:
        "../scripts/gather.py"


# Without inputs, since what is verified must not be made again first.
rule verify:
    log:
        "results/logs/verify.log",
    conda:
        "../../envs/base.yaml"
    params:
        receipts=[
            f"results/{name}/receipt.json" for name in (*RUN["benchmarks"], *(f"languages/{p}" for p in LANGUAGES))
        ],
        code=code("receipt"),
    script:
        "../scripts/verify.py"
