package main

import (
	"image"
	"slices"
	"strings"
	"sync"
)

// overlays are the element layers, by their anchor.
var overlays = sync.OnceValue(func() map[string][]layer {
	out := map[string][]layer{}
	for _, l := range elements() {
		if l.at != "" {
			out[l.at] = append(out[l.at], l)
		}
	}
	return out
})

// faceReach is how far an anchor may be moved away from a face.
const faceReach = 14

// freeFace moves anchors, as little as possible, so that no element covers the face in any frame of
// its movement.
func (p *pet) freeFace() {
	face := p.face()
	for name, set := range overlays() {
		at := p.anchors[name]
		for _, by := range nearby() {
			to := [2]int{at[0] + by[0], at[1] + by[1]}
			if !slices.ContainsFunc(set, func(l layer) bool { return l.covers(face, to) }) {
				p.anchors[name] = to
				break
			}
		}
	}
}

// face returns the parts of the face: eyes, open and closed, nose, mouth and cheeks. They are the
// stamps with black pixels, and those between and just below them. If no stamp has black pixels, it
// returns all stamps.
func (p *pet) face() (out []stamp) {
	const beside, below = 2, 8
	var box image.Rectangle
	for _, s := range p.stamps {
		if s.has('K') {
			box = box.Union(s.box())
		}
	}
	if box.Empty() {
		return p.stamps
	}
	box = image.Rect(box.Min.X-beside, box.Min.Y, box.Max.X+beside, box.Max.Y+below)
	for _, s := range p.stamps {
		if s.box().In(box) {
			out = append(out, s)
		}
	}
	return out
}

// has reports whether the stamp has a pixel of a key.
func (s stamp) has(key byte) bool {
	return slices.ContainsFunc(s.rows, func(row string) bool { return strings.IndexByte(row, key) >= 0 })
}

func (s stamp) box() image.Rectangle {
	wide := 0
	for _, row := range s.rows {
		wide = max(wide, len(row))
	}
	return image.Rect(s.x, s.y, s.x+wide, s.y+len(s.rows))
}

// nearby are the steps away from a point, nearest first. Of equal ones, down comes first, then
// right.
var nearby = sync.OnceValue(func() [][2]int {
	var out [][2]int
	for y := faceReach; y >= -faceReach; y-- {
		for x := faceReach; x >= -faceReach; x-- {
			out = append(out, [2]int{x, y})
		}
	}
	slices.SortStableFunc(out, func(a, b [2]int) int { return a[0]*a[0] + a[1]*a[1] - b[0]*b[0] - b[1]*b[1] })
	return out
})

// bobs returns the places where the layer is shown.
func (l layer) bobs() [][2]int { return slices.Compact(append([][2]int{{}}, l.bob...)) }

// covers reports whether the layer at an anchor covers a part of the face.
func (l layer) covers(face []stamp, at [2]int) bool {
	for _, by := range l.bobs() {
		for _, img := range append([]*image.NRGBA{l.img}, l.moves...) {
			for _, s := range face {
				if s.under(img, at[0]+l.x+by[0], at[1]+l.y+by[1]) {
					return true
				}
			}
		}
	}
	return false
}

// under reports whether a picture at x0, y0 covers the stamp.
func (s stamp) under(img *image.NRGBA, x0, y0 int) bool {
	for dy, row := range s.rows {
		for dx := range len(row) {
			if _, ok := s.legend[row[dx]]; ok && img.NRGBAAt(s.x+dx-x0, s.y+dy-y0).A > 0 {
				return true
			}
		}
	}
	return false
}
