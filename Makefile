PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?= ../shared/data

.PHONY: run test check bench

$(VENV)/run.stamp: requirements.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -r requirements.txt
	touch $@

$(VENV)/dev.stamp: requirements.txt requirements-dev.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -r requirements-dev.txt
	touch $@

run: $(VENV)/run.stamp
	$(BIN)/python app.py

test: $(VENV)/dev.stamp
	$(BIN)/python -m tests.prepare
	$(BIN)/python -m pytest

check: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/dev.stamp
	$(BIN)/python -m bench all --data $(DATA) --out bench/results
