# Each target works from a bare checkout on a machine with Swift 6.2 or later, git and make.

.DEFAULT_GOAL := help
.PHONY: help demo test check-embedder lint bench fuzz format

# Warnings are errors in the package that is built. See Package.swift.
export NIGHTLATCH_WARNINGS_AS_ERRORS := client
demo bench: export NIGHTLATCH_WARNINGS_AS_ERRORS := server

# The name of a benchmark, or the beginning of several names: `make bench ONLY=unlock`.
ONLY ?=

# How long each target is fuzzed, in seconds: `make fuzz SECONDS=600`. One target alone: `make fuzz ONLY=jws`.
SECONDS ?= 60

help: ## Lists the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## Builds the commands and shows a phone and its server on a page to click through.
	@scripts/install-prerequisites demo
	@scripts/run-demo

test: ## Runs all tests, side by side, and closes with their summaries.
	@scripts/install-prerequisites test
	@scripts/run-tests

check-embedder: ## Builds and runs the program of docs/embedding.md in its own package, which takes minutes.
	@scripts/install-prerequisites test
	scripts/check-embedder

lint: ## Checks format, rules of the sources, Apple sources, documentation, requirements, and that each check can fail.
	@scripts/install-prerequisites lint
	@scripts/run-lint

bench: ## Runs the release benchmarks; ONLY=prefix runs a part of them.
	@scripts/install-prerequisites bench
	swift build -c release --package-path Server --product nightlatch
	swift run -c release --package-path Server nightlatch-bench $(if $(ONLY),--only '$(ONLY)')

fuzz: ## Fuzzes every decoder of foreign input for a minute; SECONDS=n for longer, ONLY=target for one. Linux alone.
	@scripts/install-prerequisites build
	scripts/fuzz --seconds '$(SECONDS)' $(ONLY)

format: ## Formats all Swift sources in place.
	scripts/lint-format --fix
