# in:  everything above
# out: results/{benchmark}/report/index.html  accuracy.svg  retrieval.svg
#      results/{benchmark}/receipt.json


REPORT = ("index.html", "accuracy.svg", "retrieval.svg")


rule report:
    input:
        accuracy="results/{benchmark}/statistics/accuracy.parquet",
        retrieval="results/{benchmark}/statistics/retrieval.parquet",
        flips="results/{benchmark}/statistics/flips.parquet",
        packets="results/{benchmark}/statistics/packets.parquet",
        support="results/{benchmark}/statistics/support.parquet",
        triggers="results/{benchmark}/statistics/triggers.parquet",
        quality="results/{benchmark}/corpus/quality.jsonl",
        receipts=receipts,
    output:
        page=report(
            "results/{benchmark}/report/index.html",
            caption="../report/index.rst",
            category="{benchmark}",
        ),
        accuracy=report(
            "results/{benchmark}/report/accuracy.svg",
            caption="../report/accuracy.rst",
            category="{benchmark}",
        ),
        retrieval=report(
            "results/{benchmark}/report/retrieval.svg",
            caption="../report/retrieval.rst",
            category="{benchmark}",
        ),
        page_receipt="results/{benchmark}/report/index.html.receipt.json",
        accuracy_receipt="results/{benchmark}/report/accuracy.svg.receipt.json",
        retrieval_receipt="results/{benchmark}/report/retrieval.svg.receipt.json",
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
        receipts=expand("results/{benchmark}/receipt.json", benchmark=RUN["benchmarks"]),
        code=code("receipt"),
    script:
        "../scripts/verify.py"
