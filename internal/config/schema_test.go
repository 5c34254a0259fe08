package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/goccy/go-yaml"
	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/webhook"
)

var update = flag.Bool("update", false, "write the schema and docs/CONFIG.md")

const schemaFile = "../../examples/petsupply.schema.json"

// orEnv also accepts a reference to the environment.
const orEnv = `|^\$[A-Za-z_{]`

// text is the schema of a value that is written as text.
func text(what, pattern string, examples ...any) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string", Title: what, Examples: examples}
	if pattern != "" {
		s.Pattern = pattern + orEnv
	}
	return s
}

// either is the schema of a value that may be written in two ways.
func either(what string, a, b *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Title: what, AnyOf: []*jsonschema.Schema{a, b}}
}

func words[T ~string](list ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	var names []string
	for _, w := range list {
		s.Enum = append(s.Enum, string(w))
		names = append(names, string(w))
	}
	return either(strings.Join(names, ", "), s, text("", "^$"))
}

// leaves returns the schema of a type that is written as one value.
func leaves(t reflect.Type) *jsonschema.Schema {
	number := &jsonschema.Schema{Type: "number"}
	switch reflect.New(t).Elem().Interface().(type) {
	case time.Duration:
		return text("length of time", `^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$|^\d+[dw]$`, "90s", "10m", "7d")
	case time.Time:
		return text("time or date", `^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d|$)`, "2026-12-01T12:00:00Z", "2026-12-01")
	case common.Address:
		return text("address", `^0x[0-9a-fA-F]{40}$`)
	case multicall:
		return text("address, or none", `^0x[0-9a-fA-F]{40}$|^none$`, "none")
	case netip.Prefix:
		return text("network", "", "10.0.0.0/8")
	case webhook.Secrets:
		one := text("", "^whsec_")
		two := uint64(2)
		return either("text, or a list of two", one, &jsonschema.Schema{Type: "array", Items: one, MaxItems: &two})
	case ledger.Amount:
		return either("amount", text("", `^\d+(\.\d+)?$`, "1000.5"), number)
	case ledger.Percent:
		return text("percent", `^\d+(\.\d+)?%$`, "10%")
	case ledger.SignedPercent:
		return text("percent with its sign", `^[+-]\d+(\.\d+)?%$`, "+30%")
	case ledger.Bucket:
		return words(ledger.Buckets...)
	case ledger.Count:
		return words(ledger.CountSource, ledger.CountSum)
	case supply.ProofRule:
		return words(supply.ProofRules...)
	case ledger.ReleaseRule:
		return words(ledger.ByTime, ledger.ByHand)
	}
	switch t.Kind() {
	case reflect.Int, reflect.Uint64:
		return either("whole number", &jsonschema.Schema{Type: "integer"}, text("", "^$"))
	case reflect.Bool:
		return either("true or false", &jsonschema.Schema{Type: "boolean"}, text("", "^$"))
	case reflect.String:
		return either("text", &jsonschema.Schema{Type: "string"}, number) // a plain 1 is text here
	}
	return nil
}

// schema makes the schema of the file from the types and their comments.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	r := &jsonschema.Reflector{FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, ExpandedStruct: true,
		Anonymous: true, Mapper: leaves}
	t.Chdir("..")
	for _, room := range []string{"config", "supply", "pet", "webhook"} {
		if err := r.AddGoComments("petsupply/internal", "./"+room, jsonschema.WithFullComment()); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir("config")
	for at, text := range r.CommentMap {
		r.CommentMap[at] = strings.Join(strings.Fields(text), " ")
	}
	s := r.Reflect(&Config{})
	s.Title = "petsupply.yaml"
	s.Description = "The configuration of petsupply. A value may be $NAME, or hold ${NAME}, from the environment."
	provider := *s.Definitions["Provider"]
	s.Definitions["Provider"] = either("address, or name and url", &jsonschema.Schema{Type: "string"}, &provider)
	addDefaults(t, s, s, *defaults())
	addDefaults(t, s, s.Definitions["Chain"], Chain{}.WithDefaults(""))
	var token ledger.Token
	token.SetDefaults()
	token.MaxChange = token.Limit()
	addDefaults(t, s, s.Definitions["Token"], token)
	described := *s.Definitions["Collection"]
	s.Definitions["Collection"] = either("a file, or these keys", &jsonschema.Schema{Type: "string"}, &described)
	return s
}

