package main

import (
	"bytes"
	"image/color"
	"sync"
	"testing"
)

// drawnOnce draws all looks, once for all tests.
var drawnOnce = sync.OnceValue(func() map[string][3]staged {
	out := map[string][3]staged{}
	for _, nest := range nests() {
		for _, c := range nest {
			out[c.key] = [3]staged{c.stage(0), c.stage(1), c.stage(2)}
		}
	}
	return out
})

// margin is the distance that every pet keeps from the grid's edge, for frames.
const margin = 8

func TestCreatures(t *testing.T) {
	for _, nest := range nests() {
		for _, c := range nest {
			for n, l := range c.looks {
				t.Run(c.key+"/"+l.name, func(t *testing.T) {
					s := drawnOnce()[c.key][n]
					plain, shiny, p := s.plain[0], s.shiny[0], s.rest
					colours := map[color.NRGBA]bool{}
					low := 0
					for y := range grid {
						for x := range grid {
							k := plain.NRGBAAt(x, y)
							if k.A != shiny.NRGBAAt(x, y).A {
								t.Fatalf("pixel %d,%d is drawn in only one of plain and shiny", x, y)
							}
							if k.A == 0 {
								continue
							}
							colours[k], low = true, y
							if x < margin || y < margin || x >= grid-margin || y >= grid-margin {
								t.Errorf("pixel %d,%d is within %d of the edge", x, y, margin)
							}
						}
					}
					if len(colours) > 50 {
						t.Errorf("%d colours, want 50 at most", len(colours))
					}
					if low < 62 || low > 76 {
						t.Errorf("lowest pixel at %d, want it near the ground at 72", low)
					}
					if bytes.Equal(plain.Pix, shiny.Pix) {
						t.Error("shiny looks like plain")
					}
					for _, a := range []string{"crest", "tail", "heart", "feet"} {
						if at, ok := p.points[a]; !ok || at[0] < margin || at[1] < margin || at[0] >= grid-margin ||
							at[1] >= grid-margin {
							t.Errorf("anchor %s at %v", a, at)
						}
					}
				})
			}
		}
	}
}

func TestCreaturesAreNamed(t *testing.T) {
	seen := map[string]bool{}
	for egg, nest := range nests() {
		if len(nest) != 8 {
			t.Errorf("egg type %d has %d families, want 8", egg, len(nest))
		}
		for _, c := range nest {
			if len(c.lore) < 80 || seen[c.key] || seen[c.family.name] {
				t.Errorf("family %q: lore of %d bytes, or named twice", c.key, len(c.lore))
			}
			seen[c.key], seen[c.family.name] = true, true
			for _, l := range c.looks {
				if l.name == "" || seen[l.name] {
					t.Errorf("family %q: look %q has no name of its own", c.key, l.name)
				}
				seen[l.name] = true
			}
		}
	}
}

func TestSamePixelsTwice(t *testing.T) {
	for _, c := range blue() {
		if !bytes.Equal(c.stage(2).shiny[0].Pix, drawnOnce()[c.key][2].shiny[0].Pix) {
			t.Errorf("%s differs when drawn again", c.key)
		}
	}
}
