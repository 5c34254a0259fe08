package art

import (
	"testing"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// plainPack opens the plain pack of a collection.
func plainPack(t *testing.T) *Pack {
	t.Helper()
	c, err := collection.Parse("stones.yaml", []byte("name: Stones\none: stone\nmany: stones\n"))
	if err != nil {
		t.Fatal(err)
	}
	offset := uint64(2e12)
	realms := []pet.Realm{{Key: "home", Name: "Home", Offset: &offset}}
	packs, err := OpenAll(c, realms, nil)
	if err != nil {
		t.Fatal(err)
	}
	return packs.Current()
}

// TestPlainCards: every token of a collection without pictures has a card. It is the same every
// time, stays within its frame, and shows the token's number.
func TestPlainCards(t *testing.T) {
	p := plainPack(t)
	seen := map[string]bool{}
	ids := []uint64{0, 7, 2e12 + 41, 1<<64 - 1}
	for _, id := range ids {
		l := p.LookOf(pet.Pet{ID: id})
		for view := range 4 {
			v := View{Frame: view&1 == 0, Background: view&2 == 0, Scale: 1 + view}
			png := p.Draw(l, v)
			key := p.Key(l, v)
			if string(png) != string(p.Draw(l, v)) || key != p.Key(l, v) {
				t.Fatalf("%d is drawn otherwise a second time", id)
			}
			img := shrink(t, decodePNG(t, png), v.Scale)
			if nrgba(img.At(0, 0)).A != 0 || nrgba(img.At(plainGrid/2, plateTop+20)).A != 255 {
				t.Errorf("%d: corners are cut and the plate is there", id)
			}
		}
		seen[p.PictureVersion(l)] = true
	}
	if len(seen) != len(ids) {
		t.Errorf("%d versions of %d pictures", len(seen), len(ids))
	}
	if p.Moves() || p.ID() != "plain" {
		t.Errorf("%s moves is %t", p.ID(), p.Moves())
	}
	if l := p.LookOf(pet.Pet{ID: 2e12 + 41}); l.values[1] != 41 {
		t.Errorf("the number is %d", l.values[1])
	}
}
