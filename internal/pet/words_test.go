package pet

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

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
	return writer(t, testKingdom, tables(t, testDictionary), links).Append(nil, Prepare(pets, p), "ab12")
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
		Value: traits.V2("season", 2, "rarity", 3,
			"bonuscount", 3, "profbonus", 81, "profbonusscalar", 4, "craftbonus", 160, "craftbonusscalar", 5,
			"combatbonus", 7, "combatbonusscalar", 6,
			"appearance", 12, "shiny", 1, "hungryat", 1_700_000_000, "equippableat", uint64(math.MaxUint64), "equippedto",
			5, "foodtype", 3)}
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
	wantData := map[string]any{
		"name": "River Otter #42", "creature": "River Otter", "family": "Otter", "eggtype": "Blue", "season": n("2"),
		"background": "Meadow",
		"pool":       "Blue pool", "rarity": "Legendary", "element": "Fire", "shiny": true, "bonuscount": n("3"),
		"gatheringbonus": "Deep Pockets", "gatheringbonustype": "Angling", "gatheringbonusrarity": "★★",
		"gatheringbonusscalar": n("4"),
		"craftingbonus":        "Steady Flame", "craftingbonustype": "Smithing", "craftingbonusrarity": "★★★",
		"craftingbonusscalar": n("5"),
		"combatbonus":         "Thick Fur", "combatbonusrarity": "★", "combatbonusscalar": n("6"), "animation": "None",
		"realm": "Third Realm", "nativerealm": "Second Realm", "number": n("42"),
		"owner":     "0x00000000000000000000000000000000000A11cE",
		"intransit": false, "realmclosed": false, "block": n("99"),
	}
	if diff := cmp.Diff(wantData, doc["data"]); diff != "" {
		t.Errorf("data %s", diff)
	}
	wantRaw := map[string]any{
		"id": n("1000000000042"), "originid": n("0"), "name": "", "season": n("2"), "eggtype": n("0"),
		"rarity": n("3"), "element": n("0"), "bonuscount": n("3"),
		"profbonus": n("81"), "profbonusscalar": n("4"), "craftbonus": n("160"), "craftbonusscalar": n("5"),
		"combatbonus": n("7"), "combatbonusscalar": n("6"),
		"appearance": n("12"), "background": n("0"), "shiny": n("1"), "hungryat": "1700000000",
		"equippableat": "18446744073709551615", "equippedto": "5",
		"fedby": "0x0000000000000000000000000000000000000000", "foodtype": n("3"),
	}
	if diff := cmp.Diff(wantRaw, doc["rawData"]); diff != "" {
		t.Errorf("rawData %s", diff)
	}
	shown := map[string]any{}
	for _, a := range doc["attributes"].([]any) {
		a := a.(map[string]any)
		shown[a["trait_type"].(string)] = [2]any{a["value"], a["display_type"]}
	}
	for trait, want := range map[string][2]any{
		"Egg Type": {"Blue", nil}, "Gathering Bonus Type": {"Angling", nil}, "Gathering Bonus": {"Deep Pockets", nil},
		"Shiny":  {"Yes", nil},
		"Season": {n("2"), "number"}, "Rarity": {"Legendary", nil}, "Hungry At": {n("1700000000"), "date"},
		"Realm": {"Third Realm", nil}, "In Transit": {"No", nil},
	} {
		if shown[trait] != want {
			t.Errorf("attribute %s is %v, want %v", trait, shown[trait], want)
		}
	}
	if _, ok := shown["Equippable At"]; ok {
		t.Error("a date beyond every calendar is published as one")
	}
}

func TestDocumentOfUnknownTraits(t *testing.T) {
	p := Pet{ID: 7, Realm: "first", Owner: common.HexToAddress("0xa11ce"), Value: traits.V1(
		"egg", 255, "rarity", 255, "element", 255, "profbonus", 200, "craftbonus", 90, "combatbonus", 1, "appearance",
		65535, "background", 255)}
	doc := document(t, p)
	data := doc["data"].(map[string]any)
	for key, want := range map[string]any{
		"name": "Unknown pet 255-65535 #7", "creature": "Unknown pet 255-65535", "family": "Unknown",
		"eggtype": "Unknown egg 255", "background": "Unknown background 255",
		"rarity": "Unknown rarity 255", "element": "Unknown element 255", "gatheringbonus": "Unknown gathering bonus 200",
		"gatheringbonustype": "Gathering of egg type 255", "craftingbonus": "Unknown crafting bonus 90",
		"craftingbonustype": "Unknown element 255 crafting",
		"combatbonus":       "Unknown combat bonus 1", "realmclosed": true,
	} {
		if data[key] != want {
			t.Errorf("%s is %v, want %v", key, data[key], want)
		}
	}
	if d := doc["description"].(string); !strings.Contains(d, "egg type 255, appearance 65535") {
		t.Errorf("description: %s", d)
	}
	raw := doc["rawData"].(map[string]any)
	if _, ok := raw["fedby"]; ok {
		t.Error("fedby is published of a struct that has none")
	}
	p.Value, p.InTransit = traits.V2(), true
	doc = document(t, p)
	data = doc["data"].(map[string]any)
	for _, key := range []string{"gatheringbonus", "gatheringbonustype", "gatheringbonusrarity", "craftingbonus",
		"craftingbonustype", "craftingbonusrarity", "combatbonus", "combatbonusrarity"} {
		if data[key] != "None" {
			t.Errorf("%s is %v", key, data[key])
		}
	}
	if data["name"] != "Unrevealed pet #7" {
		t.Errorf("%v: %v", data["name"], doc["description"])
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
		if strings.ContainsAny(raw, "<>\u202e\u2028\x00\x1b") || strings.ContainsAny(string(text), "\u202e\u2028\x00\x1b") {
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
