package main

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"sync"
)

// props returns all elements, by element trait and size.
var props = sync.OnceValue(func() (out [][2]prop) {
	for n := range elementTraits() {
		var sizes [2]prop
		for size := range sizes {
			sizes[size].behind, sizes[size].front = elementLayers(n, size)
		}
		out = append(out, sizes)
	}
	return out
})

// A prop is an element in one size.
type prop struct{ behind, front layer }

// reach is the largest distance of an element from its point in x and in y, in pixels.
const reach = 26

// hats lists the looks with a crown, a hat or something else on the head that no element may cover.
var hats = []string{"river-otter/3", "tufted-lynx/2", "burrow-hare/3", "pebble-mole/3", "leaf-sprite/1",
	"leaf-sprite/2", "leaf-sprite/3", "mushroom-capling/1", "mushroom-capling/2", "mushroom-capling/3", "gourd-imp/1", "gourd-imp/2", "gourd-imp/3", "cactus-pup/1", "cactus-pup/3", "vine-serpent/3", "sun-finch/1",
	"sun-finch/2", "sun-finch/3", "storm-hawk/3", "honey-bee/3", "ember-phoenix/1", "ember-phoenix/2", "ember-phoenix/3",
	"crowned-lion/1", "crowned-lion/2", "crowned-lion/3", "aurora-serpent/3", "star-stag/1", "star-stag/2", "star-stag/3",
	"moss-boar/1", "tide-crab/3"}

// A fitting has what fit knows about a pet.
type fitting struct {
	img    *image.NRGBA
	face   []stamp
	brow   int // the row above which a hat is, or 0
	ground int // the first row of the feet
	shifts func(steady bool) [][2]int
}

// fit returns the place of each element on a pet, as close as possible to the point that
// element.near names. The place "feet" is for the layers of elements that are on the ground.
// No element covers the face or leaves the card in any frame. Places where an element covers a hat
// or the feet, or where the pet hides much of it, count as farther away. crowded reports whether
// there is no good place for a halo.
func fit(family string, look int, points map[string][2]int, img *image.NRGBA, face []stamp, size int,
	shifts func(steady bool) [][2]int) (out map[string][2]int, crowded bool) {
	out = map[string][2]int{}
	f := fitting{img: img, face: face, ground: drawn(img).Max.Y - 6, shifts: shifts}
	if slices.Contains(hats, fmt.Sprintf("%s/%d", family, look+1)) {
		f.brow = grid
		for _, s := range face {
			f.brow = min(f.brow, s.y)
		}
	}
	place := func(name, near string, all ...prop) int {
		best := math.MaxInt
		for _, by := range nearby() {
			way, at := by[0]*by[0]+by[1]*by[1], [2]int{points[near][0] + by[0], points[near][1] + by[1]}
			if way >= best {
				break
			}
			for _, p := range all {
				if !p.inside(at, shifts(p.steady())) || p.front.crosses(face, at, shifts) {
					way = math.MaxInt
					break
				}
				way += p.hidden(img, at) + f.covered(p.front, at)
			}
			if way < best {
				out[name], best = at, way
			}
		}
		return best
	}
	none := layer{img: &image.NRGBA{}}
	var ground []prop
	for n, e := range elementTraits() {
		p := props()[n][size]
		if e.grounded {
			ground, p.front = append(ground, prop{none, p.front}), none
		}
		cost := place(elementValues[n], e.near, p)
		if elementValues[n] == "light" && cost > 300 && f.brow > 0 {
			crowded = true
		}
	}
	place("feet", "feet", ground...)
	return out, crowded
}

// covered returns a penalty for pixels of a layer that cover the hat or the feet.
func (f fitting) covered(l layer, at [2]int) (way int) {
	for y := range l.img.Rect.Dy() {
		for x := range l.img.Rect.Dx() {
			px, py := at[0]+l.x+x, at[1]+l.y+y
			if l.img.NRGBAAt(x, y).A == 0 || f.img.NRGBAAt(px, py).A == 0 {
				continue
			}
			if py < f.brow {
				way += 12
			}
			if py >= f.ground {
				way += 6
			}
		}
	}
	return way
}

