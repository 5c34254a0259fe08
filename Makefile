# make build      the static binary, in bin/
# make quick      while you work: form, vet and the short tests, which need only Go
# make test       before you send a change: all tests; it installs the programs that they need
# make bench      measure beside nginx, pgbench, sharp and ethers; NAME=… for rows whose name begins so
# make release    archives with checksums for every platform, in dist/; VERSION=v1.2.3 unless git has a tag
#
# long:
# make soak       hours of correctness: pets, kills, reorgs, altered proofs, audits
# make simulate   new seeds of the simulator for SECONDS=600; it saves failures in testdata
# make nodes      try geth, Kaia, avalanchego and subnet-evm; CLIENTS=geth,kaia TOGETHER=1h RECORD=1
# make fuzz       every fuzz target for FUZZTIME=1m
# make scale      a collection of PETS=20000000 pets in PostgreSQL
#
# also:
# make devnet     four local nodes with example contracts, and a service that reads them
# make docs       write docs/CONFIG.md and the schemas of both kinds of files
# make faults     write the tables of docs/FAULTS.md
# make lint       check the deployment files and the specifications with the programs that read them
# make platforms  build the program for every platform
# make tools      install the programs that the tests need

SHELL     := /bin/bash
TOOLS     := $(CURDIR)/.tools/bin
export PATH := $(TOOLS):$(PATH):/usr/local/go/bin:/usr/sbin
STATICCHECK_VERSION := v0.7.0
SUDO      := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# Everything except the race detector builds in the same way, so that vet, tests, the
# programs that tests run and the binary share compiled packages. With -trimpath, another
# clone of the project shares them too.
PLAIN     := env CGO_ENABLED=0 GOFLAGS=-trimpath

# What make test runs notes its CPU time, so that growth is seen.
TIMED      = testkit/timed $@

.PHONY: help
help:
	@sed -n '/^$$/q; s/^# \{0,1\}//p' Makefile

.PHONY: build
build:
	$(PLAIN) go build -ldflags '-s -w -X main.version=$(VERSION)' -o bin/petsupply ./cmd/petsupply

.PHONY: release
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
release:
	$(PLAIN) go run ./deploy/release -version '$(VERSION)' -commit "$$(git rev-parse HEAD)" \
		-date "$$(TZ=UTC git show -s --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)" -o dist

# While downloads wait for the network, vet and the compiler for the race detector
# use the processors. Most tests wait most of the time, so four groups of them run at
# once. The longest groups come first. Groups that compute most of the time are nice to
# those that wait.
.PHONY: test
test:
	@[ -z "$(MISSING)" ] || echo "make test needs these, which are missing, and installs them now: $(MISSING)"
	@mkdir -p .tools && rm -f .tools/times
	@$(MAKE) --no-print-directory -j4 tools form vet race-compiled
	@$(MAKE) --no-print-directory -j4 rooms browser programs race-rooms trials cluster race-programs compiled
	@awk '{ cpu[$$1] += $$2 + $$3; wall[$$1] += $$4; all += $$2 + $$3 } \
		END { for (g in cpu) printf "%6.0f s of CPU in %4.0f s: %s\n", cpu[g], wall[g], g; printf "%6.0f s of CPU in all\n", all }' \
		.tools/times | sort -n

# One after the other, because two at once would slow down the tests beside them.
.PHONY: compiled
compiled: staticcheck vulnerable plan arm64
vulnerable: staticcheck
plan: vulnerable
arm64: plan

.PHONY: quick
quick: form vet
	$(PLAIN) go test -vet=off -short $$(go list ./... | grep -v -e /trial$$ -e /testkit/)

.PHONY: form
form:
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "gofmt these: $$bad"; exit 1; }
	go mod tidy -diff

.PHONY: vet
vet:
	$(TIMED) $(PLAIN) go vet ./...

.PHONY: staticcheck
staticcheck: $(TOOLS)/staticcheck
	$(TIMED) $(PLAIN) nice -n 19 staticcheck ./...

# Without its database govulncheck is useless, so it is not built.
.PHONY: vulnerable
vulnerable:
	@if command -v curl >/dev/null && ! curl -sfI -m 20 https://vuln.go.dev/index/modules.json >/dev/null; then \
		echo "govulncheck: not run, its database https://vuln.go.dev cannot be reached from here"; \
	else $(MAKE) --no-print-directory $(TOOLS)/govulncheck && $(PLAIN) govulncheck ./...; fi

