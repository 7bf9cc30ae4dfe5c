# The commands of the README; everything is installed into .venv with pinned hashes.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run install test test-clients test-clients-short fuzz check bench accuracy lock clean

run: install
	$(BIN)/groundwire serve --config config.example.toml

install: .venv/installed

.venv/installed: requirements.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements.txt
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

.venv/installed-dev: .venv/installed requirements-dev.txt
	$(BIN)/pip install --quiet --require-hashes -r requirements-dev.txt
	touch $@

test: .venv/installed-dev
	$(BIN)/pytest

# Looks for examples that break a property, with other ones at each run; `make test` tries the same ones every time.
fuzz: .venv/installed-dev
	$(BIN)/pytest -m hypothesis --hypothesis-profile search

# Real clients from PyPI and npm through the real process; what came of it is written into docs/clients.md.
# Without node, npm's rows are skipped; in CI they must run. The short one leaves out the long hold and the coding agents.
CLIENTS := tests/clients

test-clients: .venv/installed-dev .venv-clients/installed $(CLIENTS)/node/installed $(CLIENTS)/agents/installed
	$(BIN)/pytest $(CLIENTS) --matrix docs/clients.md

test-clients-short: .venv/installed-dev .venv-clients/installed $(CLIENTS)/node/installed
	$(BIN)/pytest $(CLIENTS) -m "not slow and not agent"

.venv-clients/installed: $(CLIENTS)/requirements.txt
	test -x .venv-clients/bin/python || $(PYTHON) -m venv .venv-clients
	.venv-clients/bin/pip install --quiet --require-hashes -r $<
	touch $@

$(CLIENTS)/node/installed: $(CLIENTS)/node/package-lock.json
	if command -v npm > /dev/null; then cd $(@D) && npm ci --silent && touch installed; fi

# Not `npm ci`: the lock holds only what could be had of a program that comes in a package for each system.
$(CLIENTS)/agents/installed: $(CLIENTS)/agents/package-lock.json
	if command -v npm > /dev/null; then cd $(@D) && npm install --no-save --silent && touch installed; fi

check: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest tests/test_layout.py tests/test_docs.py
	$(BIN)/groundwire check

bench: .venv/installed-dev
	$(BIN)/python -m bench
	$(BIN)/python -m bench.audits $(wildcard $(TRANSCRIPTS)/transcripts.jsonl)
	$(BIN)/python -m bench.relays
	$(BIN)/python -m bench.growth
	$(BIN)/python -m bench.many_calls

# Writes docs/accuracy.md from labelled transcripts: TRANSCRIPTS=folder with transcripts.jsonl and labels.jsonl. What stands there
# from "Rules were tuned on these answers" on is written by hand, and stays.
TRANSCRIPTS ?= ../shared/corpus
accuracy: .venv/installed
	$(BIN)/groundwire replay $(TRANSCRIPTS)/transcripts.jsonl --labels $(TRANSCRIPTS)/labels.jsonl --markdown > docs/accuracy.new
	(echo; sed -n '/^Rules were tuned on these answers/,$$p' docs/accuracy.md) >> docs/accuracy.new
	mv docs/accuracy.new docs/accuracy.md

# Pins every dependency with its hashes; needs uv on the PATH.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url \
		pyproject.toml --all-extras --group build --output-file requirements.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url \
		pyproject.toml --all-extras --group build --group dev --constraint requirements.txt --output-file requirements-dev.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url \
		$(CLIENTS)/requirements.in --output-file $(CLIENTS)/requirements.txt

clean:
	rm -rf .venv .venv-clients $(CLIENTS)/*/node_modules $(CLIENTS)/*/installed .groundwire .demo .mypy_cache .ruff_cache .pytest_cache
