# `make help` lists what there is.  Every target sets up what it needs; all of it lives in .venv.

VENV ?= .venv
DOORS ?= .venv-doors
PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3.14 python3,$(shell command -v $(name) 2>/dev/null)))
PIP = $(VENV)/bin/python -m pip --disable-pip-version-check --quiet --quiet
RUN = $(VENV)/bin/python
PYTEST = $(RUN) -m pytest -n 2 --dist loadfile

.DEFAULT_GOAL := help
.PHONY: help setup setup-ci setup-doors debian demo app test test-all test-js test-doors test-one check metric docs dist release-files release-check release-slice bench battery coverage-study metrics laws clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.dev  ## an environment with everything the tests need

setup-ci: $(VENV)/.ci debian  ## the same with Spark and torch, and with Java, PostgreSQL, Chromium, node and LuaLaTeX from Debian's packages

demo: $(VENV)/.cli  ## score two models on bundled data (installs the command line only)
	@$(VENV)/bin/ordeval demo

app: $(VENV)/.app  ## explore scores in the browser, on this machine alone
	@$(VENV)/bin/ordeval app

test: $(VENV)/.dev  ## the tests but for the slow ones, on two cores
	$(PYTEST) -m "not slow"

test-all: test test-js  ## the slow ones too: servers, engines, browsers, other processes, long searches
	$(PYTEST) --no-loadscope-reorder -m slow  # files with few and long tests are not left to the end, to one core alone

test-js:  ## the scores of the pages in JavaScript on all conformance vectors (needs node; required in CI)
	@if command -v node >/dev/null; then node tests/js/conformance.mjs src/ordeval/app/js/metrics.js conformance/ordeval-vectors-2.json.gz; \
	elif test -n "$$CI"; then echo "node is not installed (Debian: apt-get install nodejs)"; exit 1; \
	else echo "skipped: node is not installed (Debian: apt-get install nodejs)"; fi

setup-doors: $(DOORS)/.doors  ## a second environment, with Inspect, MLflow and Hugging Face's evaluate, whose versions are their own

test-doors: $(DOORS)/.doors  ## the tests of the doors to Inspect, MLflow and Hugging Face; offline once they are installed
	$(DOORS)/bin/python -m pytest -p no:cacheprovider tests/doors

test-one: $(VENV)/.dev  ## the tests of one file: make test-one FILE=tests/order/test_scale.py
	$(RUN) -m pytest $(FILE)

check: $(VENV)/.dev  ## style, types, the order of the house, the generated tables and pages
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(RUN) -m mypy
	$(RUN) scripts/type_completeness.py
	$(VENV)/bin/lint-imports
	$(RUN) scripts/metrics_page.py --check
	$(RUN) scripts/make_triage.py --check
	$(RUN) conformance/generate.py --check
	$(RUN) scripts/meta_page.py --check
	$(RUN) scripts/oci_table_page.py --check
	$(RUN) scripts/papers_page.py --check
	$(RUN) scripts/laws_page.py --check
	$(RUN) scripts/coverage_page.py --check
	$(RUN) scripts/judges_page.py --check

docs: $(VENV)/.dev  ## the documentation, into build/docs/html; warnings and dead links are errors
	$(RUN) scripts/build_docs.py

dist: $(VENV)/.dev  ## wheel and source archive, into dist
	rm -rf dist
	$(RUN) -m build --no-isolation --outdir dist .

release-files: $(VENV)/.dev  ## citation and bill of materials beside the packages in dist: make release-files TAG=v0.1.0
	$(RUN) scripts/release_files.py $(TAG)

release-check: dist  ## the fast tests against the installed wheel, with the newest and the lowest versions (long)
	$(RUN) scripts/release_check.py

release-slice: dist  ## the part of it that continuous integration runs: the lowest versions, the wheel, its forms and the papers
	$(RUN) scripts/release_check.py lowest --slice

bench: $(VENV)/.dev  ## speed, as ratios against peers and against the physical limit in the same run
	$(RUN) benchmarks/run.py

