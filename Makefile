# Everything runs in .venv, which is made on first use. Needs make and Python 3.11 or later.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: prove test lint slow bench vectors reports clean

prove: $(STAMP)
	$(BIN)/halfulp prove
	@if test -d vectors; then echo "$(BIN)/halfulp vectors check vectors"; $(BIN)/halfulp vectors check vectors; fi

test: lint
	$(BIN)/pytest -q -n auto

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

slow: $(STAMP)
	$(BIN)/pytest -q -n auto -m slow

vectors: $(STAMP)
	$(BIN)/halfulp vectors write --out vectors
	$(BIN)/halfulp vectors write 'bfp16.*' --format v64 --out vectors/planes
	$(BIN)/halfulp vectors fold --out vectors/fold/k512.jsonl
	$(BIN)/halfulp vectors open --out vectors/open/bfp16.jsonl

# everything but the nightly groups; the reports are made whatever the verdicts, which then decide the exit code
reports: $(STAMP)
	@mkdir -p build reports && rm -f build/results.json build/mutants.json
	-$(BIN)/halfulp prove --all --json build/results.json
	-$(BIN)/halfulp mutants '*' --json build/mutants.json --report reports/mutants.md
	$(BIN)/halfulp report build build/results.json --mutants build/mutants.json --out reports

# CrossHair has a place of its own; where it cannot be installed the report says that it was not run
bench: $(STAMP) .bench/.installed
	$(BIN)/python -m halfulp_formal.bench --out reports/bench.md --crosshair .bench/bin/crosshair

.bench/.installed:
	$(PYTHON) -m venv .bench
	-.bench/bin/python -m pip install --quiet --disable-pip-version-check crosshair-tool PyYAML jsonschema
	@touch $@

$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or later found; set PYTHON=/path/to/python3" >&2; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,oracles]'
	@touch $@

clean:
	rm -rf .venv .bench .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find model formal tests -name __pycache__ -type d -prune -exec rm -rf {} +
