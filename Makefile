# The commands of the README; everything is installed into .venv with pinned hashes.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run install test check bench accuracy lock clean

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

check: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest tests/test_layout.py tests/test_docs.py
	$(BIN)/groundwire check

bench: .venv/installed-dev
	$(BIN)/python -m bench
	$(BIN)/python -m bench.audits

# Writes docs/accuracy.md from labelled transcripts: TRANSCRIPTS=folder with transcripts.jsonl and labels.jsonl.
TRANSCRIPTS ?= ../shared/corpus
accuracy: .venv/installed
	$(BIN)/groundwire replay $(TRANSCRIPTS)/transcripts.jsonl --labels $(TRANSCRIPTS)/labels.jsonl --markdown > docs/accuracy.md

# Pins every dependency with its hashes; needs uv on the PATH.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url \
		pyproject.toml --all-extras --group build --output-file requirements.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url \
		pyproject.toml --all-extras --group build --group dev --constraint requirements.txt --output-file requirements-dev.txt

clean:
	rm -rf .venv .groundwire .demo .mypy_cache .ruff_cache .pytest_cache
