package art

import (
	"maps"
	"testing"
)

// TestCreaturesMove: in at least half of the frames of every creature of the default pack, its
// outline is not where it was in the frame before. The creature is at rest in at most half of the
// frames, and never leaves the card.
func TestCreaturesMove(t *testing.T) {
	const stir = 16 // pixels of an outline that must change if a body moves
	p := embedded(t)
	p.Unpack()
	creatures := 0
	for i := range p.assets {
		a := &p.assets[i]
		if p.anchorSlot == none || a.Slot != p.slots[p.anchorSlot].name || len(a.When["appearance"]) == 0 ||
			a.When["appearance"][0] == 0 {
			continue
		}
		creatures++
		frames := len(p.m.Delays)
		moved, rests := 0, 0
		before := p.outline(a, frames-1)
		for n := range frames {
			now := p.outline(a, n)
			if changed(before, now) >= stir {
				moved++
			}
			before = now
			if drawing, dx, dy := a.Step(n); drawing == 0 && dx == 0 && dy == 0 {
				rests++
			}
			for at := range now {
				if min(at[0], at[1], p.grid-1-at[0], p.grid-1-at[1]) < 3 {
					t.Fatalf("%s: frame %d covers the pixel %v, outside of the card", a.File, n, at)
				}
			}
		}
		if moved < frames/2 || rests > frames/2 {
			t.Errorf("%s moves in %d of %d frames and is at rest in %d", a.File, moved, frames, rests)
		}
	}
	if creatures != 2*5*24 {
		t.Errorf("%d creatures, plain and shiny", creatures)
	}
}

// outline returns the pixels that an asset covers in a frame of the picture.
func (p *Pack) outline(a *asset, frame int) map[[2]int]bool {
	drawing, dx, dy := a.Step(frame)
	l := a.frames[drawing]
	out := map[[2]int]bool{}
	for _, s := range l.spans {
		for n := range int(s.n) {
			out[[2]int{a.X + dx + l.x + int(s.x) + n, a.Y + dy + l.y + int(s.y)}] = true
		}
	}
	return out
}

// changed counts the pixels that only one of two outlines covers.
func changed(a, b map[[2]int]bool) int {
	both := maps.Clone(a)
	maps.Copy(both, b)
	shared := 0
	for at := range a {
		if b[at] {
			shared++
		}
	}
	return len(both) - shared
}
