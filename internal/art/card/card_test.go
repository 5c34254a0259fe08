package card

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"sync"
	"testing"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/testkit/traits"
)

var opened = sync.OnceValues(art.Embedded)

func open(t *testing.T) *art.Pack {
	t.Helper()
	p, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func example(name string) pet.Pet {
	p := pet.Pet{ID: 17}
	p.Name, p.Value = name, traits.V2("appearance", 3, "rarity", 4, "element", 4, "shiny", 1,
		"profbonus", 160, "craftbonus", 81, "combatbonus", 1)
	return p
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := img.(*image.Paletted); !ok || img.Bounds() != image.Rect(0, 0, Width, Height) {
		t.Errorf("%T of %v", img, img.Bounds())
	}
	return img
}

// hostile are names that owners could choose.
var hostile = []string{
	"", "Moss", "Bartholomew", strings.Repeat("W", 200), strings.Repeat("long words ", 30), "\u202egnihton", "שלום עולם",
	"🦦🦦🦦",
	"👩\u200d👩\u200d👧 family", "Zoë\u0301\u0302\u0303", "<script>alert(1)</script>", "\x00\x01",
}

// Whatever a pet is called, no text leaves its column, and the picture beside it is the pet's.
func TestPetCard(t *testing.T) {
	pack := open(t)
	blank, column := newCanvas(), image.Rect(columnX-8, 20, columnX+columnWidth, rows-14)
	want, err := png.Decode(bytes.NewReader(pack.Draw(pack.LookOf(example("")), art.View{Frame: true, Background: true,
		Scale: 1})))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range hostile {
		c := NewPet(pack, example(name), nil, Foot("https://example.com/"+name, true))
		img := decode(t, c.Draw())
		foot := newCanvas()
		foot.text(columnX, footY, 1, silver, c.foot)
		for y := range rows {
			for x := range columns {
				at, k := image.Pt(x, y), colour(img.At(x*scale+1, y*scale+1))
				switch {
				case foot.NRGBAAt(x, y) == silver && k != silver:
					t.Fatalf("%q: the last line is covered or missing at %v", name, at)
				case at.In(column):
				case at.In(image.Rect(0, 0, portrait, portrait).Add(image.Pt(portraitX, portraitY))):
					if p := colour(want.At((x-portraitX)/2, (y-portraitY)/2)); p.A > 0 && p != k {
						t.Fatalf("%q: another picture at %v", name, at)
					}
				case k != blank.NRGBAAt(x, y):
					t.Fatalf("%q: something is written at %v", name, at)
				}
			}
		}
		if strings.TrimSpace(c.name) == "" {
			t.Errorf("%q: no name is shown", name)
		}
	}
}

// A long address loses its path, but never the word demo.
func TestFoot(t *testing.T) {
	for page, want := range map[string]string{
		"https://pets.example/pet/17":                             "pets.example/pet/17 · demo",
		"https://pets.example.com/pet/1000000000017":              "pets.example.com · demo",
		"https://the-longest-host-name-of-all.example.com/pet/17": "the-longest-host-name-of-all.e... · demo",
	} {
		if got := Foot(page, true); got != want {
			t.Errorf("%s: %q, not %q", page, got, want)
		}
	}
}

func colour(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }

// A name that nobody could read is replaced by the name of the creature.
func TestANameThatCannotBeRead(t *testing.T) {
	for name, want := range map[string]string{
		"שלום עולם": "Lily Warden #17", "🦦🦦🦦": "Lily Warden #17", "Zoë\u0301": "Zoë", "Moss": "Moss", "Ann 🦦": "Ann",
		"Ängström": "Ängström", "Søren": "Søren",
	} {
		t.Run(name, func(t *testing.T) {
			if got := NewPet(open(t), example(name), nil, "").name; got != want {
				t.Errorf("written as %q, not %q", got, want)
			}
		})
	}
}

// Pets of two realms can have the same name and number. Their cards say which realm each is from.
func TestRealms(t *testing.T) {
	first, second := uint64(0), uint64(1e12)
	realms := []pet.Realm{{Key: "a", Name: "Alder", Offset: &first}, {Key: "b", Name: "Birch", Offset: &second}}
	p := example("")
	p.ID += second
	if c := NewPet(open(t), p, realms, ""); c.name != "Lily Warden #17" || c.kind != "River Otter · Birch" {
		t.Errorf("the card has the kind %q and the name %q", c.kind, c.name)
	}
	if c := NewPet(open(t), example("Moss"), realms[:1], ""); c.kind != "Lily Warden #17" {
		t.Errorf("of the only realm: %q", c.kind)
	}
}

// The version changes with everything visible, and with nothing else.
func TestVersion(t *testing.T) {
	pack := open(t)
	base := NewPet(pack, example("Moss"), nil, "").Version()
	seen := map[string]string{base: "base"}
	for name, change := range map[string]func(*pet.Pet){
		"name": func(p *pet.Pet) { p.Name = "Fern" }, "rarity": func(p *pet.Pet) {
			p.Value = traits.With(p.Value, "rarity",
				1)
		}, "shiny": func(p *pet.Pet) { p.Value = traits.With(p.Value, "shiny", 0) },
		"stars":  func(p *pet.Pet) { p.Value = traits.With(p.Value, "combatbonus", 200) },
		"number": func(p *pet.Pet) { p.ID = 18 },
	} {
		t.Run(name, func(t *testing.T) {
			p := example("Moss")
			change(&p)
			v := NewPet(pack, p, nil, "").Version()
			if seen[v] != "" {
				t.Errorf("has the version of %s", seen[v])
			}
			seen[v] = name
		})
	}
	p := example("Moss")
	p.Value = traits.With(p.Value, "hungry", 99)
	if NewPet(pack, p, nil, "").Version() != base {
		t.Error("the version changes with what does not show")
	}
}

func TestTokenCard(t *testing.T) {
	for _, x := range []Token{
		{"Jade", "JADE", "51,234,567.25", "125,000,000", 0.41, "as of 15 November 2026, 20:00 UTC", "example.com/token/jade"},
		{strings.Repeat("Name ", 60), strings.Repeat("S", 90), strings.Repeat("123,", 40) + "456", "0", -3,
			strings.Repeat("stale ", 90), strings.Repeat("long.", 90)},
		{"", "", "", "", 2, "", ""},
	} {
		img := decode(t, x.Draw())
		blank := newCanvas()
		for y := range rows {
			for _, c := range []int{0, 8, 20, columns - 20, columns - 8} {
				if colour(img.At(c*scale, y*scale)) != blank.NRGBAAt(c, y) {
					t.Fatalf("%.20q: something is written at %d,%d", x.Name, c, y)
				}
			}
		}
	}
}
