package art

import "math/bits"

const (
	maxTuples = 4 << 20 // with this many looks or more, lint does not count colours
	maxExact  = 20_000  // lint draws at most this many looks to count their colours
)

// checkColours checks that a palette is enough for every look, with and without frame and
// background. A picture has at most the colours of all its layers. If these are too many,
// checkColours draws the picture and counts its colours. After maxExact drawn looks, it counts the
// colours of all layers instead.
func (r *Report) checkColours(p *Pack) {
	r.Looks = 1
	for i := range p.traits {
		if r.Looks *= p.traits[i].size; r.Looks > maxTuples {
			r.Looks = maxTuples
		}
	}
	switch {
	case p.soft:
		r.note("", "the pack has partly transparent pixels or more than %d colours: its pictures are drawn as RGBA, "+
			"which takes longer; pictures with more than %d colours become larger files", maxColours, maxPalette)
		return
	case r.Looks == maxTuples:
		r.note("", "too many looks to count the colours of each; looks with more than %d colours are drawn as RGBA",
			maxPalette)
		return
	}
	sets := p.colourSets()
	words := (len(p.colours) + 63) / 64
	union := make([]uint64, words)
	traits := make([]int, len(p.traits))
	for t := range traits {
		traits[t] = t
	}
	over, still, drawn := 0, 0, 0
	for class, more := (tuple{}), true; more; more = p.next(&class, traits, false) {
		clear(union)
		union[0] = 1 // bit 0 stands for transparency
		for i := range p.slots {
			for w, set := range sets[p.slots[i].at(&class)] {
				union[w] |= set
			}
		}
		n := 0
		for _, w := range union {
			n += bits.OnesCount64(w)
		}
		first := n
		if n > maxPalette && drawn < maxExact {
			drawn++
			first, n = p.count(class)
		}
		switch {
		case first > maxPalette:
			over++
		case n > maxPalette:
			still++
		}
		r.Colours = max(r.Colours, n)
	}
	if over > 0 {
		r.note("", "%d of %d looks have more than %d colours: their pictures are drawn as RGBA, which takes longer, "+
			"and become larger files", over, r.Looks, maxPalette)
	}
	if still > 0 {
		r.note("", "%d of %d looks have more than %d colours over all their frames, so their pictures do not move",
			still, r.Looks, maxPalette)
	}
}

// colourSets returns the set of colours of each asset, with a bit for each colour of the pack's
// table.
func (p *Pack) colourSets() [][]uint64 {
	out := make([][]uint64, len(p.assets))
	for i, a := range p.assets {
		if a.layer == nil {
			continue
		}
		set := make([]uint64, (len(p.colours)+63)/64)
		set[0] = 1 // bit 0 stands for transparency
		for _, frame := range a.frames {
			for i, s := range frame.spans {
				for _, c := range p.index[frame.from[i]:][:s.n] {
					set[c/64] |= 1 << (c % 64)
				}
			}
		}
		out[i] = set
	}
	return out
}

// count composes a look in all four views, because a view without frame or background can uncover
// colours. It returns the most colours that the first frame of a view has, and the most colours
// that all frames of a view have together.
func (p *Pack) count(class tuple) (first, all int) {
	look := p.lookIn(class)
	d := p.canvas()
	defer p.canvases.Put(d)
	for i := range 4 {
		d.clearPalette()
		for t := range max(len(p.m.Delays), 1) {
			p.compose(d, look, View{Frame: i&1 == 0, Background: i&2 == 0}, t)
			fits := p.reduce(d)
			n := len(d.palette)
			if !fits {
				n++
			}
			if t == 0 {
				first = max(first, n)
			}
			if all = max(all, n); !fits {
				break
			}
		}
	}
	return first, all
}
