# in:  everything of a benchmark that its receipt vouches for, and the workflow's own files
# out: results/{benchmark}/bundle.zip


# It has no receipt of its own, since it holds a manifest of all that is in it.
rule evidence_release:
    input:
        gathered="results/{benchmark}/receipt.json",
        artifacts=lambda wildcards: artifacts(wildcards.benchmark),
        receipts=receipts,
        report=multiext("results/{benchmark}/report/", *REPORT),
        questions="results/{benchmark}/report/questions",
        extras=made_controls,
        sources=lambda wildcards: workflow_files(),
    output:
        bundle="results/{benchmark}/bundle.zip",
    log:
        "results/logs/{benchmark}/bundle.log",
    wildcard_constraints:
        benchmark=r"[a-z0-9-]+",
    conda:
        "../../envs/base.yaml"
    params:
        spec=bundle_spec,
        code=code("bundle.pack", "digest"),
    script:
        "../scripts/bundle.py"


rule bundle:
    input:
        expand("results/{benchmark}/bundle.zip", benchmark=RUN["benchmarks"]),


# Without inputs, since what is verified must not be made again first.
rule verify_bundle:
    log:
        "results/logs/verify_bundle.log",
    conda:
        "../../envs/base.yaml"
    params:
        bundle=given_path(config["bundle"]) if "bundle" in config else "",
        code=code("bundle.verify", "errors"),
    script:
        "../scripts/verify_bundle.py"
