package pet

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"petsupply/internal/pet/collection"
)

// plainRegistry has a collection without getters, an open realm and a closed realm.
func plainRegistry(t testing.TB) *Registry {
	t.Helper()
	c, err := collection.Parse("plain.yaml", []byte(`
name: Plain
one: token
fields:
  - {name: title, type: string, is: name}
  - {name: background, type: word}
  - {name: eyeColor, type: string}
  - {name: power, type: uint8}
  - {name: genes, type: uint64}
  - {name: wings, of: genes, bits: [0, 4]}
  - {name: charmed, type: bool}
attributes:
  - {trait: Strength in battle, field: power, display: number}
`))
	if err != nil {
		t.Fatal(err)
	}
	open, closed := uint64(0), uint64(Band)
	return &Registry{Collection: c,
		Realms: []Realm{{Key: "open", Offset: &open}, {Key: "closed", Offset: &closed, Closed: true}}}
}

// show returns an imported pet as its fields.
func show(rg *Registry, p Pet) map[string]string {
	out := map[string]string{}
	for i := range rg.Collection.Fields {
		f := &rg.Collection.Fields[i]
		if text := rg.Collection.Text(p.Value, f); text != "" {
			out[f.Name] = text
		}
	}
	if p.Name != "" {
		out["title"] = p.Name
	}
	return out
}

