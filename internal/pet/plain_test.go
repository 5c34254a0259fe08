package pet

import (
	"testing"

	"petsupply/internal/pet/collection"
	"petsupply/testkit/traits"
)

func TestWords(t *testing.T) {
	zero, band := uint64(0), uint64(Band)
	w, err := NewWords(collection.Pets(), tables(t, testDictionary), []Realm{
		{Key: "first", Name: "First", Offset: &zero}, {Key: "second", Name: "Second", Offset: &band}})
	if err != nil {
		t.Fatal(err)
	}
	p := Pet{ID: Band + 7, Realm: "first", Name: "  A\u202e  B ",
		Value: traits.V2("appearance", 12, "rarity", 3, "element", 1)}
	for name, test := range map[string]struct{ got, want string }{
		"a given name": {w.Name(&p), "A B"},
		"no name":      {w.Name(&Pet{ID: Band + 7, Value: traits.V2("appearance", 12)}), "River Otter #7"},
		"of no realm": {w.Name(&Pet{ID: 5 * Band, Value: traits.V2("appearance", 12)}),
			"River Otter #5000000000000"},
		"a description":  {w.Description(&p), "Otters hold hands while they sleep."},
		"a line":         {w.Line(&p), "Legendary · Water"},
		"a kind":         {w.KindOf(&p).Name, "River Otter"},
		"a family":       {w.KindOf(&p).Family, "Otter"},
		"a field's word": {w.FieldWord(w.Collection.RankField(), w.Number(&p, w.Collection.RankField())), "Legendary"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.got != test.want {
				t.Errorf("%q, want %q", test.got, test.want)
			}
		})
	}
	said := map[string]string{}
	for _, a := range w.Attributes(&p) {
		said[a.Trait] = a.Text
	}
	if said["Realm"] != "First" || said["Native Realm"] != "Second" || said["Rarity"] != "Legendary" ||
		said["In Transit"] != "No" {
		t.Errorf("the attributes are %v", said)
	}
}
