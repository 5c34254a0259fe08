package art

import (
	"fmt"
	"slices"
)

// checkMotion finds strips whose frames are alike or never shown, and feet that slide.
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
				r.note(a.File, `frame %d is never shown: its number is not in "play"`, t)
			}
			// A layer with a Bob floats: all of it moves, so its feet may move too.
			if slot := p.anchorSlot; len(a.Bob) == 0 && slot != none && a.Slot == p.slots[slot].name {
				if now, first := a.frames[t].foot(), a.frames[0].foot(); now != first {
					r.note(a.File, "its feet slide: frame %d stands at %s; frame 0 stands at %s", t, now, first)
				}
			}
		}
	}
	if p.Moves() && !moving {
		r.note("", "the pack has delays, but nothing in it moves")
	}
}

// foot says where a layer stands: its lowest visible row, and the first and last visible pixel of
// that row.
func (l *layer) foot() string {
	left, right := l.x+l.w, 0
	for _, s := range l.spans {
		if int(s.y) == l.h-1 {
			left, right = min(left, l.x+int(s.x)), max(right, l.x+int(s.x)+int(s.n)-1)
		}
	}
	return fmt.Sprintf("y = %d, x = %d to %d", l.y+l.h-1, left, right)
}

// sameAs reports whether two layers of one pack look the same. It compares where their pixels are
// stored, not the pixels, because a pack stores equal runs of pixels only once.
func (l *layer) sameAs(o *layer) bool {
	return l.x == o.x && l.y == o.y && slices.Equal(l.spans, o.spans) && slices.Equal(l.from, o.from)
}
