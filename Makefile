# Ranklens: `make run` starts the dashboard, `make test` runs every check.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
WORKERS ?= 2

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help setup run class test test-long check format bench lock sample browser nginx clean

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Ranklens needs Python 3.11 or newer; set PYTHON=python3.12, for example.")'
	$(PYTHON) -m venv $(VENV)

# Runtime and tools are installed from the same pins; `make run` leaves out the tools.
$(VENV)/.runtime: $(BIN)/python pyproject.toml requirements.txt
	$(BIN)/python -m pip install --quiet --constraint requirements.txt --editable .
	touch $@

$(VENV)/.tools: $(VENV)/.runtime
	$(BIN)/python -m pip install --quiet --constraint requirements.txt --editable '.[dev]'
	touch $@

setup: $(VENV)/.tools  ## Make .venv with everything pinned

run: $(VENV)/.runtime  ## Start the dashboard and print its address
	$(BIN)/python -m streamlit run dashboard/serve.py --server.port $(PORT)

class: $(VENV)/.runtime nginx  ## Start several processes behind nginx, for a class
	@$(BIN)/python deploy/local.py --port $(PORT) $(if $(PROCESSES),--processes $(PROCESSES)) $(if $(ADDRESS),--address $(ADDRESS))

nginx: $(VENV)/.runtime
	@$(BIN)/python -m deploy.nginx

browser: $(VENV)/.tools
	@$(BIN)/python -m tests.browser.install

test: $(VENV)/.tools browser nginx  ## Lint, types, and all tests, the browser's included
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m 'not slow and not browser' -q
	$(BIN)/python -m pytest tests/browser -n $(WORKERS) --dist worksteal -m 'not slow' -q

test-long: $(VENV)/.tools browser nginx  ## Everything at full counts: fuzzing, load, soak
	$(BIN)/python -m pytest -m slow -q -s

check: test  ## All tests, and an audit of the dependencies
	$(BIN)/python tests/audit.py

format: $(VENV)/.tools  ## Format the code and fix what can be fixed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.tools  ## Measure speed, against other software where there is any
	@for script in tests/benchmarks/bench_*.py; do echo "== $$script"; PYTHONPATH=. $(BIN)/python $$script; done

lock: $(VENV)/.tools  ## Write requirements.txt from what is installed
	$(BIN)/python -m pip list --format=freeze --exclude-editable --exclude pip --exclude setuptools > requirements.txt

sample: $(VENV)/.runtime  ## Write the sample collection anew, to the same bytes
	$(BIN)/python sample_data/make_sample.py

clean:  ## Remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build *.egg-info
