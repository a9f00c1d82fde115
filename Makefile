# `make help` lists the targets. Only Go and make are needed for run, build and
# test; Redis and Node are used where they are installed.

GO        ?= go
TOOL      := $(GO) tool -modfile=tools.mod
TYPESCRIPT := clients/typescript
CONSOLE   := console/web
REDOCLY   := @redocly/cli@2.77.0
FUZZTIME  ?= 10s
BENCHTIME ?= 1s
COUNT     ?= 1
# Of one package's tests. On a machine that does much else they take many times
# as long as alone, and Go's own ten minutes would end them.
TIMEOUT   ?= 60m
SEED      ?= 0
ARGS      ?=

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COMMIT  := $(shell git rev-parse HEAD 2>/dev/null || echo unknown)
LDFLAGS := -X main.version=$(VERSION) -X main.commit=$(COMMIT)

# The race detector needs a C compiler; Go turns cgo off where there is none.
RACE := $(if $(filter 1,$(shell $(GO) env CGO_ENABLED)),-race)

.DEFAULT_GOAL := help
.PHONY: help run build test test-deploy test-web image lint generate generate-web verify verify-generated verify-tidy verify-openapi tidy fuzz bench bench-load bench-neighbour chaos stress try demo clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

run: build ## build and start the gateway for trying it out (ARGS="--listen 127.0.0.1:9000")
	./bin/gateway serve --dev $(ARGS)

build: ## build bin/gateway
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/gateway ./cmd/gateway

test: ## run every test, with the race detector, in random order
	@$(TOOL) gotestsum --format pkgname --format-hide-empty-pkg -- $(RACE) -shuffle=on -count=$(COUNT) -timeout=$(TIMEOUT) ./...
	@$(if $(RACE),,echo '!!! no C compiler: the tests ran WITHOUT the race detector')
	@command -v redis-server >/dev/null || echo '!!! redis-server is not installed: the tests against a real Redis were SKIPPED'

image: ## write the container image as an OCI layout to bin/image, unpack it and run its program
	CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags '$(LDFLAGS)' -o bin/image-gateway ./cmd/gateway
	cd deploy/image && $(GO) run . -binary ../../bin/image-gateway -out ../../bin/image -version '$(VERSION)' -commit '$(COMMIT)'

test-deploy: ## test what is in deploy/ (promtool, systemd-analyze, nginx and haproxy are used where installed)
	cd deploy/test && $(GO) vet ./... && cd ../image && $(GO) vet ./...
	cd deploy/test && $(GO) tool -modfile=../../tools.mod gotestsum --format pkgname -- -count=$(COUNT) -timeout=$(TIMEOUT) ./...
	cd deploy/image && $(GO) test -count=$(COUNT) -timeout=$(TIMEOUT) ./...

test-web: build ## test the TypeScript client, and the console in Chromium, against bin/gateway (Node 20)
	cd $(TYPESCRIPT) && npm ci --no-audit --no-fund && GATEWAY_BIN=$(CURDIR)/bin/gateway npm test
	cd $(CONSOLE) && npm ci --no-audit --no-fund && npm test && GATEWAY_BIN=$(CURDIR)/bin/gateway npm run test:e2e

lint: ## run the linters
	$(TOOL) golangci-lint run
	@unused="$$($(TOOL) deadcode -test ./...)"; if [ -n "$$unused" ]; then echo "$$unused"; exit 1; fi

generate: generate-web ## make the generated files again
	$(GO) generate ./...

generate-web:
	@if command -v npm >/dev/null; then \
	(cd $(TYPESCRIPT) && npm ci --no-audit --no-fund && npm run generate && npm run build) && \
	cd $(CONSOLE) && npm ci --no-audit --no-fund && npm run build; \
	else echo '!!! node is not installed: the TypeScript client and the console were NOT generated'; fi

verify: verify-generated verify-tidy verify-openapi ## check that generated files, modules and the contract are in order

verify-generated:
	@before="$$(git diff | git hash-object --stdin)"; $(MAKE) --no-print-directory generate || exit 1; \
	if [ "$$before" != "$$(git diff | git hash-object --stdin)" ]; then git --no-pager diff --stat; echo 'generated files are not current: commit what "make generate" wrote'; exit 1; fi

# tools.mod is a module of its own without code, so it is checked in a folder of its own.
verify-tidy:
	$(GO) mod tidy -diff
	cd deploy/test && $(GO) mod tidy -diff
	cd deploy/image && $(GO) mod tidy -diff
	@dir="$$(mktemp -d)" && trap 'rm -rf "$$dir"' EXIT && cp tools.mod "$$dir/go.mod" && cp tools.sum "$$dir/go.sum" && \
	echo '$(GO) mod tidy -diff (tools.mod)' && cd "$$dir" && $(GO) mod tidy -diff

tidy: ## tidy go.mod and tools.mod
	$(GO) mod tidy
	@dir="$$(mktemp -d)" && trap 'rm -rf "$$dir"' EXIT && cp tools.mod "$$dir/go.mod" && cp tools.sum "$$dir/go.sum" && \
	(cd "$$dir" && $(GO) mod tidy) && cp "$$dir/go.mod" tools.mod && cp "$$dir/go.sum" tools.sum

verify-openapi:
	$(GO) test -count=1 -run OpenAPI ./api/...
	@if command -v npx >/dev/null; then npx --yes $(REDOCLY) lint openapi.yaml; else echo '!!! node is not installed: openapi.yaml was NOT linted by redocly'; fi

fuzz: ## run every fuzz target in turn (FUZZTIME=10s each)
	@grep -rE --include='*_test.go' '^func Fuzz' . | sed -E 's/^(.*)\/[^/]*:func (Fuzz[A-Za-z0-9_]*).*/\1 \2/' | \
	while read -r dir target; do echo "== $$dir $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$dir" || exit 1; done

bench: ## run the benchmarks; the output suits benchstat (COUNT=6 for it)
	$(GO) test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) -count $(COUNT) ./...

chaos: ## break three gateways and their Redis for three minutes (SEED=17 repeats a schedule); see docs/chaos.md
	$(GO) test -v -count=1 -timeout 6m -run '^TestChaos$$' ./internal/chaos -chaos.long -chaos.seed=$(SEED)

stress: ## run the long versions of the tests of streams under stress and of leaks
	$(GO) test -v -count=1 -timeout 30m -parallel 1 -skip '^TestChaos$$' ./internal/chaos -chaos.long

bench-load: build ## measure the gateway beside simpler servers, as ratios (ARGS="-only idle -rounds 3"; minutes)
	$(GO) run ./internal/load -gateway bin/gateway $(ARGS)

bench-neighbour: build ## measure what one tenant's flood does to another's p99 (a minute)
	$(GO) run ./internal/load -gateway bin/gateway -only neighbour $(ARGS)

try: ## run a folder of recorded provider messages through a gateway (DIR=...)
	@test -n '$(DIR)' || { echo 'say which folder: make try DIR=...'; exit 2; }
	$(GO) run ./internal/try $(DIR)

demo: build ## a host plans, a person approves on this terminal, the host edits and tests (ARGS=-auto answers by itself)
	$(GO) run ./internal/demo $(ARGS)

clean: ## remove what was built
	rm -rf bin
