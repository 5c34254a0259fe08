package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// newComponent describes a module. sum is its line in go.sum, h1:…, which CycloneDX's own tool for
// Go gives as SHA-256 in hexadecimal.
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
