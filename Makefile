# `make` lists the targets. An active virtual environment is used as it stands; otherwise .venv is made at first need.
# PYTHON=... names the interpreter: one inside a virtual environment is used as it stands, any other makes .venv.

VENV ?= .venv
EXTRAS ?= spark,dev
IN_VENV = import sys; sys.exit(sys.prefix == sys.base_prefix)
# Asked for when a recipe needs it, so that a bare `make` runs no Python at all.
GIVEN = $(or $(PYTHON),$(if $(VIRTUAL_ENV),$(VIRTUAL_ENV)/bin/python))
ACTIVE := $(if $(GIVEN),$(shell $(GIVEN) -c '$(IN_VENV)' 2>/dev/null && echo yes))

ifeq ($(ACTIVE),yes)
PY := $(GIVEN)
READY := check-active
else
PY := $(VENV)/bin/python
READY := $(VENV)/.installed
endif

BIN := $(dir $(PY))
PYTEST := $(PY) -m pytest
NEEDS_JVM := spark or connect or cluster

.DEFAULT_GOAL := help
.PHONY: help setup demo test check lint format house fast spark golden nightly bench bench-smoke docs clean check-active

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## Make .venv, or fill the active environment, with all that demo and test need
ifeq ($(ACTIVE),yes)
	@$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
else
	@rm -f $(VENV)/.installed $(VENV)/bin/python
	@$(MAKE) --no-print-directory $(VENV)/.installed
endif

demo: $(READY) ## Find the laws of a small table, with everything explained
	@$(BIN)lawful demo

test: $(READY) lint ## Everything CI runs: linters, types, layers, then every test
	@$(PYTEST)

check: $(READY) lint house ## What to run before each commit: linters, types, layers, house rules (under 30 s)

lint: $(READY)
	@$(PY) -m ruff check --quiet --output-format concise .
	@$(PY) -m ruff format --check --quiet . || { echo "run: make format" >&2; exit 1; }
	@$(PY) -m mypy --no-error-summary
	@said=$$($(BIN)lint-imports --no-logo 2>&1) || { echo "$$said" >&2; exit 1; }

house: $(READY)
	@$(PYTEST) --quiet tests/house

format: $(READY) ## Lay out the code and mend what ruff can mend
	@$(PY) -m ruff check --quiet --fix .
	@$(PY) -m ruff format --quiet .

fast: $(READY) ## The tests that need neither Spark nor patience
	@$(PYTEST) -m 'not ($(NEEDS_JVM) or slow or browser)'

spark: $(READY) ## Only the tests on Spark: classic, Connect, cluster
	@$(PYTEST) -m '$(NEEDS_JVM)'

golden: $(READY) ## Only the .law goldens
	@$(PYTEST) tests/golden

nightly: $(READY) ## Every test, the property tests with twenty times the examples (hours)
	@LAWFUL_NIGHTLY=1 $(PYTEST) --timeout=7200

bench: $(READY) ## Measure against the peers on a quiet machine (SUITE=encode for one; peers: make setup EXTRAS=spark,dev,bench)
	@$(PY) -m bench $(SUITE)

bench-smoke: $(READY) ## The benchmarks on tiny tables: do they run?
	@$(PY) -m bench --smoke $(SUITE)

docs: $(READY) ## Build the documentation as a site, in site/; what is wrong in it is an error
	@$(PY) -m mkdocs build --strict --quiet && echo "Open site/index.html"

clean: ## Remove what the tools leave behind; .venv stays
	@rm -rf build dist site artifacts spark-warehouse metastore_db derby.log .benchmarks \
		.hypothesis .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	@find . -name .venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

check-active:
	@$(PY) -c 'import hypothesis, importlinter, lawful, mypy, pyspark, pytest' 2>/dev/null || \
		{ echo "$(PY) lacks what this needs. Fill it: make setup PYTHON=$(PY); or leave it, and make uses $(VENV)." >&2; exit 1; }

$(VENV)/bin/python:
	@python=$$(.ci/find-python $(GIVEN)) && "$$python" -m venv --clear $(VENV)

# Order-only, because an interpreter's date says nothing about what is installed.
$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@echo "Filling $(VENV) for $$($(VENV)/bin/python --version) (a minute or two, once) ..."
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $@ && echo "$(VENV) is ready."
