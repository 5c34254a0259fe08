#!/usr/bin/env bash
# Builds the node software of a client from source, unless it is there:
#
#	build.sh CLIENT BIN
#
# CLIENT is geth, kaia, coreth or subnet-evm; BIN is the directory for programs, an absolute path.
set -euo pipefail
client=$1
bin=$2
here=$(cd "$(dirname "$0")" && pwd)
src=$(dirname "$bin")/src
mkdir -p "$bin/plugins" "$src"
export CGO_ENABLED=1 GOFLAGS='' GOBIN=$bin # all clients use cgo
cd "${TMPDIR:-/tmp}"

avalanchego=github.com/ava-labs/avalanchego
version=v1.13.5
# The id by which avalanchego finds subnet-evm among its plugins.
subnet_vm=srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy

has() { [ -e "$bin/$1" ]; }

# copy MODULE NAME copies a module's source to a writable directory, once, and goes there.
copy() {
	if [ ! -e "$src/$2/go.mod" ]; then
		dir=$(go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
		cp -r "$dir" "$src/$2"
		chmod -R u+w "$src/$2"
	fi
	cd "$src/$2"
}

# avalanchego is compiled in the module cache, not in a copy. subnet-create imports the same
# packages, which need not be compiled again.
build_avalanchego() {
	has avalanchego && return
	go install "$avalanchego/main@$version"
	mv "$bin/main" "$bin/avalanchego"
}

build_subnet_evm() {
	build_avalanchego
	if ! has "plugins/$subnet_vm"; then
		copy github.com/ava-labs/subnet-evm@v0.7.9 subnet-evm
		# A container may not allow as many open files as the plugin asks for by default.
		sed -i s/ulimit.DefaultFDLimit/16384/ plugin/runner/runner.go
		go build -o "$bin/plugins/$subnet_vm" ./plugin
	fi
	has subnet-create && return
	mkdir -p "$src/subnet-create" # its own module, because it needs avalanchego
	cd "$src/subnet-create"
	printf 'module subnetcreate\n\ngo 1.24\n\nrequire %s %s\n' "$avalanchego" "$version" >go.mod
	cp "$here/subnet-create.go.txt" main.go
	GOFLAGS=-mod=mod go build -o "$bin/subnet-create" .
}

build_kaia() {
	has kcn && has homi && return
	copy github.com/kaiachain/kaia@v1.0.3 kaia
	go mod edit -require github.com/supranational/blst@v0.3.16
	GOFLAGS=-mod=mod go build -ldflags=-checklinkname=0 -o "$bin/" ./cmd/homi ./cmd/kcn
}

case $client in
geth | geth-hash) has geth || go install github.com/ethereum/go-ethereum/cmd/geth@v1.17.7 ;;
kaia) build_kaia ;;
coreth) build_avalanchego ;;
subnet-evm) build_subnet_evm ;;
*)
	echo "no client is called $client" >&2
	exit 2
	;;
esac
