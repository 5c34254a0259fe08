package main

import (
	"image"
	"image/draw"
	"slices"
	"testing"
)

// An element may cover a body, but no eye, nose or mouth in any frame of its movement.
func TestElementsLeaveFacesFree(t *testing.T) {
	layers := elements()
	for _, nest := range nests() {
		for _, c := range nest {
			for n, look := range c.looks {
				plain, p := drawnOnce()[c.key][n].plain[0], drawnOnce()[c.key][n].rest
				if len(p.face()) < 2 {
					t.Errorf("%s has no face", look.name)
				}
				face := p.features(plain)
				for _, l := range layers {
					if l.at == "" {
						continue
					}
					for _, by := range l.bobs() {
						for _, img := range append(slices.Clip(l.moves), l.img) {
							at := image.Pt(p.anchors[l.at][0]+l.x+by[0], p.anchors[l.at][1]+l.y+by[1])
							both := image.NewNRGBA(plain.Rect)
							copy(both.Pix, plain.Pix)
							draw.Draw(both, img.Rect.Add(at), img, img.Rect.Min, draw.Over)
							if p.features(both) != face {
								t.Errorf("%s: %s crosses the face", look.name, l.file)
							}
						}
					}
				}
			}
		}
	}
}

// features returns the pixels of the pet's face in a picture.
func (p *pet) features(img *image.NRGBA) string {
	var out []byte
	for _, s := range p.face() {
		for dy, row := range s.rows {
			for dx := range len(row) {
				if _, ok := s.legend[row[dx]]; ok {
					c := img.NRGBAAt(s.x+dx, s.y+dy)
					out = append(out, c.R, c.G, c.B)
				}
			}
		}
	}
	return string(out)
}
