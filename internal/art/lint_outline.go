package art

import (
	"maps"
	"math/bits"
	"slices"
)

// alike is the overlap above which two outlines count as the same. Kinds with such outlines are
// hard to tell apart.
const alike = 0.85

// An outline has a bit for each pixel of the grid. The bit is set if the layer is visible there.
type outline []uint64

// checkOutlines finds kinds of one group with nearly the same silhouette.
func (r *Report) checkOutlines(p *Pack) {
	if p.anchorSlot == none {
		return
	}
	for _, group := range p.kinds() {
		seen := map[string]outline{}
		for _, kind := range group {
			a := &p.assets[p.slots[p.anchorSlot].at(&kind)]
			if a.layer == nil || !p.revealed(&kind) || seen[a.File] != nil {
				continue
			}
			o := p.outlineOf(a)
			for _, file := range slices.Sorted(maps.Keys(seen)) {
				if k := o.overlap(seen[file]); k > alike {
					r.note(a.File, "its silhouette is nearly that of %s (they overlap by %.2f); give one of them another pose",
						file, k)
				}
			}
			seen[a.File] = o
		}
	}
}

// outlineOf returns the outline of an asset in the still picture.
func (p *Pack) outlineOf(a *asset) outline {
	o := make(outline, (p.grid*p.grid+63)/64)
	for _, s := range a.layer.spans {
		y := a.Y + a.layer.y + int(s.y)
		for x := a.X + a.layer.x + int(s.x); x < a.X+a.layer.x+int(s.x)+int(s.n); x++ {
			if x >= 0 && y >= 0 && x < p.grid && y < p.grid {
				o[(y*p.grid+x)/64] |= 1 << ((y*p.grid + x) % 64)
			}
		}
	}
	return o
}

// overlap returns the area that both outlines cover, divided by the area that at least one covers.
func (o outline) overlap(other outline) float64 {
	both, either := 0, 0
	for i := range o {
		both += bits.OnesCount64(o[i] & other[i])
		either += bits.OnesCount64(o[i] | other[i])
	}
	if either == 0 {
		return 0
	}
	return float64(both) / float64(either)
}