// steady reports whether the element stays where it is when the head moves.
func (p prop) steady() bool { return p.behind.steady || p.front.steady }

// crosses reports whether the layer covers the face in any frame.
func (l layer) crosses(face []stamp, at [2]int, shifts func(steady bool) [][2]int) bool {
	own, head := shifts(l.steady), shifts(false)
	from := map[[2]int]bool{} // how far the layer moves relative to the face
	for i, by := range own {
		from[[2]int{by[0] - head[i][0], by[1] - head[i][1]}] = true
	}
	for by := range from {
		if l.covers(face, [2]int{at[0] + by[0], at[1] + by[1]}) {
			return true
		}
	}
	return false
}

// inside reports whether the element stays clear of the card's edge in all frames.
func (p prop) inside(at [2]int, shifts [][2]int) bool {
	const edge, corner = 6, 13 // smallest distance to a side, and smallest sum of the distances to two sides
	for _, l := range []layer{p.behind, p.front} {
		if l.img.Rect.Empty() {
			continue
		}
		for _, by := range l.bobs() {
			for _, shift := range shifts {
				left, top := at[0]+l.x+by[0]+shift[0], at[1]+l.y+by[1]+shift[1]
				right, bottom := grid-left-l.img.Rect.Dx(), grid-top-l.img.Rect.Dy()
				if min(left, top, right, bottom) < edge || min(left, right)+min(top, bottom) < corner {
					return false
				}
			}
		}
	}
	return true
}

// hidden returns a penalty that fit adds to the square of a distance. It is 0 if the pet hides at
// most a fifth of the element, and grows with the hidden share. Wind may be hidden more.
func (p prop) hidden(img *image.NRGBA, at [2]int) int {
	all, under := opaque(p.front.img), 0
	for y := range p.behind.img.Rect.Dy() {
		for x := range p.behind.img.Rect.Dx() {
			if p.behind.img.NRGBAAt(x, y).A > 0 {
				all++
				if img.NRGBAAt(at[0]+p.behind.x+x, at[1]+p.behind.y+y).A > 0 {
					under++
				}
			}
		}
	}
	if all == 0 {
		return 0
	}
	lost := max(0, 100*under/all-20)
	switch p.behind.at {
	case "wind":
		lost = max(0, lost-25)
	case "dark":
		lost += 10
	}
	return lost * lost
}

// opaque counts the visible pixels of a picture.
func opaque(img *image.NRGBA) (n int) {
	for i := 3; i < len(img.Pix); i += 4 {
		if img.Pix[i] > 0 {
			n++
		}
	}
	return n
}

// face returns the stamps of the face: eyes, nose, mouth and cheeks. These are the stamps with
// black pixels, and the stamps between, beside and just below them. If no stamp has black pixels,
// it returns all stamps.
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

// has reports whether the stamp contains a letter.
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

// nearby returns all offsets up to reach, the shortest first. Equally long ones are sorted from
// bottom to top, and in one row from right to left.
var nearby = sync.OnceValue(func() [][2]int {
	var out [][2]int
	for y := reach; y >= -reach; y-- {
		for x := reach; x >= -reach; x-- {
			out = append(out, [2]int{x, y})
		}
	}
	slices.SortStableFunc(out, func(a, b [2]int) int { return a[0]*a[0] + a[1]*a[1] - b[0]*b[0] - b[1]*b[1] })
	return out
})

// bobs returns the shifts of the layer, beginning with no shift.
func (l layer) bobs() [][2]int { return slices.Compact(append([][2]int{{}}, l.bob...)) }

// covers reports whether the layer, placed at a point, covers a part of the face.
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

// under reports whether a picture at x0, y0 covers a part of the stamp.
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
