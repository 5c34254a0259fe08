package config

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// smallFile has one of each type that has defaults.
const smallFile = `
refresh: {}
index: {}
limits: {}
collection: {}
tlog: {}
webhooks:
  - {name: shop, url: "https://shop.example.com", secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"}
chains:
  one: {id: 5, rpc: [{url: "https://a.example.com"}, {url: "https://b.example.com"}, {url: "https://c.example.com"}]}
  quick: {id: 6, finality: latest}
tokens:
  - path: gem
    symbol: GEM
    name: Gem
    ledger:
      - {label: Minted, bucket: issued, chain: one, to: "0x00000000000000000000000000000000000000A1", call: "minted()"}
realms:
  - {key: cave, offset: 0, chain: one, getter: v2, contract: "0x00000000000000000000000000000000000000A2"}
`

// places has the path in smallFile of each type in docs/CONFIG.md.
var places = map[string][]any{
	"The file": {}, "Refresh": {"refresh"}, "Index": {"index"}, "Limits": {"limits"}, "Collection": {"collection"},
	"TLog": {"tlog"}, "Hook": {"webhooks", 0}, "Chain": {"chains", "one"}, "Provider": {"chains", "one", "rpc", 0},
	"Token": {"tokens", 0}, "Realm": {"realms", 0}, "Entry": {"tokens", 0, "ledger", 0},
}

// inWords has the values of defaults that docs/CONFIG.md describes in words. nil means that no
// value can be written for such a default.
var inWords = map[string]any{
	"The file.supply_url": "http://localhost:8080/supply", "The file.pets_url": "http://localhost:8080/pets",
	"The file.site_url": "http://localhost:8080", "The file.store": nil,
	"The file.tls": nil, "The file.webhooks": nil, "Index.keep_changes": nil, "TLog.key": nil, "TLog.origin": nil,
	"Hook.events": nil, "Chain.quorum": 2, "Chain.max_lag": "30m", "Provider.name": "one-1", "Token.max_supply": nil,
	"Entry.decimals": nil, "Source.decimals": nil, "Collection.name": nil, "Collection.description": nil,
	"Realm.name": "cave", "Realm.getter": nil, "Refresh.hold_for": nil,
}

// TestDocumentedDefaults: a file means the same with the defaults of docs/CONFIG.md written out.
func TestDocumentedDefaults(t *testing.T) {
	page, err := os.ReadFile("../../docs/CONFIG.md")
	if err != nil {
		t.Fatal(err)
	}
	want := loadWith(t, nil, "", nil)
	row := regexp.MustCompile("^\\| `(\\w+)` \\| .*? \\| (.*?) \\| .* \\|$")
	title := ""
	words := 0
	for line := range strings.Lines(string(page)) {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			title = strings.TrimSpace(heading)
		}
		m := row.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || m[2] == "" || m[2] == "*required*" {
			continue
		}
		name := title + "." + m[1]
		t.Run(name, func(t *testing.T) {
			written, exact := strings.CutPrefix(m[2], "`")
			var value any
			if exact {
				if err := yaml.Unmarshal([]byte(strings.TrimSuffix(written, "`")), &value); err != nil {
					t.Fatal(err)
				}
			} else {
				known := false
				words++
				value, known = inWords[name]
				if !known {
					t.Fatalf("the default %q is described in words: add its value to inWords", m[2])
				} else if value == nil {
					return
				}
			}
			place, ok := places[title]
			if !ok {
				t.Fatalf("smallFile has no %s", title)
			}
			if got := loadWith(t, place, m[1], value); !reflect.DeepEqual(got, want) {
				t.Errorf("%v is not the default: %+v, want %+v", value, got, want)
			}
		})
	}
	if words != len(inWords) {
		t.Errorf("%d defaults are in words, inWords has %d", words, len(inWords))
	}
	if lag := want.Chains["quick"].MaxLag.String(); lag != "10m0s" {
		t.Errorf("max_lag is %s where finality is latest", lag)
	}
}

// loadWith loads smallFile with the value of a key.
func loadWith(t *testing.T, place []any, key string, value any) *Config {
	t.Helper()
	var file any
	if err := yaml.Unmarshal([]byte(smallFile), &file); err != nil {
		t.Fatal(err)
	}
	at := file
	for _, step := range place {
		switch s := step.(type) {
		case string:
			at = at.(map[string]any)[s]
		case int:
			at = at.([]any)[s]
		}
	}
	if key != "" {
		at.(map[string]any)[key] = value
	}
	text, err := yaml.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := Load("small.yaml", text, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	cfg.Addresses("8080")
	return cfg
}
