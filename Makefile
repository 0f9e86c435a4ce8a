# Thousand Arena: every command a person needs. `make help` lists them.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
BIN := .venv/bin
SERVICES := $(BIN)/python tools/with_services.py
PYTEST := $(BIN)/python -m pytest
# Processes that share the tests out by file, 0 for none.
WORKERS ?= $(shell nproc)
# Python keeps what it compiles whatever the environment says: else every process compiles all tests again.
unexport PYTHONDONTWRITEBYTECODE
# Without the long sweeps of test-all and the attacks of test-sandbox.
DAILY := not thorough and not attacks
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
test: checks ## Everything but the attacks on the sandbox: what CI runs first
# Beside each other, because what starts sandboxes waits most of the time; three at once gain nothing on two cores.
# The two longest first, and the short one last, so that no part runs alone for long.
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target test-machine test-postgresql test-main test-engine-pure

.PHONY: checks
checks: install ## Lint, types, layers and generated files, two at a time
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint types layers generated

.PHONY: test-machine
test-machine: install ## What starts sandboxes, and real workers with PostgreSQL + Redis, one after the other
	$(SERVICES) $(PYTEST) -m "machine and $(DAILY)"

.PHONY: test-main
test-main: install ## The rest of the suite; of the platform what is tried on SQLite (test-sqlite has all)
	$(PYTEST) -n $(WORKERS) --no-loadscope-reorder --nomigrations -m "not machine and (not database or both_databases or browser) and $(DAILY)"

.PHONY: test-engine-pure
test-engine-pure: install ## The engine's tests once more, without compiled modules
	THOUSAND_COMPILE=0 $(PYTEST) -n $(WORKERS) tests/engine -m "$(DAILY)"

.PHONY: test-postgresql
test-postgresql: install ## The whole platform on PostgreSQL; the migrations are tried there by test-machine
	$(SERVICES) env THOUSAND_TEST_DATABASE=postgresql $(PYTEST) -n $(WORKERS) --nomigrations tests/platform -m "database and not machine and not browser and $(DAILY)"

.PHONY: test-sqlite
test-sqlite: install ## The whole platform on SQLite, which `make up` uses
	$(PYTEST) -n $(WORKERS) --nomigrations tests/platform -m "database and not machine and not workers and not browser and $(DAILY)"

.PHONY: test-sandbox
test-sandbox: install ## Attacks on every sandbox tier of this machine, as root also by an ordinary user; leaves nothing
	$(BIN)/python tools/test_sandbox.py

.PHONY: test-all
test-all: test test-sqlite test-sandbox ## The same, all of the platform on both databases, and the long sweeps
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
