package main

import (
	"bytes"
	"image"
	"testing"
)

// Every pet has a habit: two more pictures, unlike its rest and each other, on
// the same feet.
func TestHabits(t *testing.T) {
	for _, nest := range nests() {
		for i, c := range nest {
			n := i % len(c.looks)
			frames, _ := c.frames(n, false)
			rest, one, other := frames[0], frames[4], frames[5]
			if bytes.Equal(one.Pix, rest.Pix) || bytes.Equal(other.Pix, rest.Pix) || bytes.Equal(one.Pix, other.Pix) {
				t.Errorf("%s sways without moving", c.looks[n].name)
			}
			foot := drawn(rest).Max.Y
			for _, f := range frames {
				if drawn(f).Max.Y != foot {
					t.Errorf("%s: its feet move from %d to %d", c.looks[n].name, foot, drawn(f).Max.Y)
				}
			}
		}
	}
}

// Every scene moves, by no more than a tenth of its pixels.
func TestScenesStir(t *testing.T) {
	for _, s := range scenes() {
		l := layer{img: s.back().trim().img}
		l.stir(s.file)
		for _, img := range l.moves {
			n := 0
			for i := 0; i < len(img.Pix); i += 4 {
				if !bytes.Equal(img.Pix[i:i+4], l.img.Pix[i:i+4]) {
					n++
				}
			}
			if n == 0 || n > grid*grid/10 {
				t.Errorf("%s: %d pixels change", s.file, n)
			}
		}
	}
}

// torn counts the pixels of a picture that lost what was above them at rest: the
// feet stay while the rest sways, and must not be cut off.
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

// TestNothingTears: what sways stays whole.
func TestNothingTears(t *testing.T) {
	for _, nest := range nests() {
		for _, c := range nest {
			for n, l := range c.looks {
				t.Run(l.name, func(t *testing.T) {
					frames, _ := c.frames(n, false)
					for i, f := range frames[4:] {
						if got := torn(f, frames[0]); got > 0 {
							t.Errorf("frame %d: %d pixels are cut off", 4+i, got)
						}
					}
				})
			}
		}
	}
}
