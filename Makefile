# make build      the static binary, in bin/
# make quick      while you work: form, vet and the short tests, which need only Go
# make test       before you send a change: all tests; it installs the programs that they need
# make bench      answer the questions of docs/BENCHMARKS.md on this machine; NAME=… for rows whose name begins so
# make release    archives with checksums for every platform, in dist/; VERSION=v1.2.3 unless git has a tag
#
# long:
# make soak       hours of tests in their long form, and every fuzz target for FUZZTIME=1m
# make simulate   new seeds of the simulator for SECONDS=600; it saves failures in testdata
# make nodes      try geth, Kaia, avalanchego and subnet-evm; CLIENTS=geth,kaia

SHELL := /bin/bash
TOOLS := $(CURDIR)/.tools/bin
export PATH := $(TOOLS):$(PATH):/usr/local/go/bin:/usr/sbin

# Everything except the race detector builds in the same way, so that vet, tests, the programs that
# tests run and the binary share compiled packages. With -trimpath, another clone shares them too.
PLAIN := env CGO_ENABLED=0 GOFLAGS=-trimpath
# What make test runs notes its CPU time, so that growth is seen.
TIMED  = testkit/timed $@

.PHONY: help build release quick form vet
help:
	@sed -n '/^$$/q; s/^# \{0,1\}//p' Makefile

build:
	$(PLAIN) go build -ldflags '-s -w -X main.version=$(VERSION)' -o bin/petsupply ./cmd/petsupply

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
release:
	$(PLAIN) go run ./deploy/release -version '$(VERSION)' -commit "$$(git rev-parse HEAD)" \
		-date "$$(TZ=UTC git show -s --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)" -o dist

quick: form vet
	$(PLAIN) go test -vet=off -short $$(go list ./... | grep -v -e /trial$$ -e /testkit/)

form:
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "gofmt these: $$bad"; exit 1; }
	go mod tidy -diff

vet:
	$(TIMED) $(PLAIN) go vet -tags soak ./...

# Downloads wait for the network while vet uses the processors. Then groups of tests run beside
# each other, because most of them wait most of the time.
.PHONY: test tools debian rooms programs trials race checks
test:
	@[ -z "$(MISSING)" ] || echo "make test needs these, which are missing, and installs them now: $(MISSING)"
	@mkdir -p .tools && rm -f .tools/times
	@$(MAKE) --no-print-directory -j3 tools form vet
	@$(MAKE) --no-print-directory -j4 programs rooms trials race checks
	@awk '{ printf "%6.0f s of CPU in %4.0f s: %s\n", $$2 + $$3, $$4, $$1; all += $$2 + $$3 } \
		END { printf "%6.0f s of CPU in all\n", all }' .tools/times | sort -n

# go does not notice changes of our program when tests run it as a process, so these run every time.
programs:
	$(TIMED) $(PLAIN) go test -vet=off -count=1 -timeout 20m -parallel 6 ./cmd/petsupply
trials:
	$(TIMED) $(PLAIN) go test -vet=off -count=1 -timeout 20m ./cmd/petsupply/trial
rooms:
	$(TIMED) $(PLAIN) nice -n 5 go test -vet=off -timeout 20m $$(go list ./... | grep -v /cmd/)

# The tests in files that end with _race_test.go run once more, with the race detector. Less garbage
# is collected, because none of them measures memory.
RACING = $(shell find cmd internal -name '*_race_test.go')
race:
	@$(TIMED) env CGO_ENABLED=1 GOGC=200 GOFLAGS=-trimpath nice -n 5 go test -race -vet=off -timeout 20m \
		-run "^($$(sed -n 's/^func \(Test[^(]*\).*/\1/p' $(RACING) | paste -sd'|'))$$" \
		$$(dirname $(RACING) | sort -u | sed 's|^|./|')

# Without its database govulncheck is useless, so it is not built.
checks: $(TOOLS)/staticcheck
	$(TIMED) $(PLAIN) nice -n 19 staticcheck ./...
	@if curl -sfI -m 20 https://vuln.go.dev/index/modules.json >/dev/null; \
	then $(PLAIN) go run golang.org/x/vuln/cmd/govulncheck@v1.1.4 ./...; \
	else echo "govulncheck: not run, its database https://vuln.go.dev cannot be reached from here"; fi

# Pictures must have the same pixels on another processor. Specifications and the files for
# operators are checked with the programs that read them.
.PHONY: soak simulate nodes bench
FUZZTIME ?= 1m
soak: tools
	$(PLAIN) go test -tags soak -count=1 -v -timeout 0 ./...
	$(PLAIN) GOARCH=arm64 go test -vet=off -short -exec qemu-aarch64-static ./internal/art ./internal/art/png
	cd deploy/lint && npm ci --no-audit --no-fund --silent && $(PLAIN) go test -count=1 ./...
	@for pkg in $$(go list ./internal/...); do for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
		go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$pkg || exit 1; done; done

SECONDS = 600
simulate:
	$(PLAIN) go test -count=1 ./testkit/simulate -run TestNewSeeds -seconds $(SECONDS) -keep -v -timeout 0

nodes:
	go run ./testkit/nodes -write $(if $(CLIENTS),-clients $(CLIENTS))

bench:
	go run ./bench $(if $(NAME),-name '$(NAME)')

# What the tests need from Debian, from npm and from the Go module proxy, if it is missing. The
# benchmarks need more.
debs  = $(foreach p,$1,$(shell command -v $(firstword $(subst :, ,$p)) >/dev/null || echo $(lastword $(subst :, ,$p))))
DEBS  := $(strip $(call debs,chromium nginx pngcheck python3 sqlite3 qemu-aarch64-static:qemu-user-static systemd-analyze:systemd) \
	$(shell ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || echo postgresql))
PEERS := $(strip $(call debs,wrk h2load:nghttp2-client node:nodejs npm) $(filter nginx postgresql,$(DEBS)))
bench: DEBS := $(PEERS)
soak:  DEBS += $(PEERS)
bench soak: debian bench/node_modules
INSTALLED := testkit/contracts/node_modules testkit/clients/ts/node_modules internal/web/site/node_modules $(TOOLS)/staticcheck
MISSING   := $(strip $(foreach f,$(INSTALLED),$(if $(wildcard $f),,$(subst $(CURDIR)/,,$f))) $(DEBS))
SUDO      := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
tools: debian $(INSTALLED)
debian:
	$(if $(strip $(DEBS)),$(SUDO) apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $(DEBS) >/dev/null)
%/node_modules: %/package-lock.json
	npm ci --prefix $* --no-audit --no-fund --silent && touch $@
$(TOOLS)/staticcheck:
	$(PLAIN) GOBIN=$(TOOLS) go install honnef.co/go/tools/cmd/staticcheck@v0.7.0