# The race detector runs on rooms that start goroutines or use locks. Of the indexer it runs
# only the soak, in which all realms work at once. Of the store it runs tests
# with concurrent callers, and of whole programs the paths of a plain service.
RACE := ./internal/app ./internal/art/gallery ./internal/evm/... ./internal/pet/directory ./internal/supply ./internal/supply/proof/gather ./internal/supply/tlog ./internal/turns ./internal/web ./internal/web/answer ./internal/web/express/... ./internal/webhook

# Tests of those rooms that use one goroutine, and that the race detector would make many times
# slower. They run without it. Other tests call the same code concurrently.
ALONE := ^(TestAnAnswerCosts|TestListingsFromAStore|FuzzAnswers|TestOtherProgramsReadTheLog|TestAddresses|TestA304|TestEveryRoutePays|TestTheDemo|TestABurnedPetKeeps|TestScripts|TestFloods|TestNoCacheShows|TestAHistoryPays|TestRendered|TestVerifyRejects|TestRecentFigures)

# Less garbage collection: none of these tests measures memory.
RACING := env CGO_ENABLED=1 GOGC=200 GOFLAGS=-trimpath nice -n 5 go test -race -vet=off

.PHONY: race-compiled race-rooms race-programs
race-compiled: vet
	$(TIMED) env CGO_ENABLED=1 GOFLAGS=-trimpath go build -race ./internal/... ./testkit/...
race-rooms:
	$(TIMED) $(RACING) -timeout 20m -skip '$(ALONE)|Allocates' $(RACE)
race-programs:
	$(TIMED) $(RACING) -timeout 10m -run TestSoak ./internal/pet/index
	$(TIMED) $(RACING) -timeout 10m -run 'Leader|Term|Takeover|AtOnce|Thousands|Connections|Gate' ./internal/store ./internal/store/database
	$(TIMED) $(RACING) -timeout 10m -run 'TestServe|TestNoAccepted' ./cmd/petsupply

# Everything else runs without the race detector, and so do tests that it would disturb,
# such as those that count allocations. Results are not taken from the cache, because go
# does not notice changes in programs that tests build. Long tests are in make soak.
LONG := TestSoak|TestPaint|TestOnPostgreSQL
BROWSER := ^(TestSite|TestSiteHostile|TestSiteLive)$$
CLUSTER := ^(TestCluster|TestDisk)$$
.PHONY: cluster trials programs browser rooms
cluster:
	$(TIMED) $(PLAIN) go test -vet=off -count=1 -timeout 20m -run '$(CLUSTER)' ./cmd/petsupply/trial
trials:
	$(TIMED) $(PLAIN) go test -vet=off -count=1 -timeout 20m -skip '$(CLUSTER)' ./cmd/petsupply/trial
programs:
	$(TIMED) $(PLAIN) go test -vet=off -count=1 -timeout 20m -parallel 6 -skip '$(LONG)|$(BROWSER)' ./cmd/petsupply
browser:
	$(TIMED) $(PLAIN) go test -vet=off -count=1 -timeout 20m -run '$(BROWSER)' ./cmd/petsupply
rooms:
	$(TIMED) $(PLAIN) nice -n 5 go test -vet=off -timeout 20m -run 'Alloc|$(ALONE)' ./internal/evm/... ./internal/supply ./internal/app ./internal/web ./internal/web/express
	$(TIMED) $(PLAIN) nice -n 5 go test -vet=off -count=1 -timeout 20m -skip '$(LONG)' $$(go list ./... | grep -vxFf <(go list $(RACE) ./internal/archtest ./cmd/...))

# Pictures have the same pixels on another processor.
.PHONY: arm64
arm64:
	$(TIMED) $(PLAIN) GOARCH=arm64 nice -n 19 go test -vet=off -exec qemu-aarch64-static -run 'TestGolden|TestBytes' \
		./internal/art ./internal/art/png

# Checks imports between packages.
.PHONY: plan
plan:
	$(TIMED) $(PLAIN) nice -n 19 go test -count=1 -timeout 20m ./internal/archtest

.PHONY: platforms
platforms:
	for os in linux darwin windows; do for arch in amd64 arm64; do \
		$(PLAIN) GOOS=$$os GOARCH=$$arch go build -o /dev/null ./cmd/petsupply || exit 1; done; done

.PHONY: fuzz
FUZZTIME ?= 1m
fuzz:
	@for pkg in $$(go list ./internal/...); do \
		for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$pkg || exit 1; \
		done; \
	done

