// Package openapi has the specifications of the two interfaces, in OpenAPI 3.1.
// Supply and Pets put the addresses and examples of one service into them.
package openapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"petsupply/internal/pet/collection"
)

// The addresses and examples in the files are placeholders.
var (
	//go:embed supply.yaml
	supplyText string
	//go:embed pets.yaml
	petsText string
)

// A Service has the values that a specification states about one service.
type Service struct {
	SupplyURL, PetsURL, SiteURL string   // without trailing slash
	Tokens                      []string // the tokens' names in addresses
	Realms                      []string // each realm's key, followed by its name in brackets
	Pet                         uint64   // id of the pet in the examples
	Grid                        int      // width of the pack's pictures before scaling
	Licence                     string   // terms of the data; "" if the operator named none
	// The collection and its words; nil if no pets are published.
	Collection *collection.Collection
	Texts      *collection.Texts
}

// A Document is a specification. It is safe for concurrent use.
type Document struct {
	YAML []byte
	JSON func() []byte // made at the first call
}

// Supply returns the specification of the supply interface.
func Supply(s Service) *Document { return s.document(supplyText) }

// Pets returns the specification of the pets interface.
func Pets(s Service) *Document {
	var filters string
	var data, raw []collection.Property
	if s.Collection != nil {
		for _, f := range s.Collection.Filters() {
			how := ", by its number."
			if f.Type.IsWord() {
				how = ", by its text in upper or lower case."
			} else if len(s.Texts.FieldOptions(f)) > 0 {
				how = ", by its number or its name."
			}
			filters += fmt.Sprintf("        - {name: %s, in: \"query\", description: %s, schema: {type: string}}\n",
				quoted(f.Key), quoted(s.Texts.FieldLabel(f)+how))
		}
		data, raw = s.Texts.DataProperties(), s.Collection.RawProperties()
	}
	return s.document(strings.NewReplacer(
		"REALM_FILTER", quoted("Key of the realm where the pet is: "+strings.Join(s.Realms, ", ")+"."),
		"        - {name: COLLECTION_FILTERS, in: query, schema: {type: string}}\n", filters,
		"      required: [COLLECTION_DATA]\n      properties: {COLLECTION_DATA: {type: string}}\n", properties(data),
		"      required: [COLLECTION_RAW]\n      properties: {COLLECTION_RAW: {type: string}}\n", properties(raw),
	).Replace(petsText))
}

// properties writes the list of required keys, and the schemas of all keys, as YAML.
func properties(list []collection.Property) string {
	var names, schemas []string
	for _, p := range list {
		if p.Required {
			names = append(names, quoted(p.Name))
		}
		schemas = append(schemas, quoted(p.Name)+": "+p.Schema)
	}
	return "      required: [" + strings.Join(names, ", ") + "]\n      properties: {" + strings.Join(schemas, ", ") + "}\n"
}

// quoted writes a text as JSON, which YAML reads too.
func quoted(s string) string { return `"` + collection.JSONText(s) + `"` }

func (s Service) document(text string) *Document {
	first, all := "token", "none is published now"
	if len(s.Tokens) > 0 {
		first, all = s.Tokens[0], strings.Join(s.Tokens, ", ")
	}
	licence := ""
	if s.Licence != "" {
		licence = "  license: {name: " + quoted(s.Licence) + "}\n"
	}
	text = strings.NewReplacer(
		"  license: {name: DATA_LICENCE}\n", licence,
		"https://supply.example.com", s.SupplyURL, "https://pets.example.com", s.PetsURL,
		"https://site.example.com", s.SiteURL,
		"EXAMPLE_TOKENS", all, "EXAMPLE_TOKEN", first, "EXAMPLE_PET", strconv.FormatUint(s.Pet, 10),
		"PACK_GRID", strconv.Itoa(s.Grid),
	).Replace(text)
	d := &Document{YAML: []byte(text)}
	d.JSON = sync.OnceValue(func() []byte {
		out, err := yaml.YAMLToJSON(d.YAML)
		if err != nil {
			panic(fmt.Sprintf("the specification is not YAML: %v", err)) // cannot happen: a test reads the same text
		}
		return out
	})
	return d
}

// An Operation is a kind of request that callers can send.
type Operation struct {
	ID, Path, Summary, Description string
	Example                        string // the path with examples in it
	Parameters                     []parameter
	Media                          []string // media types of a successful answer
}

// A parameter is a part of a path or of a query.
type parameter struct {
	Name, In, Description string
	Example               any
	Schema                struct {
		Enum    []string
		Default any
	}
	Ref string `json:"$ref"`
}

// Operations lists the operations in the document's order.
func (d *Document) Operations() ([]Operation, error) {
	var doc struct {
		Paths map[string]struct {
			Parameters []parameter
			Get        struct {
				OperationID, Summary, Description string
				Parameters                        []parameter
				Responses                         map[string]struct{ Content map[string]any }
			}
		}
		Components struct{ Parameters map[string]parameter }
	}
	if err := json.Unmarshal(d.JSON(), &doc); err != nil {
		return nil, fmt.Errorf("reading a specification: %w", err)
	}
	at := func(path string) int {
		return bytes.Index(d.YAML, []byte("operationId: "+doc.Paths[path].Get.OperationID+"\n"))
	}
	paths := slices.SortedFunc(maps.Keys(doc.Paths), func(a, b string) int { return at(a) - at(b) })
	var list []Operation
	for _, path := range paths {
		item := doc.Paths[path]
		op := Operation{
			ID: item.Get.OperationID, Path: path, Summary: item.Get.Summary, Description: item.Get.Description, Example: path,
		}
		for _, p := range append(item.Parameters, item.Get.Parameters...) {
			if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
				p = doc.Components.Parameters[name]
			}
			switch p.In {
			case "header":
				continue
			case "path":
				op.Example = strings.Replace(op.Example, "{"+p.Name+"}", fmt.Sprint(p.Example), 1)
			}
			op.Parameters = append(op.Parameters, p)
		}
		for media := range item.Get.Responses["200"].Content {
			op.Media = append(op.Media, media)
		}
		list = append(list, op)
	}
	return list, nil
}
