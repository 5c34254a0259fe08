package main

import (
	"bytes"
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
