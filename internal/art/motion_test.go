package art

import "testing"

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
			for at, covered := range now {
				x := at % p.grid
				y := at / p.grid
				if covered && min(x, y, p.grid-1-x, p.grid-1-y) < 3 {
					t.Fatalf("%s: frame %d covers the pixel %d,%d, outside of the card", a.File, n, x, y)
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

// outline says of each pixel of the grid whether an asset covers it in a frame of the picture.
func (p *Pack) outline(a *asset, frame int) []bool {
	drawing, dx, dy := a.Step(frame)
	l := a.frames[drawing]
	out := make([]bool, p.grid*p.grid)
	for _, s := range l.spans {
		left := a.X + dx + l.x + int(s.x)
		top := a.Y + dy + l.y + int(s.y)
		for x := left; x < left+int(s.n); x++ {
			out[top*p.grid+x] = true
		}
	}
	return out
}

// changed counts the pixels that only one of two outlines covers.
func changed(a, b []bool) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