battery: $(VENV)/.dev  ## trust, measured: everything tried to find a wrong number or a lost row, bad implementations planted first; writes docs/battery.md (hours)
	$(RUN) -m battery.run

SEED ?= 1
MINUTES ?= 20
coverage-study: $(VENV)/.dev  ## how often 95 % intervals hold the true score, in new populations: make coverage-study SEED=... [MINUTES=20] (hours)
	$(RUN) benchmarks/coverage_study.py --seed $(SEED) --minutes $(MINUTES)
	$(RUN) scripts/coverage_page.py
	$(RUN) benchmarks/raters_study.py
	$(RUN) benchmarks/raters_attack.py --json benchmarks/results/raters_attack.json
	$(RUN) benchmarks/raters_attack.py --kind judges --json benchmarks/results/raters_attack.json
	$(RUN) benchmarks/judges_study.py --seed $(SEED)
	$(RUN) scripts/judges_page.py

metric: $(VENV)/.dev  ## add a metric: make metric NAME=... FAMILY=...; run it until it is green
	$(RUN) scripts/new_metric.py $(NAME) $(FAMILY)

metrics: $(VENV)/.dev  ## write the page of all metrics
	$(RUN) scripts/metrics_page.py

laws: $(VENV)/.dev  ## write the pages on laws from what is recorded (scripts/law_claims.py searches anew)
	$(RUN) scripts/laws_page.py

clean:  ## remove the environment and what the tools left behind
	rm -rf $(VENV) $(DOORS) build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "ordeval needs Python 3.11 or newer, and no python3 was found; install it, or say where it is: make PYTHON=/path/to/python3"; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "ordeval needs Python 3.11 or newer; $(PYTHON) is $$("$(PYTHON)" --version 2>&1). Say where a newer one is: make PYTHON=/path/to/python3"; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv module is missing; on Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	@"$(PYTHON)" -m venv $(VENV)

$(VENV)/.cli: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "installing ordeval with its command line into $(VENV) ..."
	@$(PIP) install --constraint constraints.txt --editable ".[cli]"
	@touch $@

$(VENV)/.app: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "installing ordeval with its explorer into $(VENV) ..."
	@$(PIP) install --constraint constraints.txt --editable ".[app]"
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "installing ordeval with what its tests need into $(VENV) ..."
	@$(PIP) install --constraint constraints.txt --editable ".[dev]"
	@touch $@ $(VENV)/.cli

$(VENV)/.ci: $(VENV)/.dev
	@echo "installing Spark and torch into $(VENV) ..."
	@$(PIP) install --constraint constraints.txt --editable ".[dev,spark,torch]"
	@touch $@

$(DOORS)/.doors: pyproject.toml constraints-doors.txt
	@test -n "$(PYTHON)" || { echo "ordeval needs Python 3.11 or newer, and no python3 was found"; exit 1; }
	@test -x $(DOORS)/bin/python || "$(PYTHON)" -m venv $(DOORS)
	@echo "installing ordeval with Inspect, MLflow and evaluate into $(DOORS) ..."
	@$(DOORS)/bin/python -m pip --disable-pip-version-check --quiet --quiet install --constraint constraints-doors.txt --editable ".[cli,inspect,mlflow]" evaluate hypothesis pytest
	@touch $@

debian:
	@missing=""; \
	command -v java >/dev/null || missing="$$missing openjdk-17-jre-headless"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$$missing postgresql"; \
	command -v chromium >/dev/null || missing="$$missing chromium"; \
	command -v node >/dev/null || missing="$$missing nodejs"; \
	command -v npm >/dev/null || missing="$$missing npm"; \
	kpsewhich booktabs.sty fontspec.sty luaotfload.sty >/dev/null 2>&1 || missing="$$missing texlive-luatex texlive-latex-recommended lmodern"; \
	test -n "$$missing" || exit 0; \
	command -v apt-get >/dev/null || { echo "these tests need more programs, and there is no apt-get to install$$missing"; exit 1; }; \
	echo "installing$$missing ..."; \
	sudo=$$(test "$$(id -u)" = 0 || echo sudo); \
	$$sudo apt-get update -qq && \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing
