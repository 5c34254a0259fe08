package art

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

var keepPlain = flag.String("plain", "", "directory to write plain cards to")

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

// TestPlainCards: every token of a collection without pictures has a card. It shows the token's
// name and number, is the same every time, and stays within its frame.
func TestPlainCards(t *testing.T) {
	p, seen := plainPack(t), map[string]bool{}
	for i, name := range []string{
		"", "Moss", "A name that is much longer than any plate can hold in two lines", "שלום", "🦦", strings.Repeat("W", 64),
	} {
		for _, id := range []uint64{0, 7, 2e12 + 41, 1<<53 - 1} {
			l := Look{values: [maxTraits]uint64{id}, name: name, number: id}
			if name == "" || id > 1e12 {
				l = p.plain.lookOf(p.texts, pet.Pet{ID: id, Name: name})
			}
			for view := range 4 {
				v := View{Frame: view&1 == 0, Background: view&2 == 0, Scale: 1 + view}
				png, key := p.Draw(l, v), p.Key(l, v)
				if string(png) != string(p.Draw(l, v)) || key != p.Key(l, v) {
					t.Fatalf("%q %d is drawn otherwise a second time", name, id)
				}
				img := shrink(t, decodePNG(t, png), v.Scale)
				if nrgba(img.At(0, 0)).A != 0 || nrgba(img.At(plainGrid/2, plateTop+20)).A != 255 {
					t.Errorf("%q %d: corners are cut and the plate is there", name, id)
				}
				if *keepPlain != "" {
					file := filepath.Join(*keepPlain, fmt.Sprintf("%d-%d-%d.png", i, id, view))
					if err := os.WriteFile(file, png, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			seen[p.PictureVersion(l)] = true
		}
	}
	if len(seen) < 20 {
		t.Errorf("%d versions", len(seen))
	}
	if p.Moves() || p.ID() != "plain" {
		t.Errorf("%s moves is %t", p.ID(), p.Moves())
	}
	if l := p.plain.lookOf(p.texts, pet.Pet{ID: 2e12 + 41}); l.number != 41 || l.name != "#41" {
		t.Errorf("the look is %+v", l)
	}
}
