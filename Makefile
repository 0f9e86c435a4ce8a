# Thousand Arena: every command a person needs. `make help` lists them.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
BIN := .venv/bin
SERVICES := $(BIN)/python tools/with_services.py
PYTEST := $(BIN)/python -m pytest
# Processes that share the tests out by file, 0 for none. What starts sandboxes stays with one of them, which
# waits most of the time: so there is one more than there are cores.
WORKERS ?= $(shell expr $$(nproc) + 1)
MANAGE := env DJANGO_SETTINGS_MODULE=thousand.settings.test $(BIN)/python manage.py

##@ Run
.PHONY: up
up: ## From a bare machine to a running site with ladder and house bots (Ctrl-C ends it)
	@tools/bootstrap.sh up
	@exec $(BIN)/python manage.py up $(ARGS)

##@ Develop
.PHONY: install
install: ## .venv with everything, the `thousand` command in it
	@tools/bootstrap.sh dev

.PHONY: compile
compile: install ## The engine's hot modules as machine code (every target does this by itself when sources changed)

.PHONY: format
format: install ## Format and fix what can be fixed by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: lint
lint: install ## Lint and format check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

.PHONY: types
types: install ## mypy strict
	$(BIN)/mypy

.PHONY: layers
layers: install ## Import contracts
	$(BIN)/lint-imports --no-cache

.PHONY: generated
generated: install ## Migrations, OpenAPI, schemas, cards and vendored files are as the code says
	$(MANAGE) makemigrations --check --dry-run
	$(MANAGE) spectacular --validate --fail-on-warn --file /dev/null
	$(BIN)/python tools/make_schemas.py --check
	$(BIN)/python tools/make_cards.py --check
	$(BIN)/python tools/make_performance_doc.py --check
	$(BIN)/python tools/vendor.py --check

##@ Test
.PHONY: test
test: checks test-main test-engine-pure test-postgresql ## Everything: what CI runs

.PHONY: checks
checks: install ## Lint, types, layers and generated files, two at a time
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint types layers generated

.PHONY: test-main
test-main: install ## The whole suite, the platform on SQLite; `make up` and PostgreSQL try the migrations
	$(PYTEST) -n $(WORKERS) --nomigrations -m "not thorough and not workers and not attacks"

.PHONY: test-engine-pure
test-engine-pure: install ## The engine's tests once more, without compiled modules
	THOUSAND_COMPILE=0 $(PYTEST) -n $(WORKERS) tests/engine -m "not thorough"

.PHONY: test-postgresql
test-postgresql: install ## The platform on PostgreSQL + Redis, with real Celery workers
	$(SERVICES) env THOUSAND_TEST_DATABASE=postgresql $(PYTEST) -n $(WORKERS) tests/platform tests/end_to_end tests/arena/test_tasks.py -m "not thorough and not browser"

.PHONY: test-sandbox
test-sandbox: install ## Attacks on every sandbox tier of this machine, as root also by an ordinary user; leaves nothing
	$(BIN)/python tools/test_sandbox.py

.PHONY: test-all
test-all: test test-sandbox ## The same and the long sweeps
	HYPOTHESIS_PROFILE=thorough $(SERVICES) $(PYTEST) -m thorough --timeout=3600

##@ Measure
.PHONY: bench
bench: install ## Every rate beside its peers, on one core (make bench ARGS="--only P1 --json")
	$(BIN)/thousand bench $(ARGS)

##@ Renew
.PHONY: renew
renew: install ## Rewrite every generated file: cards, schemas, OpenAPI, rules page, golden texts
	$(MANAGE) spectacular --file docs/openapi.yaml
	$(BIN)/python tools/make_schemas.py
	$(BIN)/python tools/make_cards.py
	$(BIN)/python tools/make_performance_doc.py
	$(BIN)/python tools/make_agreement_tests.py
	$(BIN)/python tools/make_rules_doc.py
	$(BIN)/python tools/make_protocol_docs.py
	$(BIN)/python tests/engine/playthroughs/renew.py

.PHONY: lock
lock: install ## Resolve the dependencies again and rewrite requirements/*.lock
	$(BIN)/python tools/lock.py

.PHONY: vendor
vendor: install ## Fetch the pinned front-end files again
	$(BIN)/python tools/vendor.py

.PHONY: screenshots
screenshots: install ## Make the README's picture and a set of pages at phone and desktop width
	$(BIN)/python tools/screenshots.py

.PHONY: help
help: ## This list
	@awk 'BEGIN {FS = ":.*##"} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*##/ {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
