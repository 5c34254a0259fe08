package main

import (
	"image"
	"image/color"
	"slices"
)

// bob makes an element float. In each loop of the picture, the element rests for a quarter of the
// time. Then it is shifted by the first offset for half of the time, and by the second for the last
// quarter.
func bob(l *layer, one, other [2]int) {
	for _, at := range [][2]int{{}, one, one, other} {
		l.bob = append(l.bob, slices.Repeat([][2]int{at}, quarter)...)
	}
}

// circling moves the layer in front of the pet one way, and the layer behind the pet the other way.
func circling(behind, front *layer) {
	bob(behind, [2]int{-1, 1}, [2]int{-1, 0})
	bob(front, [2]int{1, -1}, [2]int{1, 0})
}

// licks bends a flame to one side and to the other. Its foot stays.
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

// winks closes the eyes of the element "dark", which looks like a ghost, for a moment.
func winks(l *layer) {
	shut := image.NewNRGBA(l.img.Rect)
	copy(shut.Pix, l.img.Pix)
	for i := 0; i < len(shut.Pix); i += 4 {
		if shut.Pix[i+1] > 0xd0 { // the white of an eye
			copy(shut.Pix[i:], []byte{0x4c, 0x2a, 0x74})
		}
	}
	l.moves, l.play = []*image.NRGBA{shut}, marked("000000000000000000110000", "01")
}

// flashes makes lightning white for a moment.
func flashes(l *layer) {
	white := image.NewNRGBA(l.img.Rect)
	copy(white.Pix, l.img.Pix)
	for i := 0; i < len(white.Pix); i += 4 {
		if white.Pix[i+3] > 0 && white.Pix[i+1] > 0x60 {
			copy(white.Pix[i:], []byte{0xff, 0xff, 0xff})
		}
	}
	l.moves, l.play = []*image.NRGBA{white}, marked("000000000000000000000101", "01")
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
