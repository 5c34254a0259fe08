# make test   everything that has to pass: form, vet, staticcheck, race tests
# make devnet a small kingdom on local nodes, to watch figures and pets move
# make help   the rest

SHELL     := /bin/bash
TOOLS     := $(CURDIR)/.tools/bin
export PATH := $(TOOLS):$(PATH):/usr/local/go/bin:/usr/sbin
STATICCHECK_VERSION := v0.7.0
SUDO      := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: help
help:
	@sed -n 's/^# make/make/p' Makefile

.PHONY: build
# make build  the static binary, in bin/
build:
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o bin/petsupply ./cmd/petsupply

.PHONY: test
test: tools form vet race

.PHONY: form
form:
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "gofmt these: $$bad"; exit 1; }
	go mod tidy -diff

.PHONY: vet
vet:
	go vet ./...
	staticcheck ./...
	@if govulncheck ./... > .tools/vuln.txt 2>&1; then echo "govulncheck: clean"; \
	elif grep -qE 'Vulnerability #|Your code is affected' .tools/vuln.txt; then cat .tools/vuln.txt; exit 1; \
	else echo "govulncheck: its database cannot be reached from here"; fi

# Everything that shares memory runs under the race detector. The whole
# programs, nodes and browsers of cmd, trial and contracts run without it, but
# for the paths of a plain service: it would see nothing of the rest, slowly.
# What it disturbs, such as counts of allocations, runs a second time, and the
# pictures that are held to the pixel run once more as another processor.
.PHONY: race
race:
	go test -race -timeout 20m ./internal/... ./bench/...
	go test -race -timeout 10m -run 'TestServe|TestCommandLine|TestFigures|TestNoAccepted' ./cmd/petsupply
	go test -timeout 20m -run Alloc ./internal/...
	go test -timeout 20m ./packs/paint ./cmd/... ./testkit/...
	GOARCH=arm64 CGO_ENABLED=0 go test -exec qemu-aarch64-static -run TestGolden ./internal/art
	go test -count=1 ./internal/archtest

.PHONY: fuzz
# make fuzz   every fuzz target for a minute (FUZZTIME=1m)
FUZZTIME ?= 1m
fuzz:
	@for pkg in $$(go list ./internal/...); do \
		for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
		done; \
	done

.PHONY: soak
# make soak   the whole correctness run of the pets: 10,000 actions in four realms, kills, reorgs
soak: tools
	go test ./internal/pet -run TestSoak -soak -v -timeout 60m
	go test ./cmd/petsupply/trial -run 'TestCluster|TestKill' -soak 100 -v -timeout 120m

.PHONY: faults
# make faults write the tables of docs/FAULTS.md anew
faults: tools
	go test ./cmd/petsupply -run 'TestFaults|TestMistakes' -count=1 -update -timeout 20m
	go test ./cmd/petsupply/trial -count=1 -update -timeout 20m

.PHONY: lint
# make lint   read what is shipped with the libraries of those who run it
lint:
	cd deploy/lint && go test ./...

# What the tests run beside us, installed where it is missing.
DEBS := $(strip \
	$(shell ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || echo postgresql) \
	$(shell command -v chromium >/dev/null || echo chromium) \
	$(shell PATH=$$PATH:/usr/sbin command -v nginx >/dev/null || echo nginx) \
	$(shell command -v pngcheck >/dev/null || echo pngcheck) \
	$(shell command -v qemu-aarch64-static >/dev/null || echo qemu-user-static) \
	$(shell command -v sqlite3 >/dev/null || echo sqlite3) \
	$(shell command -v systemd-analyze >/dev/null || echo systemd))

.PHONY: tools
# make tools  install what the tests need and this machine lacks
tools: testkit/contracts/node_modules $(TOOLS)/staticcheck $(TOOLS)/govulncheck $(TOOLS)/versitygw
ifneq ($(DEBS),)
	$(SUDO) apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $(DEBS) >/dev/null
endif

testkit/contracts/node_modules: testkit/contracts/package-lock.json
	npm ci --prefix testkit/contracts --no-audit --no-fund --silent && touch $@

$(TOOLS)/staticcheck:
	GOBIN=$(TOOLS) go install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)
$(TOOLS)/govulncheck:
	GOBIN=$(TOOLS) go install golang.org/x/vuln/cmd/govulncheck@v1.1.4
$(TOOLS)/versitygw:
	GOBIN=$(TOOLS) go install github.com/versity/versitygw/cmd/versitygw@v1.8.0

.PHONY: devnet
devnet: testkit/contracts/node_modules
	go run ./testkit/devnet

.PHONY: art
# make art    draw the default pack anew
art:
	go run ./packs/paint packs/meadow
	go run ./packs/paint poster docs/sheet.png

.PHONY: bench
# make bench  measure beside nginx, pgbench, sharp and ethers; NAME=… for one
bench: testkit/contracts/node_modules
	go run ./bench $(if $(NAME),-name '$(NAME)')
