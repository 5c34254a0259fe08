package petpack

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// head is a pack.json whose slots follow.
const head = `{
 "format": "petpack/2",
 "id": "test",
 "version": "1",
 "name": "Test",
 "licence": "CC0-1.0",
 "credits": [{"name": "a", "role": "art"}],
 "grid": 90,
 "scale": 4,
 "values": {"rarity": ["common", "rare"], "background": ["lava-field", "lava"]},
`

// traits are those of a collection.
var traits = []Trait{
	{Name: "egg", Max: 255}, {Name: "appearance", Max: 65535}, {Name: "rarity", Max: 255}, {Name: "element", Max: 255},
	{Name: "shiny", Max: 1, Bool: true}, {Name: "background", Max: 255}, {Name: "tame", Max: 1, Bool: true},
}

// packOf makes a pack of empty files, because nothing here reads them.
func packOf(manifest string, files ...string) fstest.MapFS {
	tree := fstest.MapFS{ManifestFile: {Data: []byte(manifest)}, DictionaryFile: {Data: []byte("{}")}}
	for _, name := range files {
		tree[name] = &fstest.MapFile{Data: []byte(name)}
	}
	return tree
}

// TestNames reads what file names say.
func TestNames(t *testing.T) {
	for _, test := range []struct {
		pattern, file string
		want          map[string][]int // nil if it does not fit
	}{
		{"pet/{egg}-{appearance}.png", "pet/0-17.png", map[string][]int{"egg": {0}, "appearance": {17}}},
		{"pet/{egg}-{appearance}.png", "pet/0-17@shiny.png",
			map[string][]int{"egg": {0}, "appearance": {17}, "shiny": {1}}},
		{"pet/{egg}-{appearance}.png", "pet/0+2+4-1.png", map[string][]int{"egg": {0, 2, 4}, "appearance": {1}}},
		{"pet/{egg}-{appearance}.png", "pet/0-1-2.png", nil},
		{"pet/{egg}-{appearance}.png", "pet/0-x.png", nil},
		{"pet/{egg}-{appearance}.png", "old/pet/0-1.png", nil},
		{"pet/{egg}-{appearance}.png", "pet/0-1.png.png", nil},
		{"frame/{rarity}.png", "frame/rare.png", map[string][]int{"rarity": {1}}},
		{"frame/{rarity}.png", "frame/4.png", map[string][]int{"rarity": {4}}},
		{"frame/{rarity}.png", "frame/mythic.png", nil},
		{"scene/{background}-back.png", "scene/lava-field-back.png", map[string][]int{"background": {0}}},
		{"scene/{background}-back.png", "scene/lava-back.png", map[string][]int{"background": {1}}},
		{"sparkle@shiny.png", "sparkle@shiny.png", map[string][]int{"shiny": {1}}},
		{"sparkle@shiny.png", "sparkle.png", nil},
		{"a.b/{egg}.png", "aXb/0.png", nil},
		{"e/{shiny}.png", "e/1@shiny.png", nil},
		{"e.png", "e@shiny@tame.png", map[string][]int{"shiny": {1}, "tame": {1}}},
		{"e@tame.png", "e@shiny@tame.strip3.png", map[string][]int{"shiny": {1}, "tame": {1}}},
		{"e@tame.png", "e@shiny.png", nil},
		{"e.png", "e@egg.png", nil},
		{"e.png", "e@2x.png", nil},
	} {
		t.Run(test.pattern+" "+test.file, func(t *testing.T) {
			values := map[string][]string{"rarity": {"common", "rare"}, "background": {"lava-field", "lava"}}
			m := &Manifest{Values: values, given: traits}
			p, err := m.parsePattern(test.pattern)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := p.match(test.file)
			if ok != (test.want != nil) || !reflect.DeepEqual(got, test.want) {
				t.Errorf("taken for %v, %t", got, ok)
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	tree := packOf(head+` "slots": [
  {"name": "pet", "files": ["pet/{egg}.png"], "x": 1, "anchors": {"top": [4, 5]}},
  {"name": "hat", "files": ["hat.png"], "at": "top", "y": -3}
 ],
 "places": {"pet/1": {"x": 7, "anchors": {"top": [1, 2]}}}
}`, "pet/1.png", "pet/1@shiny.png", "pet/2.png", "hat.png", ".hidden.png")
	m, err := NewSource(tree).Manifest(traits)
	if err != nil {
		t.Fatal(err)
	}
	if by := m.Slots[0].By; !slices.Equal(by, []int{0, 1}) || m.Traits[1].Name != "shiny" || m.Slots[1].By != nil {
		t.Errorf("slots select by %v", m.Slots)
	}
	type found struct{ x, y, top int }
	got := map[string]found{}
	for _, a := range m.Assets {
		got[a.File] = found{a.X, a.Y, a.Anchors["top"][0]}
	}
	want := map[string]found{"pet/1.png": {7, 0, 1}, "pet/1@shiny.png": {7, 0, 1}, "pet/2.png": {1, 0, 4},
		"hat.png": {0, -3, 0}}
	if !maps.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// TestRefused breaks a valid pack in one way at a time. The error names the text and what
// would be right.
func TestRefused(t *testing.T) {
	sound := head + ` "slots": [
  {"name": "pet", "files": ["pet/{egg}.png"]},
  {"name": "frame", "files": ["frame/{rarity}.png"], "switch": "frame", "optional": true}
 ]
}`
	files := []string{"pet/0.png", "frame/rare.png"}
	if _, err := NewSource(packOf(sound, files...)).Manifest(traits); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, new, want string }{
		{`"grid": 90`, `"gird": 90`, `line 8: unknown key "gird"`},
		{`"grid": 90`, `"grid": 600`, `grid is 600, not 8 to 512`},
		{`"grid": 90`, `"grid": "90"`, `line 8: grid must be a whole number, not: string`},
		{`"scale": 4`, `"scale": 37`, `scale is 37, not 1 to 36; the largest makes pictures 3240 pixels`},
		{`"id": "test"`, `"id": "Test"`, `id "Test": not 1 to 40 lower-case`},
		{`"switch": "frame"`, `"switch": "sky"`, `slot "frame": switch "sky"`},
		{`"optional": true`, `"by": ["rarity"]`, `line 13: unknown key "by"`},
		{`pet/{egg}.png`, `pet/{mood}.png`, `slot "pet": pet/{mood}.png: no trait "mood"; traits are egg`},
		{`pet/{egg}.png`, `pet/{egg}.gif`, `slot "pet": pet/{egg}.gif: not a .png`},
		{`pet/{egg}.png`, `pets/{egg}.png`, `slot "pet": no file matches pets/{egg}.png`},
		{`pet/{egg}.png`, `pet/{egg}{egg}.png`, `trait egg occurs twice`},
		{`"common", "rare"`, `"rare", "rare"`, `values: rarity rare occurs twice`},
		{`"common", "rare"`, `"Common", "rare"`, `values: rarity "Common": not`},
		{`"slots"`, `"places": {"pet/9": {"x": 1}}, "slots"`, `places: no slot draws a file pet/9.png`},
		{`petpack/2`, `petpack/9`, `format is "petpack/9", not "petpack/2"`},
		{`"format": "petpack/2",`, ``, `format is "", not "petpack/2"`},
		{`"slots"`, `"delays": [5], "slots"`, `a delay of 5 ms is not within 20 to 6000 ms`},
		{`"slots"`, `"delays": [4000, 3000], "slots"`, `the movement lasts 7000 ms`},
		{`"optional": true`, `"bob": [[0, 0], [0, 1]]`,
			`frame/rare.png, of slot "frame": it moves, but pack.json has no delays`},
		{` ]
}`, ` ]
}}`, `line 15: more follows`},
		{`"scale": 4,`, `"scale": 4`, `line 10: invalid character`},
	} {
		t.Run(test.want, func(t *testing.T) {
			text := strings.Replace(sound, test.old, test.new, 1)
			if text == sound {
				t.Fatalf("%q is not there", test.old)
			}
			_, err := NewSource(packOf(text, files...)).Manifest(traits)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v", test.new, err)
			}
		})
	}
	for file, want := range map[string]string{
		"pet/256.png": "from 0 to 255", "pet/1+1.png": "twice", "pet/99999999999999999999.png": "from 0 to 255",
	} {
		t.Run(file, func(t *testing.T) {
			_, err := NewSource(packOf(sound, append(files, file)...)).Manifest(traits)
			if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v does not say %s", err, want)
			}
		})
	}
}

// TestMotion: a movement fits the frames of the pack, and begins with the still
// picture.
func TestMotion(t *testing.T) {
	manifest := func(slot string) string {
		return head + ` "delays": [100, 100, 100, 100, 100, 100], "slots": [{"name": "pet", "files": ["pet/{egg}.png"]` + slot + `}]
}`
	}
	for _, test := range []struct{ slot, file, want string }{
		{``, "pet/0.strip3.png", ""},
		{``, "pet/0@shiny.strip6.png", ""},
		{`, "play": [0, 1, 0]`, "pet/0.strip2.png", ""},
		{`, "bob": [[0, 0], [0, 1]]`, "pet/0.png", ""},
		{``, "pet/0.strip4.png",
			"pet/0.strip4.png, of slot \"pet\": play has 4 steps, which do not divide the picture's 6 frames"},
		{`, "bob": [[0, 0], [0, 1], [0, 1], [0, 1]]`, "pet/0.png", "bob has 4 steps"},
		{`, "play": [0, 2]`, "pet/0.strip2.png", "no frame 2; there are 0 to 1"},
		{`, "play": [1, 0]`, "pet/0.strip2.png", "the first frame is the still picture"},
		{`, "bob": [[0, 1], [0, 0]]`, "pet/0.png", "the first frame is the still picture"},
	} {
		t.Run(test.file+test.slot, func(t *testing.T) {
			_, err := NewSource(packOf(manifest(test.slot), test.file)).Manifest(traits)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Error(err)
			}
		})
	}
	a := Asset{Frames: 3, Play: []int{0, 2}, Bob: [][2]int{{}, {1, -1}, {2, 0}}}
	for i, want := range [][3]int{{0, 0, 0}, {2, 1, -1}, {0, 2, 0}, {2, 0, 0}} {
		if frame, dx, dy := a.Step(i); [3]int{frame, dx, dy} != want {
			t.Errorf("step %d is %d %d %d, not %v", i, frame, dx, dy, want)
		}
	}
}

// TestSchemaHasEveryKey keeps the schema and the structs together.
func TestSchemaHasEveryKey(t *testing.T) {
	type object struct {
		Properties map[string]json.RawMessage
		Items      json.RawMessage
		Additional json.RawMessage `json:"additionalProperties"`
	}
	read := func(data []byte) (o object) {
		if err := json.Unmarshal(data, &o); err != nil {
			t.Fatal(err)
		}
		return o
	}
	keys := func(v any) (out []string) {
		for i := range reflect.TypeOf(v).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(v).Field(i).Tag.Get("json"), ",")
			if name != "" && name != "-" {
				out = append(out, name)
			}
		}
		slices.Sort(out)
		return out
	}
	pack := read(Schema)
	for name, test := range map[string]struct {
		schema object
		keys   []string
	}{
		"pack":   {pack, keys(Manifest{})},
		"slots":  {read(read(pack.Properties["slots"]).Items), keys(Slot{})},
		"places": {read(read(pack.Properties["places"]).Additional), keys(place{})},
	} {
		t.Run(name, func(t *testing.T) {
			if got := slices.Sorted(maps.Keys(test.schema.Properties)); !slices.Equal(got, test.keys) {
				t.Errorf("the schema has %v, the program %v", got, test.keys)
			}
		})
	}
}

// TestSteadyLayers: a steady layer follows the shift of the layer below, and not its carry.
func TestSteadyLayers(t *testing.T) {
	a := Asset{Frames: 2, Play: []int{0, 1}, Bob: [][2]int{{}, {0, -1}}, Carry: [][2]int{{}, {3, 2}}}
	for steady, want := range map[bool][2]int{false: {3, 1}, true: {0, -1}} {
		if dx, dy := a.Carried(1, steady); [2]int{dx, dy} != want {
			t.Errorf("steady %v: %d, %d, not %v", steady, dx, dy, want)
		}
	}
}
