package collection

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
)

// checker compiles properties into a JSON Schema that allows no other keys.
func checker(t *testing.T, list []Property) *validator.Schema {
	t.Helper()
	required, all := []string{}, []string{}
	for _, p := range list {
		if p.Required {
			required = append(required, `"`+p.Name+`"`)
		}
		all = append(all, `"`+p.Name+`":`+p.Schema)
	}
	text := `{"type":"object","additionalProperties":false,"required":[` + strings.Join(required, ",") +
		`],"properties":{` +
		strings.Join(all, ",") + `},"components":{"schemas":{"Address":{"type":"string","pattern":"^0x[0-9a-fA-F]{40}$"}}}}`
	tree, err := validator.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("x.json", tree); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("x.json")
}

// Every recorded document, and one of another collection, matches the properties.
func TestPropertiesDescribeDocuments(t *testing.T) {
	check := func(t *testing.T, c *Collection, tables map[string]Table, tokens []*Token) {
		texts, err := c.Texts(tables, JSONText)
		if err != nil {
			t.Fatal(err)
		}
		data, raw := checker(t, texts.DataProperties()), checker(t, c.RawProperties())
		for _, x := range tokens {
			var doc struct{ Data, RawData any }
			if err := json.Unmarshal(texts.AppendDocument(nil, x, `""`, []byte(`"image":""`)), &doc); err != nil {
				t.Fatal(err)
			}
			if err := data.Validate(doc.Data); err != nil {
				t.Fatalf("the data of token %d: %v", x.ID, err)
			}
			if err := raw.Validate(doc.RawData); err != nil {
				t.Fatalf("the rawData of token %d: %v", x.ID, err)
			}
		}
	}
	t.Run("pets", func(t *testing.T) {
		c := Pets()
		var tokens []*Token
		for _, r := range recordings(t) {
			tokens = append(tokens, r.token(t, c))
		}
		check(t, c, dictionary(t), tokens)
	})
	t.Run("dragons", func(t *testing.T) {
		c := parse(t, dragons)
		v := grown(t, c)
		check(t, c, map[string]Table{}, []*Token{{ID: 7, Value: v, Casings: c.Casings(nil, [20]byte{}, v)}})
	})
}

func TestFilters(t *testing.T) {
	var keys []string
	for _, f := range parse(t, dragons).Filters() {
		keys = append(keys, f.Key)
	}
	if want := []string{"tame", "clan", "wings"}; !slices.Equal(keys, want) {
		t.Errorf("filters are %v, want %v", keys, want)
	}
}
