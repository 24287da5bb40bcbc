# in:  questions, gold, evidence, disputed, sessions, and every packet, scaffold, request, answer and verdict of the run
# out: results/{benchmark}/report/questions.html  questions.js  questions.json  questions/{number}.js  questions/{sha256}.js
#
# The folder has no receipt: questions.json names the hash of each file in it.


rule browser:
    input:
        unpack(browser_rows),
        **corpus("sessions"),
    output:
        **receipted(
            page="results/{benchmark}/report/questions.html",
            index="results/{benchmark}/report/questions.js",
            manifest="results/{benchmark}/report/questions.json",
        ),
        folder=directory("results/{benchmark}/report/questions"),
    log:
        "results/logs/{benchmark}/browser.log",
    conda:
        "../../envs/base.yaml"
    params:
        spec=browser_spec,
        code=code("report.browser", "store"),
    script:
        "../scripts/browser.py"
