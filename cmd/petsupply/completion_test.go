package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// completed has typed lines, words that a shell must offer next, and words that it must not offer.
// If nothing is offered, shells complete file names.
var completed = []struct{ line, want, not string }{
	{"petsupply se", "serve", "supply thaw"},
	{"petsupply ", "serve init config completion", "--listen complete"},
	{"petsupply config ", "check show schema", "serve"},
	{"petsupply config check --on", "--online", "check"},
	{"petsupply serve ", "--config --listen", "serve"},
	{"petsupply serve --log", "--log-format", "--listen"},
	{"petsupply serve --log-format ", "text json", "--listen"},
	{"petsupply serve --no-e", "--no-express", "--express"},
	{"petsupply serve -v --log-format j", "json", "text"},
	{"petsupply serve --log-format = ", "text json", "--listen"},
	{"petsupply serve --log-format = j", "json", "text"},
	{"petsupply serve --listen :80 --dem", "--demo", "--data"},
	{"petsupply verify ", "", "--key"},
	{"petsupply verify --k", "--key", "--rpc"},
	{"petsupply serve --config ", "", "--listen"},
	{"petsupply completion ", "bash zsh fish powershell", "serve"},
}

// TestCompletion completes lines in bash, which is everywhere, and in fish, if it is installed. Zsh
// runs the script for bash. Bash splits a line at an equals sign.
func TestCompletion(t *testing.T) {
	for _, shell := range []struct{ name, ask string }{
		{"bash", `source "$0"
COMP_WORDS=($1); case "$1" in *" ") COMP_WORDS+=("") ;; esac
COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _petsupply; printf '%s\n' "${COMPREPLY[@]}"`},
		{"fish", `source $argv[1]; complete -C $argv[2]`},
		{"zsh", ""},
		{"powershell", ""},
	} {
		t.Run(shell.name, func(t *testing.T) {
			code, script, errs := call(t, "completion", shell.name)
			if code != exitOK {
				t.Fatal(errs)
			}
			if !strings.Contains(script, "petsupply complete -- ") {
				t.Errorf("the script does not ask the program:\n%s", script)
			}
			program, err := exec.LookPath(shell.name)
			if shell.ask == "" || err != nil && (shell.name != "bash" || testing.Short()) {
				return
			}
			file := filepath.Join(t.TempDir(), "script")
			must(t, os.WriteFile(file, []byte(script), 0o600))
			for _, test := range completed {
				t.Run(test.line, func(t *testing.T) {
					cmd := exec.Command(program, "-c", shell.ask, file, test.line)
					cmd.Dir = t.TempDir() // has no files to offer
					out, err := cmd.CombinedOutput()
					if err != nil {
						t.Fatalf("%v\n%s", err, out)
					}
					offered := strings.Fields(string(out))
					for word := range strings.FieldsSeq(test.want) {
						if !slices.Contains(offered, word) {
							t.Errorf("%s is not offered, but %q", word, offered)
						}
					}
					for word := range strings.FieldsSeq(test.not) {
						if slices.Contains(offered, word) {
							t.Errorf("%s is offered", word)
						}
					}
					if test.want == "" && len(offered) > 0 {
						t.Errorf("%q are offered", offered)
					}
				})
			}
		})
	}
}
