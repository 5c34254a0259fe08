package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// secretive is a configuration in which every secret comes from the environment.
const secretive = `
chains: {one: {id: 1, rpc: [$NODE_ADDRESS]}}
tlog: {key: $LOG_KEY}
webhooks: [{name: hook, url: $HOOK_ADDRESS, secret: $HOOK_SECRET, events: [supply]}]
tokens:
  - {path: gem, symbol: GEM, name: Gem, ledger: [{label: All, bucket: issued, amount: 1000}]}
  - {path: jade, symbol: JADE, name: Jade, ledger: [{label: All, bucket: issued, chain: one, erc20: "0x5FbDB2315678afecb367f032d93F642f64180aa3"}]}
realms: [{key: home, offset: 0, getter: v1, closed: true}]
`

// TestCommandsThatReadOrDecideMakeNoStore: if --data is missing or misspelt, these commands say
// where they looked, and create nothing there.
func TestCommandsThatReadOrDecideMakeNoStore(t *testing.T) {
	for _, test := range []struct {
		args string
		code int
	}{
		{"release gem --reason seen", exitUsage},
		{"release gem --reason seen --accept heights", exitUsage},
		{"correct 0123456789abcdef --reason wrong", exitUsage},
		{"supply", exitUsage},
		{"supply gem", exitUsage},
		{"supply gem --since 1d", exitUsage},
		{"freeze -o OUT", exitUsage},
		{"reindex", exitUsage},
		{"measure gem", exitOK}, // it also says what the service would do with the measurement
	} {
		t.Run(test.args, func(t *testing.T) {
			dir := t.TempDir()
			file, data := filepath.Join(dir, "p.yaml"), filepath.Join(dir, "data")
			must(t, os.WriteFile(file, []byte(secretive), 0o600))
			args := strings.Fields(strings.ReplaceAll(test.args, "OUT", filepath.Join(dir, "out")))
			code, out, errs := call(t, append(args, "--config", file, "--data", data)...)
			if want := filepath.Join(data, "petsupply.db"); code != test.code || !strings.Contains(out+errs, want) {
				t.Errorf("exit %d, want %d with %s named:\n%s%s", code, test.code, want, out, errs)
			}
			if made, _ := filepath.Glob(dir + "/*"); len(made) != 1 {
				t.Errorf("it made %v", made[:])
			}
		})
	}
}

// TestDecidingNeedsOnlyTheStore: an operator with a shell can release and correct with only the
// secret of the store.
func TestDecidingNeedsOnlyTheStore(t *testing.T) {
	dir := t.TempDir()
	file, elsewhere := filepath.Join(dir, "p.yaml"), filepath.Join(dir, "e.yaml")
	must(t, os.WriteFile(file, []byte(secretive), 0o600))
	must(t, os.WriteFile(elsewhere, []byte("store: $STORE_ADDRESS\n"+secretive), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "gem.yaml"), []byte(secretive[strings.Index(secretive, "realms:"):]), 0o600))
	if code, out, errs := call(t, "import", "-", "--config", filepath.Join(dir, "gem.yaml"), "--data",
		dir); code != exitOK {
		t.Fatalf("making a store: %s%s", out, errs)
	}
	store := filepath.Join(dir, "petsupply.db")
	for _, test := range []struct {
		args string
		code int
		want []string
	}{
		{"release gem --reason seen --config " + file, exitNo, []string{store, "no figure is held"}},
		{"correct 0123456789abcdef --reason wrong --config " + file, exitNo, []string{store, "no such snapshot"}},
		{"supply --config " + file, exitOK, nil},
		{"reindex --config " + file, exitOK, []string{store, "now uses the current collection"}},
		{"measure jade --config " + file, exitUsage, []string{"chains.one.rpc[0]: the environment has no value for NODE_ADDRESS"}},
		{"release gem --reason seen --config " + elsewhere, exitUsage,
			[]string{"store: the environment has no value for STORE_ADDRESS"}},
	} {
		t.Run(test.args, func(t *testing.T) {
			code, out, errs := call(t, append(strings.Fields(test.args), "--data", dir)...)
			if code != test.code || strings.Contains(errs, "HOOK") {
				t.Errorf("exit %d, want %d\n%s%s", code, test.code, out, errs)
			}
			for _, want := range test.want {
				if !strings.Contains(out+errs, want) {
					t.Errorf("no %q in\n%s%s", want, out, errs)
				}
			}
		})
	}
}
