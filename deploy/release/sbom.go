package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// A component is a module of the binary, as CycloneDX describes it.
type component struct {
	Type     string              `json:"type"`
	Ref      string              `json:"bom-ref"`
	Name     string              `json:"name"`
	Version  string              `json:"version"`
	Hashes   []map[string]string `json:"hashes,omitempty"`
	Licences []any               `json:"licenses"`
	Purl     string              `json:"purl"`
}

// newComponent describes a module. sum is its checksum as in go.sum, h1:…. Like CycloneDX's own
// tool for Go, newComponent lists it as SHA-256 in hexadecimal.
func newComponent(kind, path, version, sum, licence string) component {
	purl := "pkg:golang/" + path + "@" + version
	c := component{Type: kind, Ref: purl, Name: path, Version: version, Purl: purl,
		Licences: []any{map[string]any{"license": map[string]string{"id": licence}}}}
	if raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(sum, "h1:")); err == nil && len(raw) == 32 {
		c.Hashes = []map[string]string{{"alg": "SHA-256", "content": hex.EncodeToString(raw)}}
	}
	return c
}

// sbom lists the modules in a binary, with the licences of docs/LICENCES.md, in the form of
// CycloneDX.
func (r *release) sbom(binary []byte) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		return nil, fmt.Errorf("listing the modules: %w", err)
	}
	table, err := os.ReadFile(filepath.Join(r.source, "docs/LICENCES.md"))
	if err != nil {
		return nil, err
	}
	standard := newComponent("library", "std", strings.TrimPrefix(info.GoVersion, "go"), "", "BSD-3-Clause")
	components := []component{standard}
	for _, m := range info.Deps {
		_, row, found := strings.Cut(string(table), "\n| "+m.Path+" | ")
		if !found {
			return nil, fmt.Errorf("%s is not in docs/LICENCES.md", m.Path)
		}
		licence, _, _ := strings.Cut(row, " |")
		components = append(components, newComponent("library", m.Path, m.Version, m.Sum, licence))
	}
	text, err := json.MarshalIndent(map[string]any{
		"$schema":   "http://cyclonedx.org/schema/bom-1.6.schema.json",
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{"timestamp": r.date,
			"component": newComponent("application", info.Main.Path, r.version, "", "Apache-2.0")},
		"components": components,
	}, "", "  ")
	return append(text, '\n'), err
}

// licences returns the texts of the licences of all modules in a binary, and of Go. Most of these
// licences require that the texts are included.
func (r *release) licences(ctx context.Context, binary []byte, dir string) (files []packed, err error) {
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		return nil, fmt.Errorf("listing the modules: %w", err)
	}
	args := []string{"list", "-m", "-f", "{{.Path}} {{.Dir}}"}
	for _, m := range info.Deps {
		args = append(args, m.Path)
	}
	list := exec.CommandContext(ctx, "go", args...)
	list.Dir = r.source
	modules, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("looking for modules: %w", err)
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("looking for Go: %w", err)
	}
	for line := range strings.Lines("std " + string(root) + string(modules)) {
		module, folder, _ := strings.Cut(strings.TrimSpace(line), " ")
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, fmt.Errorf("the licence of %s: %w", module, err)
		}
		for _, e := range entries {
			if !licenceFile.MatchString(e.Name()) || e.IsDir() {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				return nil, err
			}
			files = append(files, packed{dir + "/licences/" + module + "/" + e.Name(), 0o644, text})
		}
	}
	return files, nil
}

// licenceFile matches names of files with licences. One module has its notice only in bloomfilter.go.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|bloomfilter\.go$)`)