func TestImportTraits(t *testing.T) {
	const hashLips = `{"name":"Ada #7","description":"d","image":"ipfs://x/7.png","dna":"0f","edition":7,"date":1638302716246,
		"attributes":[{"trait_type":"Background","value":" Night\u202e  sky "},{"trait_type":"Eye Color","value":"Red"},
		{"trait_type":"Strength In Battle","value":9,"display_type":"number","max_value":10}],"compiler":"HashLips Art Engine"}`
	night := map[string]string{"title": "Ada #7", "background": "Night sky", "eyeColor": "Red", "power": "9"}
	for name, test := range map[string]struct {
		file, text string
		want       map[uint64]map[string]string
	}{
		"a table": {"a.csv", "\ufeffToken ID, Background ,eyecolor,POWER,charmed\n1,\"Sea, calm\",Blue,200,true\n\n2,,,,\n",
			map[uint64]map[string]string{1: {"background": "Sea, calm", "eyeColor": "Blue", "power": "200",
				"charmed": "true"}, 2: {}}},
		"lines": {"-", `{"id":1,"eye_color":"Red","power":"5"}` + "\n\n" + `{"id":"3","genes":18446744073709551615}`,
			map[uint64]map[string]string{1: {"eyeColor": "Red", "power": "5"},
				3: {"genes": "18446744073709551615", "wings": "15"}}},
		"lines of metadata": {"all.jsonl", strings.ReplaceAll(hashLips, "\n", ""),
			map[uint64]map[string]string{7: night}},
		"one file":               {"build/json/12.json", hashLips, map[uint64]map[string]string{12: night}},
		"one file without .json": {"12", hashLips, map[uint64]map[string]string{12: night}},
		"one file by its key":    {"any.json", hashLips, map[uint64]map[string]string{7: night}},
		"a list": {"_metadata.json", "[\n" + hashLips + ",\n" + `{"tokenId":"8","name":"Bo","attributes":[]}` + "\n]\n",
			map[uint64]map[string]string{7: night, 8: {"title": "Bo"}}},
	} {
		t.Run(name, func(t *testing.T) {
			k := plainRegistry(t)
			pets, faults := importFile(t, k, test.file, strings.NewReader(test.text))
			got := map[uint64]map[string]string{}
			for _, p := range pets {
				got[p.ID] = show(k, p)
				if p.Realm != "open" || p.Owner != (common.Address{}) {
					t.Errorf("the imported pet is %+v", p)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" || len(faults) > 0 {
				t.Errorf("the imported traits differ: %s, faults %v", diff, faults)
			}
		})
	}
}

func TestImportTraitsFaults(t *testing.T) {
	const attributes = `"attributes":[{"trait_type":"power","value":1}]`
	for name, test := range map[string]struct {
		file, text string
		line       int
		want       string
	}{
		"no table":          {"a.csv", "", 1, "names of the columns in the first row"},
		"an unknown column": {"a.csv", "id,hat\n1,x\n", 1, `"hat" is not a field`},
		"a column twice":    {"a.csv", "id,eye_color,Eye Color\n1,x,y\n", 1, `"Eye Color" occurs twice`},
		"semicolons":        {"a.csv", "id;eye_color\n1;x\n", 1, "separate columns with commas"},
		"no id column":      {"a.csv", "eye_color\nx\n", 1, "id: the table has no such column"},
		"too few cells":     {"a.csv", "id,eye_color\n1,x\n2\n", 3, "wrong number of fields"},
		"an open quote":     {"a.csv", "id,eye_color\n1,\"x\n2,y\n", 2, "extraneous or missing \""},
		"a token twice":     {"a.csv", "id,eye_color\n1,x\n2,x\n1,y\n", 4, "token 1 occurs twice"},
		"another encoding":  {"a.csv", "id,eye_color\n1,caf\xe9\n", 2, "eyeColor: the text is not UTF-8"},
		"a long text": {"a.csv", "id,eye_color\n1," + strings.Repeat("x", 1025) + "\n", 2,
			"longer than 1024 bytes"},
		"a wide number": {"a.csv", "id,power\n1,256\n", 2, "power: 256 does not fit into uint8"},
		"a fraction":    {"a.jsonl", "\n" + `{"id":1,"power":1.5}`, 2, "not a whole number"},
		"a slice":       {"a.csv", "id,wings\n1,2\n", 2, "wings: it is a part of genes"},
		"an owner": {"a.jsonl", `{"id":1,"owner":"0x00000000000000000000000000000000000a11ce"}`, 1,
			"the chain says who owns it"},
		"a closed realm":      {"a.jsonl", `{"id":1000000000001,"power":1}`, 1, "owner is missing"},
		"outside every realm": {"a.jsonl", `{"id":3000000000001,"power":1}`, 1, "outside every realm"},
		"a key twice":         {"a.jsonl", `{"id":1,"power":1,"POWER":2}`, 1, `"POWER": it occurs twice`},
		"not UTF-8":           {"a.jsonl", "{\"id\":1,\"eye_color\":\"\xe9\"}", 1, "not UTF-8"},
		"a list in a line":    {"a.jsonl", `[1]`, 1, "not a JSON object"},
		"no JSON":             {"1.json", "{\n\"name\": }\n", 2, "not a JSON object"},
		"an empty file":       {"1.json", "", 1, "not a JSON object"},
		"an unknown trait": {"1.json", `{"attributes":[{"trait_type":"Hat","value":"x"}]}`, 1,
			`the trait "Hat" is not a field`},
		"a trait twice": {"1.json",
			`{"attributes":[{"trait_type":"power","value":1},{"trait_type":"Power","value":1}]}`, 1, "occurs twice"},
		"a trait without name": {"1.json", `{"attributes":[{"value":1}]}`, 1, "no trait_type"},
		"a trait of no value":  {"1.json", `{"attributes":[{"trait_type":"power"}]}`, 1, "no value"},
		"a nested value": {"1.json", `{"attributes":[{"trait_type":"power","value":{"a":1}}]}`, 1,
			"the value is not a text, a number"},
		"attributes as words":  {"1.json", `{"attributes":["power"]}`, 1, "not a list of objects"},
		"no id":                {"all.json", "[\n{" + attributes + "}]", 2, "id is missing"},
		"a list without end":   {"all.json", "[\n{\"id\":1," + attributes + "},\n{\"id\":2,", 3, "not JSON"},
		"a second list":        {"all.json", "[]\n\n[]", 3, "text after the list"},
		"a bad part of a list": {"all.json", "[\n{\"id\":1," + attributes + "},\n\n  {\"id\":2 2}]", 4, "not JSON"},
		"the third of a list": {"all.json",
			"[\n{\"id\":1," + attributes + "},\n\n{\"id\":2," + attributes + "},\n{\"id\":1," + attributes + "}]", 5,
			"token 1 occurs twice"},
	} {
		t.Run(name, func(t *testing.T) {
			_, faults := importFile(t, plainRegistry(t), test.file, strings.NewReader(test.text))
			if len(faults) != 1 || faults[0].Line != test.line || faults[0].File != test.file ||
				!strings.Contains(faults[0].Text, test.want) {
				t.Errorf("%+v, want one fault of line %d that says %q", faults, test.line, test.want)
			}
		})
	}
}

func TestImportFolder(t *testing.T) {
	doc := &fstest.MapFile{Data: []byte(`{"attributes":[{"trait_type":"power","value":1}]}`)}
	list := &fstest.MapFile{Data: []byte(`[{"edition":5,"attributes":[]}]`)}
	other := &fstest.MapFile{Data: []byte("x")}
	for name, test := range map[string]struct {
		folder fstest.MapFS
		want   []uint64
		fault  string
	}{
		"files": {fstest.MapFS{"1.json": doc, "20.json": doc, "_metadata.json": list, "1.png": other,
			".x": other, "sub/3.json": doc}, []uint64{1, 20}, ""},
		"without .json": {fstest.MapFS{"1": doc, "2": doc}, []uint64{1, 2}, ""},
		"one list":      {fstest.MapFS{"_metadata.json": list}, []uint64{5}, ""},
		"nothing":       {fstest.MapFS{"1.png": other}, nil, "folder has neither files such as 1.json"},
		"a misnamed file": {fstest.MapFS{"1.json": doc, "two.json": doc}, []uint64{1},
			"folder/two.json: line 1: the file's name is not the number of a token"},
		"one token, twice": {fstest.MapFS{"1.json": doc, "1": doc}, []uint64{1},
			"folder/1.json: line 1: id: token 1 occurs twice"},
		"a bad one": {fstest.MapFS{"1.json": doc, "2.json": other}, []uint64{1},
			"folder/2.json: line 1: not a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []uint64
			var faults []string
			m := plainRegistry(t).NewImport(func(_ context.Context, pets []Pet) error {
				for _, p := range pets {
					got = append(got, p.ID)
				}
				return nil
			}, func(file string, line int, err error) { faults = append(faults, file+": line 1: "+err.Error()) })
			if err := errors.Join(m.ReadFolder(t.Context(), "folder", test.folder), m.Flush(t.Context())); err != nil {
				faults = append(faults, err.Error())
			}
			if text := strings.Join(faults, "\n"); !slices.Equal(got, test.want) ||
				!strings.HasPrefix(text, test.fault) || text != "" && test.fault == "" {
				t.Errorf("imported %v, faults %q", got, text)
			}
		})
	}
}

