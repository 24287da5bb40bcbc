# in:  verdicts of two systems
# out: results/{benchmark}/gates/{gate}.json  {gate}.txt
#
# A gate that fails is written like any other; the target `gates` then fails.


rule gate:
    input:
        unpack(gate_inputs),
    output:
        **receipted(
            result="results/{benchmark}/gates/{gate}.json",
            table="results/{benchmark}/gates/{gate}.txt",
        ),
    log:
        "results/logs/{benchmark}/gate.{gate}.log",
    wildcard_constraints:
        gate="|".join(GATES) or "none",
    conda:
        "../../envs/base.yaml"
    params:
        spec=gate_spec,
        code=code("statistics.gate", "store"),
    script:
        "../scripts/gate.py"


# Without outputs, so that a failure is told each time and takes no evidence with it.
rule gates:
    input:
        results=expand("results/{benchmark}/gates/{gate}.json", benchmark=RUN["benchmarks"], gate=GATES),
    log:
        "results/logs/gates.log",
    conda:
        "../../envs/base.yaml"
    params:
        code=code("errors"),
    script:
        "../scripts/gates.py"
