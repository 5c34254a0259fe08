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
	"", "Moss", "Bartholomew", strings.Repeat("W", 200), strings.Repeat("long words ", 30), "\u202egnihton", "שלום עולם", "🦦🦦🦦",
	"👩\u200d👩\u200d👧 family", "Zoë\u0301\u0302\u0303", "<script>alert(1)</script>", "\x00\x01",
}

// Whatever a pet is called, no text leaves its column, and the picture beside it is the pet's.
func TestPetCard(t *testing.T) {
	pack := open(t)
	blank, column := newCanvas(), image.Rect(columnX-8, 20, columnX+columnWidth, rows-14)
	want, err := png.Decode(bytes.NewReader(pack.Draw(pack.LookOf(example("")), art.View{Frame: true, Background: true, Scale: 1})))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range hostile {
		c := NewPet(pack, example(name), nil, Foot("https://example.com/"+name, true))
		img := decode(t, c.Draw())
		for y := range rows {
			for x := range columns {
				at, k := image.Pt(x, y), colour(img.At(x*scale+1, y*scale+1))
				switch {
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

func colour(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }

// A name that nobody could read is replaced by the name of the creature.
func TestANameThatCannotBeRead(t *testing.T) {
	for name, want := range map[string]string{
		"שלום עולם": "Lily Warden #17", "🦦🦦🦦": "Lily Warden #17", "Zoë\u0301": "Zoë", "Moss": "Moss", "Ann 🦦": "Ann 🦦",
	} {
		t.Run(name, func(t *testing.T) {
			if got := NewPet(open(t), example(name), nil, "").name; got != want {
				t.Errorf("written as %q, not %q", got, want)
			}
		})
	}
}

// The version changes with everything visible, and with nothing else.
func TestVersion(t *testing.T) {
	pack := open(t)
	base := NewPet(pack, example("Moss"), nil, "").Version()
	seen := map[string]string{base: "base"}
	for name, change := range map[string]func(*pet.Pet){
		"name": func(p *pet.Pet) { p.Name = "Fern" }, "rarity": func(p *pet.Pet) { p.Value = traits.With(p.Value, "rarity", 1) }, "shiny": func(p *pet.Pet) { p.Value = traits.With(p.Value, "shiny", 0) },
		"stars": func(p *pet.Pet) { p.Value = traits.With(p.Value, "combatbonus", 200) }, "number": func(p *pet.Pet) { p.ID = 18 },
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
		{strings.Repeat("Name ", 60), strings.Repeat("S", 90), strings.Repeat("123,", 40) + "456", "0", -3, strings.Repeat("stale ", 90), strings.Repeat("long.", 90)},
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
