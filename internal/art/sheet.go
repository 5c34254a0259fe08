package art

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"slices"

	"petsupply/internal/art/lettering"
)

// A Sheet shows the pictures of a pack: all kinds of token, then the other traits one by one, then
// the four views (with and without frame and background) on white and on black.
type Sheet struct {
	Pack  *Pack
	Scale int    // scale of the pictures; 0 means 2
	Brief bool   // the kinds only
	Moves bool   // the kinds only, each with every frame of its movement
	Drawn func() // called after each picture; may be nil
}

// Count returns how many pictures the sheet has.
func (s Sheet) Count() int {
	n := 0
	for _, b := range s.bands() {
		n += len(b.Cells)
	}
	return n
}

// draw returns the picture of a cell.
func (s Sheet) draw(c cell) []byte {
	c.View.Scale = s.scale()
	if s.Drawn != nil {
		defer s.Drawn()
	}
	return s.Pack.drawFrame(c.Look, c.View, c.Frame)
}

// A cell is one picture of a sheet.
type cell struct {
	Look  Look
	View  View
	Text  string
	Frame int // frame of the movement
}

// A band is a row of cells under one heading. It continues on the next line if it is too wide.
type band struct {
	Title string
	Cells []cell
	Back  color.NRGBA
}

var (
	ink   = color.NRGBA{0x2b, 0x26, 0x22, 0xff}
	paper = color.NRGBA{0xf6, 0xf3, 0xec, 0xff}
	white = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	black = color.NRGBA{0x00, 0x00, 0x00, 0xff}
)

const sheetColumns = 13 // largest number of cells side by side

// labelHeight is the height of a line of text.
const labelHeight = lettering.Height + 5

// PNG returns the sheet as one picture, every cell with its name below it.
func (s Sheet) PNG() ([]byte, error) {
	bands, size := s.bands(), s.Pack.grid*s.scale()
	gap := max(size/15, 4)
	across, down := size+gap, size+labelHeight
	high, columns := gap, 3
	for _, b := range bands {
		columns = min(max(columns, len(b.Cells)), sheetColumns)
		high += 2*labelHeight + b.rows()*down + gap
	}
	img := image.NewNRGBA(image.Rect(0, 0, columns*across+gap, high))
	fill(img, img.Rect, paper)
	y := gap
	for _, b := range bands {
		bottom := y + 2*labelHeight + b.rows()*down
		fill(img, image.Rect(0, y, img.Rect.Max.X, bottom), b.Back)
		lettering.Draw(img, gap, y+4, 2, b.ink(), b.Title)
		for i, c := range b.Cells {
			drawn, err := png.Decode(bytes.NewReader(s.draw(c)))
			if err != nil {
				return nil, fmt.Errorf("decoding a drawn picture: %w", err)
			}
			at := image.Pt(gap+i%sheetColumns*across, y+2*labelHeight+i/sheetColumns*down)
			draw.Draw(img, drawn.Bounds().Add(at), drawn, image.Point{}, draw.Over)
			lettering.Draw(img, at.X, at.Y+size+2, 1, b.ink(), lettering.Fit(c.Text, 1, size))
		}
		y = bottom + gap
	}
	var out bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, img)
	return out.Bytes(), err
}

// ink returns the colour of text on the band.
func (b band) ink() color.NRGBA {
	if b.Back == black {
		return paper
	}
	return ink
}

func (s Sheet) scale() int {
	if s.Scale == 0 {
		return 2
	}
	return min(max(s.Scale, 1), s.Pack.MaxScale())
}

func (b band) rows() int { return (len(b.Cells) + sheetColumns - 1) / sheetColumns }

func fill(img draw.Image, r image.Rectangle, c color.Color) {
	draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
}

// maxViews is how many groups of kinds are shown in all four views.
const maxViews = 10

// bands lays out the sheet. In the bands that show kinds, the other traits vary from cell to cell,
// so that the sheet shows as much as it can.
func (s Sheet) bands() []band {
	p := s.Pack
	var out []band
	kinds, varied := p.kinds(), p.varied()
	if s.Moves {
		return p.moveBands(varied)
	}
	for _, group := range kinds {
		b := band{Title: p.groupName(&group[0]), Back: paper}
		for _, kind := range group {
			b.Cells = append(b.Cells, cell{Look: varied(kind), View: Whole, Text: p.kindName(&kind)})
		}
		out = append(out, b)
	}
	if s.Brief {
		return out
	}
	out = append(out, p.traitBands(kinds[0][len(kinds[0])-1])...)
	for _, b := range []band{{Title: "On white", Back: white}, {Title: "On black", Back: black}} {
		for _, group := range kinds[:min(len(kinds), maxViews)] {
			look := varied(group[len(group)-1])
			for i := range 4 {
				v := View{Frame: i&1 == 0, Background: i&2 == 0}
				text := fmt.Sprintf("frame=%t, background=%t", v.Frame, v.Background)
				b.Cells = append(b.Cells, cell{Look: look, View: v, Text: text})
			}
		}
		out = append(out, b)
	}
	return out
}

// varied returns a function that makes a look of a kind. The traits that do not define the kind
// change from call to call.
func (p *Pack) varied() func(kind tuple) Look {
	steps := []int{3, 5, 7, 11, 13, 17, 19, 23}
	turn, own := 0, p.kindTraits()
	return func(kind tuple) Look {
		turn++
		step := 0
		for i := range p.traits {
			t := &p.traits[i]
			switch {
			case slices.Contains(own, i) || len(t.named) == 0:
			case t.Bool && turn%9 == 0:
				kind[i] = 1
			case !t.Bool:
				kind[i] = turn * steps[step] % len(t.named)
				step++
			}
		}
		return p.lookIn(kind)
	}
}

// moveBands shows the frames of every kind side by side.
func (p *Pack) moveBands(varied func(kind tuple) Look) []band {
	var out []band
	for _, group := range p.kinds() {
		for _, kind := range group {
			b := band{Title: p.groupName(&kind) + ": " + p.kindName(&kind), Back: paper}
			look := varied(kind)
			for t, delay := range p.m.Delays {
				b.Cells = append(b.Cells, cell{Look: look, View: Whole, Text: fmt.Sprintf("%d ms", delay), Frame: t})
			}
			out = append(out, b)
		}
	}
	return out
}

// traitBands shows one kind with the known values of the other traits. Each trait that does not
// define kinds has one band.
func (p *Pack) traitBands(kind tuple) []band {
	var out []band
	own := p.kindTraits()
	for i := range p.traits {
		if slices.Contains(own, i) {
			continue
		}
		b := band{Title: "By " + p.traits[i].Name, Back: paper}
		for class := range p.traits[i].named {
			one := kind
			one[i] = class
			b.Cells = append(b.Cells, cell{Look: p.lookIn(one), View: Whole, Text: p.valueName(i, &one)})
		}
		out = append(out, b)
	}
	return out
}
