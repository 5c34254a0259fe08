package collection

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"petsupply/internal/yamlfile"
)

var update = flag.Bool("update", false, "write the schema of collection files")

const fileSchema = "../../../examples/collection.schema.json"

// keyed returns the schema of an object whose keys the author chooses.
func keyed(definition string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Ref: "#/$defs/" + definition}}
}

// mapped returns schemas for the types with their own syntax.
func mapped(t reflect.Type) *jsonschema.Schema {
	text := &jsonschema.Schema{Type: "string"}
	switch reflect.New(t).Elem().Interface().(type) {
	case yamlfile.Ordered[getterFile]:
		return keyed("getter")
	case yamlfile.Ordered[valueFile]:
		return keyed("value")
	case map[string]Table:
		return &jsonschema.Schema{Type: "object"}
	case roles:
		role := &jsonschema.Schema{Type: "string", Enum: []any{"id", "name", "look", "rank"}}
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{role, {Type: "array", Items: role}}}
	}
	if t.Kind() == reflect.String {
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{text, {Type: "number"}}} // a plain 1 counts as text
	}
	return nil
}

// commentsOf returns the comments of struct fields, by type and field.
func commentsOf(t *testing.T, name string) map[string]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if fields, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range fields.Fields.List {
				for _, id := range f.Names {
					out[spec.Name.Name+"."+id.Name] = strings.Join(strings.Fields(f.Doc.Text()), " ")
				}
			}
		}
		return true
	})
	return out
}

// makeSchema makes the schema of collection files from the types and their comments.
func makeSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	r := &jsonschema.Reflector{FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, ExpandedStruct: true,
		Anonymous: true, Mapper: mapped,
		Namer: func(t reflect.Type) string { return strings.TrimSuffix(t.Name(), "File") }}
	comments := commentsOf(t, "file.go")
	r.LookupComment = func(t reflect.Type, field string) string { return comments[t.Name()+"."+field] }
	s := r.Reflect(&file{})
	s.Title, s.Description = "A collection file of petsupply", "docs/COLLECTIONS.md explains every key."
	for name, v := range map[string]any{"getter": &getterFile{}, "value": &valueFile{}} {
		d := r.Reflect(v)
		d.Version = ""
		s.Definitions[name] = d
	}
	plain := &jsonschema.Schema{Type: "string"}
	for name, words := range map[string][]any{"value": nil, "count": {"enumerable", "transfers"}} {
		d := *s.Definitions[name]
		s.Definitions[name] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: plain.Type, Enum: words}, &d}}
	}
	return s
}

func TestSchemaIsUpToDate(t *testing.T) {
	want, err := json.MarshalIndent(makeSchema(t), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(fileSchema, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(fileSchema); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s does not match the types and their comments (%v): run this test with -update", fileSchema, err)
	}
}

// The schema accepts and rejects the same files as Parse.
func TestSchemaKnowsCollectionFiles(t *testing.T) {
	text, err := os.ReadFile(fileSchema)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := validator.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("file.json", tree); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile("file.json")
	for name, test := range map[string]struct {
		text string
		ok   bool
	}{
		"pets":           {string(petsFile), true},
		"dragons":        {dragons, true},
		"a plain count":  {"name: X\ncount: enumerable", true},
		"no name":        {"one: x", false},
		"an unknown key": {"name: X\ncolour: red", false},
		"another count":  {"name: X\ncount: guess", false},
		"another role":   {"name: X\nfields: [{name: a, type: uint8, is: king}]", false},
	} {
		t.Run(name, func(t *testing.T) {
			var v any
			if err := yaml.Unmarshal([]byte(test.text), &v); err != nil {
				t.Fatal(err)
			}
			raw, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			v, err = validator.UnmarshalJSON(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); (err == nil) != test.ok {
				t.Errorf("the schema says %v", err)
			}
			if _, err := Parse("x.yaml", []byte(test.text)); (err == nil) != test.ok {
				t.Errorf("Parse says %v", err)
			}
		})
	}
}
