// Package openapi has the specifications of the two interfaces, in OpenAPI 3.1. The functions Supply
// and Pets put the addresses and examples of one service into them.
package openapi

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

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

// A Document is a specification, in YAML.
type Document []byte

// Supply returns the specification of the supply interface.
func Supply(s Service) Document { return s.document(supplyText) }

// Pets returns the specification of the pets interface.
func Pets(s Service) Document {
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
		data = s.Texts.DataProperties()
		raw = s.Collection.RawProperties()
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
	return "      required: [" + strings.Join(names, ", ") + "]\n" +
		"      properties: {" + strings.Join(schemas, ", ") + "}\n"
}

// quoted writes a text as JSON, which YAML reads too.
func quoted(s string) string { return `"` + collection.JSONText(s) + `"` }

func (s Service) document(text string) Document {
	first := "token"
	all := "none is published now"
	if len(s.Tokens) > 0 {
		first = s.Tokens[0]
		all = strings.Join(s.Tokens, ", ")
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
	return Document(text)
}

// JSON returns the specification as JSON.
func (d Document) JSON() []byte {
	out, err := yaml.YAMLToJSON(d)
	if err != nil {
		panic(fmt.Sprintf("the specification is not YAML: %v", err)) // cannot happen: a test reads the same text
	}
	return out
}
