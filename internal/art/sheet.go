package art

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
)

// A Sheet shows what a pack draws, for people to look at: all appearances of
// each egg type, then the other traits one by one, then the four views on white
// and on black.
type Sheet struct {
	Pack  *Pack
	Scale int  // of the pictures; 0 is 2
	Brief bool // the appearances only
}

// A cell is one picture of a sheet.
type cell struct {
	look Look
	view View
	text string
}

// A band is a row of cells under one heading. It breaks where it is too wide.
type band struct {
	title string
	cells []cell
	back  color.Color
}

var (
	paper = color.NRGBA{0xf6, 0xf3, 0xec, 0xff}
	white = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	black = color.NRGBA{0x00, 0x00, 0x00, 0xff}
)

const sheetColumns = 13

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
	for egg, list := range drawn {
		b := band{title: nameAt(p.dict.Eggs, egg, "Egg type"), back: paper}
		for _, a := range list {
			text := p.dict.Appearances[uint8(egg)][uint16(a)].Name
			if a == 0 {
				text = "Unrevealed"
			}
			b.cells = append(b.cells, cell{varied(egg, a), Whole, text})
		}
		out = append(out, b)
	}
	if s.Brief {
		return out
	}
	hero := Look{Appearance: uint16(drawn[0][len(drawn[0])-1])}
	for _, t := range []int{traitRarity, traitElement, traitBackground, traitShiny} {
		b := band{title: "By " + traitNames[t], back: paper}
		for v := range p.space.known[t] {
			values := hero.values()
			values[t] = v
			text := fmt.Sprintf("%s %d", traitNames[t], v)
			if t == traitBackground {
				text = nameAt(p.dict.Backgrounds, v, "Background")
			}
			b.cells = append(b.cells, cell{lookOf(values), Whole, text})
		}
		out = append(out, b)
	}
	for _, ground := range []struct {
		name string
		c    color.Color
	}{{"On white", white}, {"On black", black}} {
		b := band{title: ground.name, back: ground.c}
		for egg, list := range drawn {
			look := varied(egg, list[len(list)-1])
			for i := range 4 {
				v := View{Frame: i&1 == 0, Background: i&2 == 0}
				b.cells = append(b.cells, cell{look, v, fmt.Sprintf("frame=%t, background=%t", v.Frame, v.Background)})
			}
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

func (s Sheet) scale() int {
	if s.Scale == 0 {
		return 2
	}
	return min(max(s.Scale, 1), maxScale)
}

// PNG returns the sheet as one picture.
func (s Sheet) PNG() ([]byte, error) {
	size := s.Pack.grid * s.scale()
	gap := max(size/15, 2)
	step := size + gap
	bands := s.bands()
	rows := 0
	for _, b := range bands {
		rows += (len(b.cells) + sheetColumns - 1) / sheetColumns
	}
	img := image.NewNRGBA(image.Rect(0, 0, sheetColumns*step+gap, rows*step+(len(bands)+1)*gap))
	draw.Draw(img, img.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	y := gap
	for _, b := range bands {
		lines := (len(b.cells) + sheetColumns - 1) / sheetColumns
		draw.Draw(img, image.Rect(0, y-gap/2, img.Rect.Max.X, y+lines*step-gap/2), image.NewUniform(b.back), image.Point{}, draw.Src)
		for i, c := range b.cells {
			at := image.Pt(gap+i%sheetColumns*step, y+i/sheetColumns*step)
			c.view.Scale = s.scale()
			if err := paste(img, at, s.Pack.Draw(c.look, c.view)); err != nil {
				return nil, err
			}
		}
		y += lines*step + gap
	}
	var out bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, img)
	return out.Bytes(), err
}

func paste(dst *image.NRGBA, at image.Point, data []byte) error {
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("reading a picture back: %w", err)
	}
	draw.Draw(dst, img.Bounds().Add(at), img, image.Point{}, draw.Over)
	return nil
}
