package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Every module of the program on every platform of a release has a licence that a release may use.
func TestEveryModuleHasALicence(t *testing.T) {
	seen := map[string]bool{}
	for _, platform := range platforms {
		goos, goarch, _ := strings.Cut(platform, "/")
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}",
			"petsupply/cmd/petsupply")
		list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
		out, err := list.Output()
		if err != nil {
			t.Fatalf("listing the modules: %v", err)
		}
		for line := range strings.Lines(string(out)) {
			path, folder, _ := strings.Cut(strings.TrimSpace(line), " ")
			if path == "" || seen[path] {
				continue
			}
			seen[path] = true
			if _, err := licenceOf(folder); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d modules were seen", len(seen))
	}
}

func TestLicencesThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"GNU AFFERO GENERAL PUBLIC LICENSE": "AGPL-3.0 forbids what a release does",
		"All rights reserved.":              "none is recognised",
	} {
		folder := t.TempDir()
		if err := os.WriteFile(folder+"/LICENSE", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if name, err := licenceOf(folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %q, %v; want an error with %q", text, name, err, want)
		}
	}
}
