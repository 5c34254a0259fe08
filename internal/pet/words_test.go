package pet

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/testkit/traits"
)

const testDictionary = `{
	"eggs": ["Blue", "Grey"],
	"families": {"otter": {"name": "Otter", "lore": "Otters hold hands while they sleep."}},
	"appearances": {"0": {"12": {"name": "River Otter", "family": "otter"}}},
	"backgrounds": ["Meadow"],
	"gathering": {"1": "Deft Paws", "81": "Deep Pockets"},
	"crafting": {"160": "Steady Flame"},
	"combat": {"7": "Thick Fur"},
	"gatheringTypes": ["Angling"],
	"craftingTypes": ["Smithing"]
}`

var links = Links{Pets: "https://pets.example.com", Site: "https://example.com"}

// written returns the document of a pet.
func written(t testing.TB, p Pet) []byte {
	t.Helper()
	return writer(t, testRegistry, tables(t, testDictionary), links).Append(nil, Prepare(pets, p), "ab12")
}

// document writes a pet's document and reads it as a client would.
func document(t testing.TB, p Pet) map[string]any {
	t.Helper()
	text := written(t, p)
	if string(written(t, p)) != string(text) {
		t.Error("the same pet gave two documents")
	}
	var doc map[string]any
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestDocument(t *testing.T) {
	p := Pet{ID: Band + 42, Realm: "third", Owner: common.HexToAddress("0xa11ce"), Block: 99,
		Value: traits.V2("season", 2, "rarity", 3, "appearance", 12)}
	doc := document(t, p)
	for key, want := range map[string]string{
		"name": "River Otter #42", "description": "Otters hold hands while they sleep.",
		"image":        "https://pets.example.com/image/1000000000042?v=ab12",
		"external_url": "https://example.com/pet/1000000000042",
	} {
		if doc[key] != want {
			t.Errorf("%s is %v, want %s", key, doc[key], want)
		}
	}
	n := func(s string) json.Number { return json.Number(s) }
	data := doc["data"].(map[string]any)
	for key, want := range map[string]any{"realm": "Third Realm", "nativerealm": "Second Realm", "number": n("42"),
		"owner": "0x00000000000000000000000000000000000A11cE", "intransit": false,
		"realmclosed": false, "block": n("99"),
		"creature": "River Otter"} {
		if data[key] != want {
			t.Errorf("%s is %v, want %v", key, data[key], want)
		}
	}
	if raw := doc["rawData"].(map[string]any); raw["id"] != n("1000000000042") || raw["season"] != n("2") {
		t.Errorf("rawData is %v", raw)
	}
	closed := document(t, Pet{ID: 7, Realm: "first", InTransit: true, Value: traits.V1()})["data"].(map[string]any)
	if closed["name"] != "Unrevealed pet #7" || closed["realmclosed"] != true || closed["intransit"] != true {
		t.Errorf("of a closed realm: %v", closed)
	}
}

func TestDocumentNeverTrustsAName(t *testing.T) {
	for _, name := range []string{
		"<script>alert(1)</script>", "\u202egnp.exe", "\x00\x01\x1b[2J", strings.Repeat("🦦", 3000),
		strings.Repeat("<", 10240), "\xff\xfe broken", "\u2028\u2029", `"},{"`,
	} {
		p := Pet{ID: 7, Realm: "first", Name: name, Value: traits.V2()}
		text := written(t, p)
		if len(text) > 12_000 {
			t.Errorf("%.20q: %d bytes", name, len(text))
		}
		raw := string(text[bytes.Index(text, []byte(`"rawData"`)):])
		if strings.ContainsAny(raw, "<>\u202e\u2028\x00\x1b") ||
			strings.ContainsAny(string(text), "\u202e\u2028\x00\x1b") {
			t.Errorf("%.20q is not escaped in %.300s", name, text)
		}
		var doc struct{ RawData struct{ Name string } }
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Errorf("%.20q: %v", name, err)
		}
		if utf8.ValidString(name) && len(name) <= maxRawName && doc.RawData.Name != name {
			t.Errorf("rawData has the name %q of %q", doc.RawData.Name, name)
		}
	}
}
