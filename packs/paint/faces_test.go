package main

import (
	"image"
	"image/draw"
	"testing"
)

// An element is on the card in all frames of its movement and its pet's. It may
// cross the body, but no eye, nose or mouth, and the pet does not hide most of it.
func TestElementsFit(t *testing.T) {
	card := cardStencil()
	for _, nest := range nests() {
		for _, c := range nest {
			for n, look := range c.looks {
				s := drawnOnce()[c.key][n]
				plain, p := s.plain[0], s.rest
				if len(p.face()) < 2 {
					t.Errorf("%s has no face", look.name)
				}
				face := p.features(plain)
				for element, name := range elementValues {
					prop := props()[element][min(n, adult)]
					if name == "light" && s.crowded {
						continue // it has rays instead of a halo
					}
					if len(p.anchors) != len(elementValues)+1 {
						t.Fatalf("%s has elements at %v", look.name, p.anchors)
					}
					for f, head := range s.tempo.shifts(s.play, s.carry, false) {
						for _, l := range []layer{prop.behind, prop.front} {
							if l.img.Rect.Empty() {
								continue
							}
							img, at := l.frame(f, p.anchors[l.at])
							shift := s.tempo.shifts(s.play, s.carry, l.steady)[f]
							if out := outside(card, img, at.Add(image.Pt(shift[0], shift[1]))); out > 0 {
								t.Fatalf("%s: %s leaves the card with %d pixels in frame %d", look.name, name, out, f)
							}
						}
						both := image.NewNRGBA(plain.Rect)
						copy(both.Pix, plain.Pix)
						img, at := prop.front.frame(f, p.anchors[prop.front.at])
						shift := s.tempo.shifts(s.play, s.carry, prop.front.steady)[f]
						at = at.Add(image.Pt(shift[0]-head[0], shift[1]-head[1]))
						draw.Draw(both, img.Rect.Add(at), img, img.Rect.Min, draw.Over)
						if p.features(both) != face {
							t.Fatalf("%s: %s crosses the face in frame %d", look.name, name, f)
						}
					}
					seen := image.NewNRGBA(plain.Rect)
					for i, l := range []layer{prop.behind, prop.front} {
						for k := 3; i == 1 && k < len(seen.Pix); k += 4 {
							seen.Pix[k] &^= plain.Pix[k]
						}
						img, at := l.frame(0, p.anchors[l.at])
						draw.Draw(seen, img.Rect.Add(at), img, img.Rect.Min, draw.Over)
					}
					if shows := opaque(seen); shows < 65 {
						t.Errorf("%s: of %s only %d pixels show", look.name, name, shows)
					}
				}
			}
		}
	}
}

// frame is a layer's picture in a frame, and where it is.
func (l layer) frame(f int, anchor [2]int) (*image.NRGBA, image.Point) {
	img, at := l.img, image.Pt(anchor[0]+l.x, anchor[1]+l.y)
	if l.play != nil && l.play[f] > 0 {
		img = l.moves[l.play[f]-1]
	}
	if l.bob != nil {
		at = at.Add(image.Pt(l.bob[f][0], l.bob[f][1]))
	}
	return img, at
}

// outside counts the pixels of a picture that are not on the card.
func outside(card stencil, img *image.NRGBA, at image.Point) (n int) {
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if img.NRGBAAt(x, y).A > 0 && !card.has(at.X+x, at.Y+y) {
				n++
			}
		}
	}
	return n
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
