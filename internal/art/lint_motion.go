package art

import "slices"

// checkMotion looks for strips whose frames are alike or never shown, and for
// feet that slide.
func (r *Report) checkMotion(p *Pack) {
	seen := map[string]bool{}
	moving := false
	for i := range p.assets {
		a := &p.assets[i]
		moving = moving || len(a.frames) > 1 || len(a.Bob) > 0
		if len(a.frames) < 2 || seen[a.File] {
			continue
		}
		seen[a.File] = true
		for t := 1; t < len(a.frames); t++ {
			if a.frames[t].sameAs(a.frames[t-1]) {
				r.note(a.File, "frames %d and %d are the same picture", t-1, t)
			}
			if len(a.Play) > 0 && !slices.Contains(a.Play, t) {
				r.note(a.File, "frame %d is never shown: play does not name it", t)
			}
			if slot := p.anchorSlot; slot != none && a.Slot == p.slots[slot].name && a.frames[t].foot() != a.frames[0].foot() {
				r.note(a.File, "its feet slide: frame %d stands on y = %d, the first on %d", t, a.frames[t].foot(), a.frames[0].foot())
			}
		}
	}
	if p.Moves() && !moving {
		r.note("", "the pack has delays, and nothing in it moves")
	}
}

// foot is the lowest row that shows.
func (l *layer) foot() int { return l.y + l.h - 1 }

func (l *layer) sameAs(o *layer) bool {
	return l.x == o.x && l.y == o.y && l.w == o.w && slices.Equal(l.index, o.index) && slices.Equal(l.colour, o.colour)
}
