package main

import (
	"image"
	"image/color"
	"slices"
)

// bobs moves a floating element to one place, to another, and back, once in a picture.
func bobs(one, other [2]int) func(*layer) {
	return func(l *layer) {
		for _, at := range [][2]int{{}, one, one, other} {
			l.bob = append(l.bob, slices.Repeat([][2]int{at}, quarter)...)
		}
	}
}

// licks bends a flame to one side and to the other, while its foot stays.
func licks(l *layer) {
	bend := func(by int) *image.NRGBA {
		return waver(l.img, func(up int) int {
			switch {
			case up < 5:
				return 0
			case up%6 < 3:
				return by
			}
			return -by
		})
	}
	l.moves, l.play = []*image.NRGBA{bend(1), bend(-1)}, slowly
}

// flickers shows another lightning for a moment: the mirror image.
func flickers(l *layer) {
	w := l.img.Rect.Dx()
	other := image.NewNRGBA(l.img.Rect)
	for y := range l.img.Rect.Dy() {
		for x := range w {
			other.SetNRGBA(w-1-x, y, l.img.NRGBAAt(x, y))
		}
	}
	l.moves, l.play = []*image.NRGBA{other}, marked("000000000000000000000101", "01")
}

// glints sends a band of light over ice.
func glints(l *layer) {
	band := func(at int) *image.NRGBA {
		out := image.NewNRGBA(l.img.Rect)
		copy(out.Pix, l.img.Pix)
		for y := range out.Rect.Dy() {
			for x := range out.Rect.Dx() {
				if c := out.NRGBAAt(x, y); c.A > 0 && c.R > 0x40 && (x+y)/3 == at {
					out.SetNRGBA(x, y, color.NRGBA{0xff, 0xff, 0xff, 0xff})
				}
			}
		}
		return out
	}
	l.moves, l.play = []*image.NRGBA{band(3), band(6), band(9)}, marked("000000000000000000112233", "0123")
}
