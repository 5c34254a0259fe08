//go:build !race

package art

import "testing"

// raceDetector says whether this is a build with the race detector. What only
// computes, on one goroutine, has nothing to show it: the tests in this file
// leave it out, and others go through a sample.
const raceDetector = false

// TestDrawAllocates holds a picture to one allocation: its own bytes.
func TestDrawAllocates(t *testing.T) {
	for name, p := range map[string]*Pack{"palette": embedded(t), "rgba": open(t, colourful(t)), "soft": open(t, soft(t))} {
		l, v := Look{Appearance: 1}, Whole
		p.Draw(l, v)
		if n := testing.AllocsPerRun(100, func() { p.Draw(l, v) }); n > 1 {
			t.Errorf("%s: %v allocations for one picture", name, n)
		}
	}
}

// TestEmbeddedPack holds the default pack to what any pack must be.
func TestEmbeddedPack(t *testing.T) {
	r, err := Lint("embedded")
	if err != nil || !r.OK() || len(r.Notes) > 0 {
		t.Fatalf("%v, %q, %q", err, r.Faults, r.Notes)
	}
	if r.Pack.Licence() != "CC0-1.0" || r.Pack.Grid() != 90 || r.Pack.Scale() != 4 {
		t.Errorf("licence %q, grid %d, scale %d", r.Pack.Licence(), r.Pack.Grid(), r.Pack.Scale())
	}
	if d := r.Pack.Dictionary(); len(d.GatheringTypes) != len(d.Eggs) || len(d.CraftingTypes) != traitDomain[traitElement] {
		t.Errorf("trades %q and crafts %q", d.GatheringTypes, d.CraftingTypes)
	}
	for egg, list := range r.Pack.appearances() {
		if len(list) < 25 {
			t.Errorf("egg type %d has %d appearances with the unrevealed one", egg, len(list))
		}
	}
}

// TestColoursAreCounted compares the proof with pictures drawn.
func TestColoursAreCounted(t *testing.T) {
	p, r := embedded(t), newRand()
	report := &Report{}
	report.checkColours(p)
	if report.Looks != 6*6*9*2*12*p.space.size[traitAppearance] {
		t.Errorf("%d looks", report.Looks)
	}
	if report.Colours < 10 || report.Colours > maxPalette || len(report.Notes) > 0 {
		t.Errorf("at most %d colours: %q", report.Colours, report.Notes)
	}
	for range 300 {
		d := p.canvas()
		p.compose(d, anyLook(r, p), Whole)
		if !p.reduce(d) || len(d.palette) > report.Colours {
			t.Fatalf("%d colours, more than %d", len(d.palette), report.Colours)
		}
	}
}
