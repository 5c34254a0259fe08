package main

import (
	"bytes"
	"image"
	"image/draw"
	"testing"
)

// In at least half of the frames of every look, the outline of its body is not where it was in the
// frame before, and no frame leaves the card. A creature that does not travel keeps its feet in
// place.
func TestTempi(t *testing.T) {
	for _, nest := range nests() {
		for _, c := range nest {
			for n, l := range c.looks {
				s := drawnOnce()[c.key][n]
				moved := 0
				for i := range steps {
					if outlines(s.frame(i), s.frame((i+1)%steps)) >= 16 {
						moved++
					}
					if box := drawn(s.frame(i)); !box.In(image.Rect(4, 4, grid-4, grid-4)) {
						t.Errorf("%s: frame %d covers %v", l.name, i, box)
					}
				}
				if moved < steps/2 {
					t.Errorf("%s moves in %d of %d frames", l.name, moved, steps)
				}
				for i, f := range s.plain {
					if foot := drawn(s.plain[0]).Max.Y; !s.rest.floats && s.tempo.standing() && drawn(f).Max.Y != foot {
						t.Errorf("%s: %q moves its feet from %d to %d", l.name, s.signs[i], foot, drawn(f).Max.Y)
					}
				}
			}
		}
	}
}

// frame returns the pet in a frame.
func (s staged) frame(i int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, grid, grid))
	var by [2]int
	if hops := s.tempo.bob(); hops != nil {
		by = hops[i]
	}
	draw.Draw(out, out.Rect.Add(image.Pt(by[0], by[1])), s.plain[s.play[i]], image.Point{}, draw.Src)
	return out
}

// differ counts the pixels in which two pictures differ.
func differ(a, b *image.NRGBA) (n int) {
	for i := 0; i < len(a.Pix); i += 4 {
		if !bytes.Equal(a.Pix[i:i+4], b.Pix[i:i+4]) {
			n++
		}
	}
	return n
}

// Every scene changes from each step to the next, and from the last step to the first. At most a
// twentieth of its pixels change at a time.
func TestScenesStir(t *testing.T) {
	for _, s := range scenes() {
		l := s.layer("")
		all := append([]*image.NRGBA{l.img}, l.moves...)
		for i, step := range l.play {
			next := l.play[(i+1)%len(l.play)]
			if n := differ(all[step], all[next]); step != next && n == 0 || n > grid*grid/20 {
				t.Errorf("%s: %d pixels change from step %d to %d", s.file, n, step, next)
			}
		}
	}
}

// torn counts the pixels of a picture whose upper neighbour at rest is gone. The feet stay while
// the rest sways, and must not be cut off.
func torn(img, rest *image.NRGBA) (n int) {
	above := func(img *image.NRGBA, x, y int) bool {
		return img.NRGBAAt(x-1, y-1).A|img.NRGBAAt(x, y-1).A|img.NRGBAAt(x+1, y-1).A > 0
	}
	y := drawn(rest).Max.Y - 3
	for x := range grid {
		if img.NRGBAAt(x, y).A > 0 && above(rest, x, y) && !above(img, x, y) {
			n++
		}
	}
	return n
}

// pieces counts the separate parts of a picture.
func pieces(img *image.NRGBA) (n int) {
	var seen [grid * grid]bool
	for start := range seen {
		if seen[start] || img.Pix[4*start+3] == 0 {
			continue
		}
		n++
		seen[start] = true
		for next := []int{start}; len(next) > 0; {
			at := next[len(next)-1]
			next = next[:len(next)-1]
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					x, y := at%grid+dx, at/grid+dy
					if to := y*grid + x; x >= 0 && y >= 0 && x < grid && y < grid && !seen[to] && img.Pix[4*to+3] > 0 {
						seen[to], next = true, append(next, to)
					}
				}
			}
		}
	}
	return n
}

// outlines counts the pixels that only one of two pictures covers.
func outlines(a, b *image.NRGBA) (n int) {
	for i := 3; i < len(a.Pix); i += 4 {
		if a.Pix[i] != b.Pix[i] {
			n++
		}
	}
	return n
}

// TestNothingTears: moving parts stay whole.
func TestNothingTears(t *testing.T) {
	for _, nest := range nests() {
		for _, c := range nest {
			for n, l := range c.looks {
				s := drawnOnce()[c.key][n]
				whole := pieces(s.plain[0])
				for i, f := range s.plain[1:] {
					if got := pieces(f); got > whole && s.tempo.body != wave && s.tempo.keys == nil {
						t.Errorf("%s: %q is in %d pieces, at rest in %d", l.name, s.signs[1+i], got, whole)
					}
					if got := torn(f, s.plain[0]); got > 0 && s.tempo.standing() && !s.rest.floats {
						t.Errorf("%s: %q: %d pixels are cut off", l.name, s.signs[1+i], got)
					}
				}
			}
		}
	}
}
