package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
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

// sbom lists the modules of a binary in the form of CycloneDX.
func (r *release) sbom(modules []module) ([]byte, error) {
	var components []component
	for _, m := range modules {
		components = append(components, newComponent("library", m.path, m.version, m.sum, m.licence))
	}
	text, err := json.MarshalIndent(map[string]any{
		"$schema":   "http://cyclonedx.org/schema/bom-1.6.schema.json",
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{"timestamp": r.date,
			"component": newComponent("application", "petsupply", r.version, "", "Apache-2.0")},
		"components": components,
	}, "", "  ")
	return append(text, '\n'), err
}
