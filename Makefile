# Saves typing; the interface is snakemake itself (README).
PYTHON ?= python3.11
CORES ?= all
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test lint unit verify bench clean

run: $(VENV)/run.done
	$(BIN)/snakemake --cores $(CORES) --quiet rules

test: lint unit

lint: $(VENV)/dev.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/snakefmt --check Snakefile workflow/rules
	$(BIN)/snakemake --lint
	PYTHONPATH=workflow $(BIN)/lint-imports

unit: $(VENV)/dev.done
	$(BIN)/python -m pytest tests workflow/memtrial --doctest-modules

verify: $(VENV)/run.done
	$(BIN)/snakemake --cores 1 verify

bench: $(VENV)/dev.done
	$(BIN)/python tests/bench/bench.py
	PYTHONPATH=workflow OMP_NUM_THREADS=1 $(BIN)/python tests/bench/statistics_bench.py
	PYTHONPATH=workflow OMP_NUM_THREADS=1 $(BIN)/python tests/bench/planted.py --seeds 200 --resamples 500

clean:
	rm -rf results .snakemake

$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.done: envs/requirements.txt | $(VENV)/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -r envs/requirements.txt
	touch $@

$(VENV)/dev.done: envs/requirements-dev.txt envs/requirements.txt | $(VENV)/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -r envs/requirements-dev.txt
	touch $@ $(VENV)/run.done
