package art

import (
	"fmt"
	"image"
	"image/color"
)

// stencil makes an image of a function of its pixels.
func stencil(w, h int, at func(x, y int) color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, at(x, y))
		}
	}
	return img
}

func ellipse(w, h int, body, edge color.NRGBA) *image.NRGBA {
	return stencil(w, h, func(x, y int) color.NRGBA {
		dx, dy := (2*x+1-w)*h, (2*y+1-h)*w
		d := dx*dx + dy*dy
		full := w * w * h * h
		return pick(d > full, color.NRGBA{}, pick(d*10 > full*8, edge, body))
	})
}

func fill(img *image.NRGBA, r image.Rectangle, c color.NRGBA) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			img.SetNRGBA(x, y, c)
		}
	}
}

func pick(yes bool, a, b color.NRGBA) color.NRGBA {
	if yes {
		return a
	}
	return b
}

func darker(c color.NRGBA) color.NRGBA {
	return color.NRGBA{c.R / 2, c.G / 2, c.B/2 + 20, c.A}
}

func hexOf(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
