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
` + secretless

// secretless is a configuration without secrets.
const secretless = `
tokens: [{path: gem, symbol: GEM, name: Gem, ledger: [{label: All, bucket: issued, amount: 1000}]}]
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
		{"freeze -o OUT", exitUsage},
		{"reindex", exitUsage},
		{"measure gem", exitOK}, // it also says what the service would do with the measurement
	} {
		t.Run(test.args, func(t *testing.T) {
			dir := t.TempDir()
			file, data := filepath.Join(dir, "p.yaml"), filepath.Join(dir, "data")
			must(t, os.WriteFile(file, []byte(secretless), 0o600))
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

// TestCommandsSayWhichVariableIsMissing: commands of the operator run with the environment of the
// service. If it is missing, they name the variables and do nothing.
func TestCommandsSayWhichVariableIsMissing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.yaml")
	must(t, os.WriteFile(file, []byte(secretive), 0o600))
	for _, args := range []string{
		"release gem --reason seen", "correct 0123456789abcdef --reason wrong", "import -", "reindex", "measure gem",
	} {
		t.Run(args, func(t *testing.T) {
			code, out, errs := call(t, append(strings.Fields(args), "--config", file, "--data", dir)...)
			if code != exitUsage || out != "" {
				t.Errorf("exit %d, want %d\n%s%s", code, exitUsage, out, errs)
			}
			for _, key := range []string{"chains.one.rpc[0]: the environment has no value for NODE_ADDRESS",
				"tlog.key: the environment has no value for LOG_KEY",
				"webhooks[0].secret: the environment has no value for HOOK_SECRET"} {
				if !strings.Contains(errs, key) {
					t.Errorf("no %q in\n%s", key, errs)
				}
			}
			if made, _ := filepath.Glob(dir + "/*"); len(made) != 1 {
				t.Errorf("it made %v", made)
			}
		})
	}
}