// addDefaults adds the default of each key.
func addDefaults(t *testing.T, root, s *jsonschema.Schema, v any) {
	t.Helper()
	raw, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := yaml.Unmarshal(raw, &values); err != nil {
		t.Fatal(err)
	}
	setDefaults(root, s, values)
}

func setDefaults(root, s *jsonschema.Schema, values map[string]any) {
	for key, p := range s.Properties.FromOldest() {
		if inner := resolve(root, p); inner.Properties != nil {
			if deeper, ok := values[key].(map[string]any); ok {
				setDefaults(root, inner, deeper)
			}
			continue
		}
		v := values[key]
		if v == nil || reflect.ValueOf(v).IsZero() || reflect.TypeOf(v).Kind() == reflect.Map ||
			strings.Contains(p.Description, "Default:") {
			continue // no default, or one described in words
		}
		if l, ok := v.([]any); ok && len(l) == 0 {
			continue
		}
		if d, err := time.ParseDuration(fmt.Sprint(v)); err == nil {
			v = shortDuration(d)
		}
		p.Default = v
	}
}

// resolve follows a reference.
func resolve(root, p *jsonschema.Schema) *jsonschema.Schema {
	if name, ok := strings.CutPrefix(p.Ref, "#/$defs/"); ok {
		return root.Definitions[name]
	}
	return p
}

func TestSchemaAndReferenceAreUpToDate(t *testing.T) {
	s := schema(t)
	written, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]byte{
		schemaFile:             append(written, '\n'),
		"../../docs/CONFIG.md": referencePage(t, s),
	} {
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the types and their comments say (%v): run this test with -update", file, err)
		}
	}
}

// compiled returns the checked-in schema, as editors read it.
func compiled(t *testing.T) *validator.Schema {
	t.Helper()
	raw, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("petsupply.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("petsupply.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fits returns the faults that an editor would mark in a file.
func fits(t *testing.T, s *validator.Schema, text string) error {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// The schema refuses every single key or value that Load refuses.
func TestSchemaAgreesWithLoad(t *testing.T) {
	s := compiled(t)
	if err := fits(t, s, whole); err != nil {
		t.Errorf("the whole file: %v", err)
	}
	for _, change := range [][2]string{
		{"supply_url:", "suply_url:"}, {"every: 60s", "every: often"}, {"every: 1s", "every: 1 second"},
		{"lease: 10s", "lease: [10s]"},
		{"per_ip: 50", "per_ip: 50/s"}, {"id: 53935", "id: five"}, {"quorum: 2", "quorum: most"},
		{"path: crystal", "paths: crystal"},
		{"bucket: issued", "bucket: issue"}, {"count: source", "count: both"}, {"release: by-hand", "release: never"},
		{"max_change: 10%", "max_change: 10"}, {"change: +30%", "change: 30%"}, {"closed: true", "closed: perhaps"},
		{"url: $RPC_A", "uri: $RPC_A"}, {`multicall: "0xcA11bde05977b3631167028862bE2a173976CA11"`, "multicall: here"},
		{"{cert: /etc/c.pem, key: /etc/k.pem}", "{cert: /etc/c.pem}"},
	} {
		t.Run(change[1], func(t *testing.T) {
			text := strings.Replace(whole, change[0], change[1], 1)
			if text == whole {
				t.Fatalf("nothing to change: %s", change[0])
			}
			if err := fits(t, s, text); err == nil {
				t.Error("the schema accepts the changed file")
			}
			if _, err := Load("p.yaml", []byte(text), env); err == nil {
				t.Error("Load accepts the changed file")
			}
		})
	}
}

func TestShortDuration(t *testing.T) {
	for text, want := range map[string]string{
		"500ms": "500ms", "10s": "10s", "1m": "1m", "10m": "10m", "90s": "1m30s", "1h": "1h", "24h": "24h",
		"20h30m": "20h30m",
	} {
		t.Run(text, func(t *testing.T) {
			d, err := time.ParseDuration(text)
			if got := shortDuration(d); err != nil || got != want {
				t.Errorf("%v is written %s, want %s (%v)", d, got, want, err)
			}
		})
	}
}
