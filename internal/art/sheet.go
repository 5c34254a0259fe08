package art

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"petsupply/internal/art/lettering"
	"petsupply/internal/art/petpack"
)

// A Sheet shows what a pack draws, for people to look at: all appearances of
// each egg type, then the other traits one by one, then the four views on white
// and on black.
type Sheet struct {
	Pack  *Pack
	Scale int    // of the pictures; 0 is 2
	Brief bool   // the appearances only
	Moves bool   // every frame of the movement of each appearance, and nothing else
	Drawn func() // called after each picture; nil for nothing
}

// Count is how many pictures the sheet has.
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
	Frame int // of its movement
}

// A band is a row of cells under one heading. It breaks where it is too wide.
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

const sheetColumns = 13 // at most

// A label is a line of text, as high as it takes.
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
				return nil, fmt.Errorf("reading a picture back: %w", err)
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

// ink is the colour of text on the band.
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

// bands lays the sheet out. Traits that are not the subject of a band change
// from cell to cell, so that the sheet shows as much as it can.
func (s Sheet) bands() []band {
	p := s.Pack
	var out []band
	turn := 0
	varied := func(egg, appearance int) Look {
		turn++
		known := p.space.known
		return Look{
			Egg: uint8(egg), Appearance: uint16(appearance), Shiny: turn%9 == 0,
			Rarity: uint8(turn * 3 % known[traitRarity]), Element: uint8(turn * 5 % known[traitElement]),
			Background: uint8(turn * 7 % known[traitBackground]),
		}
	}
	drawn := p.appearances()
	if s.Moves {
		return p.moveBands(varied)
	}
	for egg, list := range drawn {
		b := band{Title: nameAt(p.dict.Eggs, egg, "Egg type"), Back: paper}
		for _, a := range list {
			text := p.dict.Appearances[uint8(egg)][uint16(a)].Name
			if a == 0 {
				text = "Unrevealed"
			}
			b.Cells = append(b.Cells, cell{Look: varied(egg, a), View: Whole, Text: text})
		}
		out = append(out, b)
	}
	if s.Brief {
		return out
	}
	out = append(out, p.traitBands(Look{Appearance: uint16(drawn[0][len(drawn[0])-1])})...)
	for _, b := range []band{{Title: "On white", Back: white}, {Title: "On black", Back: black}} {
		for egg, list := range drawn {
			look := varied(egg, list[len(list)-1])
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

// moveBands shows the frames of every appearance side by side.
func (p *Pack) moveBands(varied func(egg, appearance int) Look) []band {
	var out []band
	for egg, list := range p.appearances() {
		for _, a := range list {
			name := p.dict.Appearances[uint8(egg)][uint16(a)].Name
			b := band{Title: nameAt(p.dict.Eggs, egg, "Egg type") + ": " + cmp.Or(name, "Unrevealed"), Back: paper}
			look := varied(egg, a)
			for t, delay := range p.m.Delays {
				b.Cells = append(b.Cells, cell{Look: look, View: Whole, Text: fmt.Sprintf("%d ms", delay), Frame: t})
			}
			out = append(out, b)
		}
	}
	return out
}

// traitBands shows one look with every value of each trait in turn.
func (p *Pack) traitBands(look Look) []band {
	var out []band
	for _, t := range []int{traitRarity, traitElement, traitBackground, traitShiny} {
		b := band{Title: "By " + petpack.Traits[t].Name, Back: paper}
		for v := range p.space.known[t] {
			values := look.values()
			values[t] = v
			text := fmt.Sprintf("%s %d", petpack.Traits[t].Name, v)
			if t == traitBackground {
				text = nameAt(p.dict.Backgrounds, v, "Background")
			}
			b.Cells = append(b.Cells, cell{Look: lookOf(values), View: Whole, Text: text})
		}
		out = append(out, b)
	}
	return out
}

func nameAt(names []string, i int, kind string) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("%s %d", kind, i)
}
