package art

import (
	"bytes"
	"os"
	"testing"
	"time"

	"petsupply/testkit/process"
)

// TestDrawAllocates: drawing a picture allocates only its own bytes.
func TestDrawAllocates(t *testing.T) {
	for name, p := range map[string]*Pack{"palette": embedded(t), "rgba": open(t, colourful(t)),
		"soft": open(t, soft(t))} {
		t.Run(name, func(t *testing.T) {
			l, v := p.Look(at{"appearance": 1}), Whole
			p.Draw(l, v)
			if n := testing.AllocsPerRun(100, func() { p.Draw(l, v) }); n > 1 {
				t.Errorf("%v allocations for one picture", n)
			}
		})
	}
}

// fastest returns the least processor time that a picture takes.
func fastest(t *testing.T, p *Pack, l Look, v View, times int) time.Duration {
	t.Helper()
	least := time.Hour
	for range times {
		before := process.OwnTime(t)
		p.Draw(l, v)
		least = min(least, process.OwnTime(t)-before)
	}
	return least
}

// TestCostlyPictures: the largest picture takes at most 80 times as long as the usual one, which is
// 40 ms if the usual one takes 0.5 ms. A moving one takes at most 40 times as long.
func TestCostlyPictures(t *testing.T) {
	p := embedded(t)
	large := Whole
	large.Scale = p.MaxScale()
	moving := Whole
	moving.Form = Moving
	l := p.Look(at{"egg": 3, "appearance": 12, "background": 6, "element": 1, "rarity": 4, "shiny": 1})
	usual := fastest(t, p, l, Whole, 20)
	for _, test := range []struct {
		name string
		view View
		most time.Duration
	}{{"largest", large, 80}, {"moving", moving, 40}} {
		if took := fastest(t, p, l, test.view, 5); took > test.most*usual {
			t.Errorf("the %s picture takes %v, and the usual one %v", test.name, took, usual)
		}
	}
}

// TestEmbeddedPack checks the default pack like any other pack.
func TestEmbeddedPack(t *testing.T) {
	p := checked(t)
	if p.Licence() != "CC0-1.0" || p.Grid() != 90 || p.Scale() != 4 {
		t.Errorf("licence %q, grid %d, scale %d", p.Licence(), p.Grid(), p.Scale())
	}
	if d := p.Tables(); len(d["gatheringTypes"]) != 5 || len(d["craftingTypes"]) != 8 {
		t.Errorf("trades %q and crafts %q", d["gatheringTypes"], d["craftingTypes"])
	}
	for _, group := range p.kinds() {
		if len(group) < 25 {
			t.Errorf("%s has %d kinds with the unrevealed one", p.groupName(&group[0]), len(group))
		}
	}
}

// TestColours: no picture of the default pack has too many colours for a palette, so all of them
// can move.
func TestColours(t *testing.T) {
	p := embedded(t)
	r := newRand()
	for range 200 {
		d := p.canvas()
		l := anyLook(r, p)
		d.clearPalette()
		for frame := range p.m.Delays {
			p.compose(d, l, Whole, frame)
			if !p.reduce(d) {
				t.Fatalf("%s has more than %d colours", p.describe(l), maxPalette)
			}
		}
		p.canvases.Put(d)
	}
}

func TestPageOfASheet(t *testing.T) {
	p := open(t, small(t))
	page, err := Sheet{Pack: p, Scale: 1}.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Blue Example", "CC0-1.0", "frame=false, background=false", "On black"} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if n := bytes.Count(page, []byte("data:image/png;base64,")); n != 10+5+8+11+2+40 {
		t.Errorf("%d pictures on the page", n)
	}
}

// TestDocumentedSheet: docs/sheet.png is the sheet of the default pack. With -update, this test writes it.
func TestDocumentedSheet(t *testing.T) {
	const file = "../../docs/sheet.png"
	data, err := Sheet{Pack: embedded(t), Scale: 1}.PNG()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	shown, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(shown, data) {
		t.Errorf("%s differs: petsupply pack sheet embedded -o docs/sheet.png --scale 1", file)
	}
}

// TestUnknownValues: values from a chain that the pack does not know make no pictures of their own.
func TestUnknownValues(t *testing.T) {
	p, n := embedded(t), 0
	keys := map[string]bool{}
	for v := range uint64(1 << 16) {
		l := at{"egg": v, "rarity": v, "element": v, "background": v, "appearance": v}
		if key := p.Key(p.Look(l), Whole); !keys[key] {
			keys[key] = true
			n++
		}
	}
	if n > 300 {
		t.Errorf("%d pictures of hostile values", n)
	}
	version := func(traits at) string { return p.PictureVersion(p.Look(traits)) }
	strange := version(at{"egg": 99, "rarity": 88, "element": 77, "background": 66, "appearance": 5555})
	most := version(at{"egg": 255, "rarity": 255, "element": 255, "background": 255, "appearance": 65535})
	if strange == version(at{}) || strange != most {
		t.Error("unknown values are drawn as known ones, or as different ones")
	}
	if version(at{"egg": 1, "appearance": 60000}) != version(at{"egg": 1}) {
		t.Error("an unknown appearance is not the unrevealed one of its egg type")
	}
}
