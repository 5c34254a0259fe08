package main

import "image"

// A legend gives the letters of a pixel map their colours.
type legend map[byte]tone

// A stamp is a small pixel map that is drawn over all parts of the pet.
type stamp struct {
	x, y   int
	legend legend
	rows   []string
}

// keys returns the legend of up to four ramps, each from outline to highlight: odmls for the first,
// ODMLS for the second, 01234 and 56789 for the others. In every legend K is nearly black, W is
// white, and w and v are shaded whites.
func keys(ramps ...ramp) legend {
	l := legend{'K': ink.at(edge), 'W': snow.at(shine), 'w': snow.at(light), 'v': snow.at(mid)}
	for i, r := range ramps {
		for s := range r {
			l[[]string{"odmls", "ODMLS", "01234", "56789"}[i][s]] = r.at(s)
		}
	}
	return l
}

// stamp draws rows with the top left pixel at x, y. Letters that the legend does not have, such as
// a dot, leave the picture as it is.
func (p *pet) stamp(x, y int, l legend, rows ...string) {
	w, h := float64(len(rows[0]))/2, float64(len(rows))/2
	at := p.scaled([]float64{float64(x) + w, float64(y) + h})
	p.stamps = append(p.stamps, stamp{floor(at[0] - w + 0.5), floor(at[1] - h + 0.5), l, rows})
}

func (s stamp) draw(img *image.NRGBA) {
	for dy, row := range s.rows {
		for dx := range len(row) {
			if t, ok := s.legend[row[dx]]; ok {
				img.SetNRGBA(s.x+dx, s.y+dy, t.colour())
			}
		}
	}
}

// eye stamps one of the eyes below with its top left pixel at x, y. In the rows of an eye, the
// letters o, d, m, l and s are the colours of the iris, from dark to light. O, D, M, L and S
// are those of the coat's main ramp, for the lids.
func (p *pet) eye(x, y int, rows []string, iris ramp) {
	p.stamp(x, y, keys(iris, p.coat.main), rows...)
}

// Eyes of a creature that looks to the left. The far eye is the narrower one. The highlight is at
// the upper left in all of them.
var (
	eyeBig    = []string{".KKK.", "KWWKK", "KWWKK", "KKKKK", "KdmlK", ".KKK."}
	eyeBigFar = []string{".KK.", "KWWK", "KWKK", "KKKK", "KmlK", ".KK."}
	eyeSleepy = []string{".OOO.", "OLLLO", "KKKKK", "KWKmK", "KWKmK", ".KKK."}
	eyeDrowsy = []string{".OO.", "OLLO", "KKKK", "KWmK", "KWmK", ".KK."} // the far eye for eyeSleepy
)