func TestImportedTraitsAreInstalled(t *testing.T) {
	k := plainRegistry(t)
	value := func(power string) collection.Value {
		v, _, err := k.Collection.FromTexts(map[string]string{"power": power})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	owner := common.Address{1}
	places, _ := k.Apply(nil, Observation{ID: 3, Owner: owner, Value: value("1")},
		ObservedAt{Realm: k.Realms[0], Block: 5, Time: at})
	places, change := k.Install(places, Pet{ID: 3, Realm: "open", Value: value("2")}, at.Add(time.Hour))
	p := Published(places)
	if p.Owner != owner || p.Block != 5 || p.InTransit || show(k, *p)["power"] != "2" ||
		!p.ChangedAt.Equal(at.Add(time.Hour)) {
		t.Errorf("the pet is %+v", p)
	}
	if change == nil || change.Kind != Changed || !cmp.Equal(change.Fields, []Delta{{"power", "1", "2"}}) ||
		!change.At.Equal(at.Add(time.Hour)) {
		t.Errorf("the change is %+v", change)
	}
	if _, change = k.Install(places, Pet{ID: 3, Realm: "open", Value: value("2")}, at.Add(2*time.Hour)); change != nil {
		t.Errorf("the same again: %+v", change)
	}
	if places, change = k.Install(nil, Pet{ID: 4, Realm: "open", Value: value("2")}, at); len(places) > 0 ||
		change != nil {
		t.Errorf("not on the chain yet: %+v, %+v", places, change)
	}
	if got := maps.Collect(maps.All(show(k, *p))); len(got) != 1 {
		t.Errorf("the traits are %v, want one", got)
	}
}

func TestAnImportWithoutTimesChangesPetsWhenItIsImported(t *testing.T) {
	home, at := uint64(0), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	rg := &Registry{pets, []Realm{{Key: "gone", Offset: &home, Closed: true}}}
	p := Pet{ID: 7, Realm: "gone", Owner: common.Address{1}}
	places, _ := rg.Install(nil, p, at)
	if got := Published(places); !got.ChangedAt.IsZero() {
		t.Errorf("of a new pet nobody knows when it changed: %v", got.ChangedAt)
	}
	p.Owner = common.Address{2}
	places, change := rg.Install(places, p, at.Add(time.Hour))
	if got := Published(places); change == nil || !change.At.Equal(at.Add(time.Hour)) ||
		!got.ChangedAt.Equal(change.At) {
		t.Errorf("another owner: %+v, %+v", change, got)
	}
	places, again := rg.Install(places, p, at.Add(2*time.Hour))
	if got := Published(places); again != nil || !got.ChangedAt.Equal(change.At) {
		t.Errorf("the same once more: %+v, %+v", again, got)
	}
}
