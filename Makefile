PYTHON ?= python3
BIN := .venv/bin
DATA ?= ../shared/data
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: run test check bench

run: .venv/run.stamp
	$(BIN)/python app.py

# The browser's tests stay the last of each process: Playwright keeps a loop running, beside which none of ours can run.
test: .venv/dev.stamp .venv/browser.stamp .venv/postgres.stamp
	$(BIN)/python -m tests.prepare
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

check: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/dev.stamp .venv/browser.stamp
	$(BIN)/python -m bench all --data $(DATA) --out bench/results

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed. Another can be named: make run PYTHON=python3.12")'
	$(PYTHON) -m venv .venv

.venv/run.stamp: requirements.txt | $(BIN)/python
	$(BIN)/pip install -q -r requirements.txt
	touch $@

.venv/dev.stamp: requirements.txt requirements-dev.txt requirements-milvus.txt | $(BIN)/python
	$(BIN)/pip install -q -r requirements-dev.txt
	touch $@

# The browser tests drive Debian's Chromium; without Chinese fonts their screenshots would show boxes.
.venv/browser.stamp: | $(BIN)/python
	command -v chromium && fc-list | grep -q "Noto Sans CJK" || \
	  ($(SUDO) apt-get update -q && $(SUDO) apt-get install -qy chromium fonts-noto-cjk fonts-noto-color-emoji)
	touch $@

# The contracts of the stores run on a real PostgreSQL too, in a folder of their own. Debian keeps initdb off the path.
.venv/postgres.stamp: | $(BIN)/python
	command -v initdb || ls /usr/lib/postgresql/*/bin/initdb || \
	  ($(SUDO) apt-get update -q && $(SUDO) apt-get install -qy postgresql)
	touch $@
