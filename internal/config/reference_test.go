package config

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
)

// referencePage returns docs/CONFIG.md: a table for each type of the schema, in the order of their
// first use.
func referencePage(t *testing.T, root *jsonschema.Schema) []byte {
	t.Helper()
	b := &strings.Builder{}
	fmt.Fprint(b, `# The configuration file

The file is YAML. Keys may be left out unless they are *required*. An unknown key is an error. A key
that can hold a secret takes it from the environment: write `+"`$NAME`, or `${NAME}`"+` inside a longer
value. These keys are the addresses of nodes, of the store, of witnesses and of webhooks, the
secrets of webhooks, and the key of the log. A length of time is written like `+"`90s`, `10m`, `24h`, `7d` or `8w`"+`.

In the tables, the value *name: X* means a map from names of your choice to values of kind X. A key
that has no default and is left out is empty, 0 or false. If the value of a key has its own table,
that table gives the defaults.

`+"```sh"+`
petsupply config check petsupply.yaml            # lists every mistake with its line
petsupply config check petsupply.yaml --online   # also compares the file with its chains
petsupply config schema > petsupply.schema.json  # the JSON Schema, for editors
`+"```"+`

To let an editor complete and check the file, put this line first:
`+"`# yaml-language-server: $schema=petsupply.schema.json`"+`.

[minimal.yaml](../examples/minimal.yaml) has one token. [full.yaml](../examples/full.yaml) has every
key. [defikingdoms.yaml](../examples/defikingdoms.yaml) has tokens with bridges, and pets in several
realms. `+"`petsupply init`"+` drafts a file from your nodes and contracts.

`+"`go test ./internal/config -update`"+` writes this page from comments in the source code.
`)
	queue := []string{""}
	seen := map[string]bool{}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		s := root
		title := "The file"
		if name != "" {
			if seen[name] {
				continue
			}
			seen[name] = true
			s = object(root.Definitions[name])
			title = name
		}
		fmt.Fprintf(b, "\n## %s\n\n", title)
		if name != "" && s.Description != "" {
			fmt.Fprintf(b, "%s\n\n", s.Description)
		}
		fmt.Fprint(b, "| key | value | default | meaning |\n|---|---|---|---|\n")
		for key, p := range s.Properties.FromOldest() {
			value, inner := valueOf(p)
			if inner != "" {
				queue = append(queue, inner)
			}
			fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", key, value, defaultOf(t, s, key, p), meaning(p.Description))
		}
	}
	return []byte(b.String())
}

// object is the part of a schema that has keys.
func object(s *jsonschema.Schema) *jsonschema.Schema {
	for _, way := range s.AnyOf {
		if way.Properties != nil {
			return way
		}
	}
	return s
}

// valueOf says how a value is written. inner is its type, if the type has a table.
func valueOf(p *jsonschema.Schema) (words, inner string) {
	if name, ok := strings.CutPrefix(p.Ref, "#/$defs/"); ok {
		return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name)), name
	}
	switch {
	case p.Items != nil:
		words, inner = valueOf(p.Items)
		switch {
		case inner != "": // a link
		case strings.HasSuffix(words, "s"):
			words += "es"
		default:
			words += "s"
		}
		return "list of " + words, inner
	case p.AdditionalProperties != nil && p.Properties == nil:
		words, inner = valueOf(p.AdditionalProperties)
		return "name: " + words, inner
	}
	return p.Title, ""
}

func defaultOf(t *testing.T, s *jsonschema.Schema, key string, p *jsonschema.Schema) string {
	t.Helper()
	for _, r := range s.Required {
		if r == key {
			return "*required*"
		}
	}
	if p.Default != nil {
		raw, err := json.Marshal(p.Default)
		if err != nil {
			t.Fatal(err)
		}
		return "`" + strings.Trim(string(raw), `"`) + "`"
	}
	if _, words, ok := strings.Cut(p.Description, "Default: "); ok {
		return strings.TrimSuffix(words, ".")
	}
	return ""
}

// meaning returns a description without its default, which has a column of its own.
func meaning(description string) string {
	words, _, _ := strings.Cut(description, "Default: ")
	return strings.ReplaceAll(strings.TrimSpace(words), "|", "\\|")
}
