package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A module is part of a binary.
type module struct {
	path, version, sum string
	folder             string // of its sources
	licence            string // its SPDX identifier
}

// modules lists Go's library and the modules in a binary. It fails if a licence is unknown, or
// forbids what a release does.
func (r *release) modules(ctx context.Context, binary []byte) ([]module, error) {
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		return nil, fmt.Errorf("listing the modules: %w", err)
	}
	args := []string{"list", "-m", "-f", "{{.Dir}}"}
	for _, m := range info.Deps {
		args = append(args, m.Path)
	}
	list := exec.CommandContext(ctx, "go", args...)
	list.Dir = r.source
	said, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("looking for modules: %w", err)
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("looking for Go: %w", err)
	}
	folders := strings.Fields(string(said))
	if len(folders) != len(info.Deps) {
		return nil, fmt.Errorf("looking for modules: %d of %d have a folder", len(folders), len(info.Deps))
	}
	modules := []module{{path: "std", version: strings.TrimPrefix(info.GoVersion, "go"),
		folder: strings.TrimSpace(string(root)), licence: "BSD-3-Clause"}}
	for i, m := range info.Deps {
		licence, err := licenceOf(folders[i])
		if err != nil {
			return nil, fmt.Errorf("the licence of %s: %w", m.Path, err)
		}
		modules = append(modules, module{m.Path, m.Version, m.Sum, folders[i], licence})
	}
	return modules, nil
}

// licences are recognised by texts that no other licence has, the stricter first.
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

// forbidden are licences that who passes the binary on could not comply with.
var forbidden = []string{"AGPL-3.0", "GPL"}

// licenceOf returns the licence in a module's folder. If there are several, it returns the
// strictest. The LGPL is an exception: it comes with the GPL, whose text it extends.
func licenceOf(folder string) (string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "[LlCcU][IiOoN][CcPpL]*"))
	if err != nil {
		return "", err
	}
	best := len(licences)
	found := map[string]bool{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil || strings.Contains(f, "LICENSE-3RD-PARTY") || strings.Contains(f, "LICENSE-SQLITE") {
			continue // a directory, or the licence of a part by others
		}
		i := recognise(string(text))
		if i < len(licences) {
			found[licences[i].name] = true
		}
		best = min(best, i)
	}
	switch {
	case found["LGPL-3.0"]:
		return "LGPL-3.0", nil
	case best == len(licences) && saysMIT(folder):
		return "MIT", nil
	case best == len(licences):
		return "", fmt.Errorf("none is recognised in %s", folder)
	case slices.Contains(forbidden, licences[best].name):
		return "", fmt.Errorf("%s forbids what a release does", licences[best].name)
	}
	return licences[best].name, nil
}

// recognise returns the index of the licence with this text, or the number of licences.
func recognise(text string) int {
	text = strings.Join(strings.Fields(text), " ")
	for i, l := range licences {
		if !slices.ContainsFunc(l.words, func(w string) bool { return !strings.Contains(text, w) }) {
			return i
		}
	}
	return len(licences)
}

// saysMIT reports whether a module without a licence file names that licence at the top of its
// sources.
func saysMIT(folder string) bool {
	sources, _ := filepath.Glob(filepath.Join(folder, "*.go")) // the pattern is valid
	return slices.ContainsFunc(sources, func(name string) bool {
		text, _ := os.ReadFile(name)
		head, _, _ := strings.Cut(string(text), "\npackage ")
		return strings.Contains(head, "MIT license")
	})
}

// licenceFiles returns a list of the licences of all modules, and their texts. Most of these
// licences require that the texts are included.
func licenceFiles(modules []module, dir string) (files []packed, err error) {
	list := []byte("# Licences of the modules in the binary\n\n" +
		"Everyone who receives the binary may replace modules under LGPL-3.0 with other versions. So if you\n" +
		"pass the binary on, include the source code of petsupply, or say where it is.\n\n" +
		"| module | version | licence |\n|---|---|---|\n")
	for _, m := range modules {
		list = fmt.Appendf(list, "| %s | %s | %s |\n", m.path, m.version, m.licence)
		entries, err := os.ReadDir(m.folder)
		if err != nil {
			return nil, fmt.Errorf("the licence of %s: %w", m.path, err)
		}
		for _, e := range entries {
			if !licenceFile.MatchString(e.Name()) || e.IsDir() {
				continue
			}
			text, err := os.ReadFile(filepath.Join(m.folder, e.Name()))
			if err != nil {
				return nil, err
			}
			files = append(files, packed{dir + "/licences/" + m.path + "/" + e.Name(), 0o644, text})
		}
	}
	return append(files, packed{dir + "/LICENCES.md", 0o644, list}), nil
}

// licenceFile matches names of files with licences. One module has its notice only in bloomfilter.go.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|bloomfilter\.go$)`)
