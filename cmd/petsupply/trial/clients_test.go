//go:build soak

package trial

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"petsupply/testkit/check"
)

// Clients are generated from the specifications that a running service publishes. They compile in
// strict mode without a warning, and request everything.
func TestGeneratedClients(t *testing.T) {
	p := newInstance(t, binary(t), "--data", t.TempDir())
	p.start(t)
	base := "http://" + strings.Replace(p.listen, "127.0.0.1", "localhost", 1)
	supply := base + "/supply"
	pets := base + "/pets"
	t.Run("oapi-codegen", func(t *testing.T) {
		dir := clientDir(t, "go", supply, pets)
		run(t, dir, "go", "mod", "download")
		for _, name := range []string{"supply", "pets"} {
			check.Must(t, os.Mkdir(filepath.Join(dir, name), 0o700))
			silent(t, dir, "go", "tool", "oapi-codegen", "-generate", "types,client", "-package", name,
				"-o", name+"/client.go", name+".json")
		}
		silent(t, dir, "go", "vet", "./...")
		if out := run(t, dir, "go", "run", ".", supply, pets); !strings.Contains(out, " operations") {
			t.Errorf("it said %q", out)
		}
	})
	t.Run("TypeScript", func(t *testing.T) {
		dir := clientDir(t, "ts", supply, pets)
		for _, name := range []string{"supply", "pets"} {
			run(t, dir, "node_modules/.bin/openapi-typescript", name+".json", "-o", name+".d.ts")
			out := run(t, dir, "node_modules/.bin/openapi-ts", "-i", name+".json", "-o", name,
				"-c", "@hey-api/client-fetch")
			if strings.Contains(strings.ToLower(out), "warn") {
				t.Errorf("hey-api said %s", out)
			}
		}
		silent(t, dir, "node_modules/.bin/tsc", "-p", ".")
		if out := run(t, dir, "node", "out/use.js", supply, pets); !strings.Contains(out, " operations") {
			t.Errorf("it said %q", out)
		}
	})
}

// clientDir copies the files of a client and puts both specifications beside them.
func clientDir(t *testing.T, name, supply, pets string) string {
	t.Helper()
	dir := t.TempDir()
	from, err := filepath.Abs("../../../testkit/clients/" + name)
	check.Must(t, err)
	files, err := os.ReadDir(from)
	check.Must(t, err)
	for _, f := range files {
		if f.Name() == "node_modules" {
			check.Must(t, os.Symlink(filepath.Join(from, f.Name()), filepath.Join(dir, f.Name())))
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, f.Name()))
		check.Must(t, err)
		check.Must(t, os.WriteFile(filepath.Join(dir, f.Name()), text, 0o600))
	}
	for file, url := range map[string]string{"supply.json": supply, "pets.json": pets} {
		res, err := http.Get(url + "/openapi.json")
		check.Must(t, err)
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		check.Must(t, err)
		check.Must(t, os.WriteFile(filepath.Join(dir, file), text, 0o600))
	}
	return dir
}

// run runs a program that must succeed, and returns its output.
func run(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// silent runs a program that must succeed and print nothing.
func silent(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	if out := run(t, dir, program, args...); out != "" {
		t.Errorf("%s %s printed %s", program, strings.Join(args, " "), out)
	}
}
