package main

import (
	"bytes"
	"image"
	"slices"
	"strings"
	"testing"
)

// Every family has its own tempo, which shows all its pictures, and every look has a visible
// action. A standing creature keeps its feet in place.
func TestTempi(t *testing.T) {
	seen := map[string]string{}
	for _, nest := range nests() {
		for _, c := range nest {
			tempo := tempi[c.key]
			if other, twice := seen[tempo.play]; twice || len(tempo.play) != steps || tempo.play[0] != '.' {
				t.Errorf("%s: tempo %q of %d steps, also that of %q", c.key, tempo.play, len(tempo.play), other)
			}
			seen[tempo.play] = c.key
			for _, sign := range signs {
				if !strings.ContainsRune(tempo.play, sign) {
					t.Errorf("%s never shows %q", c.key, sign)
				}
			}
			for n, l := range c.looks {
				s := drawnOnce()[c.key][n]
				for i, f := range s.plain[1:] {
					if signs[1+i] == '-' && !slices.ContainsFunc(s.rest.stamps, stamp.isEye) {
						continue // it sleeps
					}
					if moved := differ(f, s.plain[0]); moved == 0 || signs[1+i] == '2' && moved < 60 {
						t.Errorf("%s: %q moves %d pixels", l.name, signs[1+i], moved)
					}
					if foot := drawn(s.plain[0]).Max.Y; !s.rest.floats && drawn(f).Max.Y != foot {
						t.Errorf("%s: %q moves its feet from %d to %d", l.name, signs[1+i], foot, drawn(f).Max.Y)
					}
				}
			}
		}
	}
	if len(tempi) != len(seen) {
		t.Errorf("%d tempi for %d families", len(tempi), len(seen))
	}
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

// TestNothingTears: moving parts stay whole, and no outline jumps from one frame to the next.
func TestNothingTears(t *testing.T) {
	const jump = 520
	for _, nest := range nests() {
		for _, c := range nest {
			for n, l := range c.looks {
				t.Run(l.name, func(t *testing.T) {
					s := drawnOnce()[c.key][n]
					whole := pieces(s.plain[0])
					for i, f := range s.plain[1:] {
						if got := pieces(f); got > whole {
							t.Errorf("%q is in %d pieces, at rest in %d", signs[1+i], got, whole)
						}
						if got := torn(f, s.plain[0]); got > 0 {
							t.Errorf("%q: %d pixels are cut off", signs[1+i], got)
						}
					}
					play := tempi[c.key].frames()
					for i, f := range play {
						if got := outlines(s.plain[f], s.plain[play[(i+1)%len(play)]]); got > jump {
							t.Errorf("after frame %d its outline jumps by %d pixels", i, got)
						}
					}
				})
			}
		}
	}
}
