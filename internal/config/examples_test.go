package config

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/invopop/jsonschema"
)

func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../examples", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestExamplesLoadAndFitTheSchema(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.yaml")
	if err != nil || len(files) < 3 {
		t.Fatalf("want at least 3 examples, got %v, %v", files, err)
	}
	s := compiled(t)
	for _, file := range files {
		name := filepath.Base(file)
		text := example(t, name)
		if _, err := Load(name, []byte(text), func(name string) string {
			switch key := base64.StdEncoding.EncodeToString(make([]byte, 32)); name {
			case "LOG_KEY":
				return key
			case "HOOK_SECRET":
				return "whsec_" + key
			}
			return "https://" + strings.ToLower(strings.ReplaceAll(name, "_", "-")) + ".example.com/"
		}); err != nil {
			t.Errorf("%v", err)
		}
		if err := fits(t, s, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.HasPrefix(text, "# yaml-language-server: $schema=petsupply.schema.json\n") {
			t.Errorf("%s does not name its schema", name)
		}
	}
	if n := strings.Count(example(t, "minimal.yaml"), "\n"); n > 15 {
		t.Errorf("minimal.yaml has %d lines", n)
	}
}

func TestFullExampleHasEveryKey(t *testing.T) {
	root := schema(t)
	seen := map[string]bool{}
	var file any
	if err := yaml.Unmarshal([]byte(example(t, "full.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	var walk func(name string, s *jsonschema.Schema, v any)
	walk = func(name string, s *jsonschema.Schema, v any) {
		if ref, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
			name = ref
			s = object(root.Definitions[ref])
		}
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(name, s.Items, e)
			}
		case map[string]any:
			for key, e := range v {
				if s.Properties == nil {
					walk(name, s.AdditionalProperties, e)
				} else if p, ok := s.Properties.Get(key); ok {
					seen[name+"."+key] = true
					walk(name, p, e)
				}
			}
		}
	}
	walk("", root, file)
	missing := func(name string, s *jsonschema.Schema) {
		if s.Properties == nil {
			return
		}
		for key := range s.Properties.FromOldest() {
			if !seen[name+"."+key] {
				t.Errorf("examples/full.yaml shows no %s.%s", name, key)
			}
		}
	}
	missing("", root)
	for name, s := range root.Definitions {
		missing(name, object(s))
	}
}
