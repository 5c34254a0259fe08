package trial

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// licences are recognised by texts that no other licence has, the more specific first. An unknown
// or forbidden licence fails the test.
var licences = []struct {
	name  string
	words []string
}{
	{"AGPL-3.0", []string{"GNU AFFERO GENERAL PUBLIC LICENSE"}},
	{"LGPL-3.0", []string{"GNU LESSER GENERAL PUBLIC LICENSE", "Version 3"}},
	{"GPL", []string{"GNU GENERAL PUBLIC LICENSE"}},
	{"MPL-2.0", []string{"Mozilla Public License", "2.0"}},
	{"Apache-2.0", []string{"Apache License", "Version 2.0"}},
	{"ISC", []string{"Permission to use, copy, modify, and", "distribute this software for any"}},
	{"MIT", []string{"Permission is hereby granted, free of charge, to any person obtaining a copy"}},
	{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "to endorse or promote products"}},
	{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms"}},
	{"Unlicense", []string{"This is free and unencumbered software released into the public domain"}},
	{"CC0-1.0", []string{"CC0 1.0 Universal"}},
}

var forbidden = []string{"AGPL-3.0", "GPL", ""}

// platforms are the platforms of a release.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// modulesOf lists the modules of the program on a platform, each with its directory.
func modulesOf(t *testing.T, platform string) []string {
	t.Helper()
	goos, goarch, _ := strings.Cut(platform, "/")
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}|{{.Dir}}{{end}}{{end}}",
		"petsupply/cmd/petsupply")
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
	out, err := list.Output()
	if err != nil {
		t.Fatalf("listing the modules: %v", err)
	}
	modules := strings.Fields(string(out))
	slices.Sort(modules)
	return slices.Compact(modules)
}

// TestLicences lists the licence of every module in the binaries, and refuses licences that
// distributors could not comply with.
func TestLicences(t *testing.T) {
	var modules []string
	for _, platform := range platforms {
		modules = append(modules, modulesOf(t, platform)...)
	}
	slices.Sort(modules)
	modules = slices.Compact(modules)
	var b strings.Builder
	b.WriteString("# Licences of the modules in the binary\n\nThe binary contains these Go modules. A test compares the " +
		"list with the binary. This command\nwrites the list again: " +
		"`go test ./cmd/petsupply/trial -run TestLicences -update`.\n\n" +
		"Everyone who receives the binary may replace modules under LGPL-3.0 with other versions. So if you\n" +
		"pass the binary on, include the source code of petsupply, or say where it is.\n\n" +
		"| module | licence |\n|---|---|\n")
	for _, line := range modules {
		path, dir, _ := strings.Cut(line, "|")
		name := licence(t, dir)
		if slices.Contains(forbidden, name) {
			t.Errorf("%s has the licence %q", path, name)
		}
		fmt.Fprintf(&b, "| %s | %s |\n", path, name)
	}
	file := "../../../docs/LICENCES.md"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(file); err != nil || string(kept) != b.String() {
		t.Errorf("docs/LICENCES.md is not what is in the binary (%v); run the test with -update", err)
	}
}

// TestLicencesMatchTheBinary: the list has every module that the binary names.
func TestLicencesMatchTheBinary(t *testing.T) {
	out, err := exec.Command("go", "version", "-m", binary(t, "old")).Output()
	if err != nil {
		t.Fatal(err)
	}
	listed, seen := text(t, "docs/LICENCES.md"), 0
	for line := range strings.Lines(string(out)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "dep" {
			seen++
			if !strings.Contains(listed, "\n| "+words[1]+" | ") {
				t.Errorf("%s is in the binary, but not in docs/LICENCES.md", words[1])
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d modules were seen", seen)
	}
}

// licence returns the licence in a module's directory. If there are several, it returns the
// strictest. The LGPL is an exception: it comes with the GPL, whose text it extends.
func licence(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "[LlCcU][IiOoN][CcPpL]*"))
	if err != nil {
		t.Fatal(err)
	}
	best := len(licences)
	found := map[string]bool{}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil || strings.Contains(f, "LICENSE-3RD-PARTY") || strings.Contains(f, "LICENSE-SQLITE") {
			continue // a directory, or the licence of a part by others
		}
		words := strings.Join(strings.Fields(string(raw)), " ")
		for i, l := range licences {
			if !slices.ContainsFunc(l.words, func(w string) bool { return !strings.Contains(words, w) }) {
				found[l.name] = true
				best = min(best, i)
				break
			}
		}
	}
	if best == len(licences) && saysMIT(dir) {
		return "MIT"
	}
	switch {
	case found["LGPL-3.0"]:
		return "LGPL-3.0"
	case best == len(licences):
		return ""
	}
	return licences[best].name
}

// saysMIT reports whether a module without a licence file names that licence at the top of its
// sources.
func saysMIT(dir string) bool {
	sources, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	return slices.ContainsFunc(sources, func(name string) bool {
		text, _ := os.ReadFile(name)
		head, _, _ := strings.Cut(string(text), "\npackage ")
		return strings.Contains(head, "MIT license")
	})
}