.PHONY: soak
soak: tools $(TOOLS)/h2spec
	go test -count=1 ./internal/pet/index -run TestSoak -soak -v -timeout 60m
	go test -count=1 ./internal/store -run TestCopyKilled -moments 20 -v -timeout 60m
	go test -count=1 ./testkit/contracts -compile -v
	go test -count=1 ./internal/supply/proof/gather -run TestNothingFalseIsProven -soak 1h -v -timeout 70m
	go test -count=1 ./internal/supply/audit -run TestRandom -soak 4m -v -timeout 60m
	go test -count=1 ./internal/web -run TestOtherProgramsReadTheLog -soak -v -timeout 30m
	go test -count=1 ./internal/web -run TestHTTP2Specification -tags h2spec -v
	go test -count=1 ./cmd/petsupply -run TestPaint -v
	go test -count=1 ./testkit/simulate -run TestOnPostgreSQL -v
	go run ./bench -name disturbed
	go test -count=1 ./cmd/petsupply/trial -run 'TestCluster|TestKill|TestAnyMoment' -soak 100 -v -timeout 120m

.PHONY: faults
faults: tools
	go test ./cmd/petsupply -run TestFaults -count=1 -update -timeout 20m
	go test ./cmd/petsupply/trial -count=1 -update -timeout 20m

.PHONY: simulate
SECONDS = 600
simulate:
	$(PLAIN) go test -count=1 ./testkit/simulate -run TestNewSeeds -seconds $$(($(SECONDS) / 2)) -keep -v -timeout 0
	$(PLAIN) go test -count=1 ./testkit/simulate -run TestNewSeeds -seconds $$(($(SECONDS) / 2)) -keep -v -timeout 0 -pets

.PHONY: nodes
nodes:
	go run ./testkit/nodes -write $(if $(CLIENTS),-clients $(CLIENTS)) $(if $(TOGETHER),-together $(TOGETHER)) $(if $(RECORD),-record)

.PHONY: lint
lint: deploy/lint/node_modules
	cd deploy/lint && $(PLAIN) go test -count=1 ./...

# Programs that the tests need, installed if they are missing.
DEBS := $(strip \
	$(shell ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || echo postgresql) \
	$(shell command -v chromium >/dev/null || echo chromium) \
	$(shell PATH=$$PATH:/usr/sbin command -v nginx >/dev/null || echo nginx) \
	$(shell command -v pngcheck >/dev/null || echo pngcheck) \
	$(shell command -v python3 >/dev/null || echo python3) \
	$(shell command -v qemu-aarch64-static >/dev/null || echo qemu-user-static) \
	$(shell command -v sqlite3 >/dev/null || echo sqlite3) \
	$(shell command -v systemd-analyze >/dev/null || echo systemd))

# What the tests need from npm and from the Go module proxy.
INSTALLED := testkit/contracts/node_modules testkit/upng/node_modules testkit/clients/ts/node_modules internal/web/site/node_modules $(TOOLS)/staticcheck
MISSING   := $(strip $(foreach f,$(INSTALLED),$(if $(wildcard $f),,$(subst $(CURDIR)/,,$f))) $(DEBS))

.PHONY: tools
tools: $(INSTALLED)
ifneq ($(DEBS),)
	$(SUDO) apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $(DEBS) >/dev/null
endif

%/node_modules: %/package-lock.json
	npm ci --prefix $* --no-audit --no-fund --silent && touch $@

$(TOOLS)/staticcheck:
	$(PLAIN) GOBIN=$(TOOLS) go install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)
$(TOOLS)/govulncheck:
	$(PLAIN) GOBIN=$(TOOLS) go install golang.org/x/vuln/cmd/govulncheck@v1.1.4
$(TOOLS)/h2spec:
	$(PLAIN) GOBIN=$(TOOLS) go install github.com/summerwind/h2spec/cmd/h2spec@v2.2.1+incompatible

.PHONY: devnet
devnet: testkit/contracts/node_modules
	go run ./testkit/devnet

.PHONY: docs
docs:
	$(PLAIN) go test ./internal/config ./internal/pet/collection -run UpToDate -count=1 -update

.PHONY: bench
bench: testkit/contracts/node_modules
	go run ./bench $(if $(NAME),-name '$(NAME)')

.PHONY: scale
PETS ?= 20000000
scale:
	go run ./bench -scale $(PETS)
