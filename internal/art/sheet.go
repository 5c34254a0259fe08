package art

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"slices"
)

// A Sheet shows the pictures of a pack. The PNG shows all kinds of token. The page also shows the
// other traits one by one, and pictures with and without frame and background on white and black.
type Sheet struct {
	Pack  *Pack
	Scale int // scale of the pictures; 0 means 2
}

// draw returns the still picture of a cell.
func (s Sheet) draw(c cell) []byte {
	c.View.Scale = s.scale()
	return s.Pack.Draw(c.Look, c.View)
}

// A cell is one picture of a sheet.
type cell struct {
	Look Look
	View View
	Text string
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

// PNG returns a picture of all kinds. Each group of kinds begins a new row.
func (s Sheet) PNG() ([]byte, error) {
	bands := s.kindBands(s.Pack.varied())
	size := s.Pack.grid * s.scale()
	gap := max(size/15, 4)
	pitch := size + gap
	columns := 1
	rows := 0
	for _, b := range bands {
		columns = min(max(columns, len(b.Cells)), sheetColumns)
		rows += b.rows()
	}
	img := image.NewNRGBA(image.Rect(0, 0, columns*pitch+gap, rows*pitch+gap))
	draw.Draw(img, img.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	top := gap
	for _, b := range bands {
		for i, c := range b.Cells {
			drawn, err := png.Decode(bytes.NewReader(s.draw(c)))
			if err != nil {
				return nil, fmt.Errorf("decoding a drawn picture: %w", err)
			}
			at := image.Pt(gap+i%sheetColumns*pitch, top+i/sheetColumns*pitch)
			draw.Draw(img, drawn.Bounds().Add(at), drawn, image.Point{}, draw.Over)
		}
		top += b.rows() * pitch
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

// maxViews is how many groups of kinds are shown in all four views.
const maxViews = 10

// bands lays out the page.
func (s Sheet) bands() []band {
	p := s.Pack
	kinds := p.kinds()
	varied := p.varied()
	out := s.kindBands(varied)
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

// kindBands shows each group of kinds in a band. The traits that do not define kinds vary from cell
// to cell, so that the sheet shows as much as it can.
func (s Sheet) kindBands(varied func(tuple) Look) []band {
	var out []band
	for _, group := range s.Pack.kinds() {
		b := band{Title: s.Pack.groupName(&group[0]), Back: paper}
		for _, kind := range group {
			b.Cells = append(b.Cells, cell{Look: varied(kind), View: Whole, Text: s.Pack.kindName(&kind)})
		}
		out = append(out, b)
	}
	return out
}

// varied returns a function that makes a look of a kind. The traits that do not define the kind
// change from call to call.
func (p *Pack) varied() func(kind tuple) Look {
	steps := []int{3, 5, 7, 11, 13, 17, 19, 23}
	turn := 0
	own := p.kindTraits()
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
