package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
)

var (
	paper   = color.NRGBA{255, 255, 255, 255}
	black   = color.NRGBA{0, 0, 0, 255}
	midTone = color.NRGBA{0x8f, 0xa8, 0x96, 255}
)

// writeSheet draws the creatures of one egg type, or of all, or one family at
// a larger size, on several grounds and as silhouettes.
func writeSheet(file string, egg int, key string) error {
	var chosen []creature
	for i, nest := range nests() {
		for _, c := range nest {
			if (egg < 0 || egg == i) && (key == "" || key == c.key) {
				chosen = append(chosen, c)
			}
		}
	}
	if len(chosen) == 0 {
		return fmt.Errorf("no creature to show for egg type %d and family %q", egg, key)
	}
	sheet := overview(chosen)
	if key != "" {
		sheet = closeUp(chosen[0])
	}
	return writePNG(file, sheet)
}

func writePNG(file string, img *image.NRGBA) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := png.Encode(f, img); err != nil {
		f.Close()
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return f.Close()
}

// overview shows every look, plain and shiny, at twice its size, then at its
// own size on white, on black and as a silhouette.
func overview(all []creature) *image.NRGBA {
	const cell = 2 * grid
	cols := 8
	rows := (len(all)*3 + cols - 1) / cols
	sheet := blank(cols*cell, rows*(2*cell+grid), midTone)
	for i, c := range all {
		for n := range c.looks {
			at := i*3 + n
			x, y := at%cols*cell, at/cols*(2*cell+grid)
			plain, p := c.paint(n, false)
			shiny, _ := c.paint(n, true)
			put(sheet, x, y, 2, plain, p, midTone)
			put(sheet, x, y+cell, 2, shiny, nil, midTone)
			put(sheet, x, y+2*cell, 1, plain, nil, paper)
			put(sheet, x+grid, y+2*cell, 1, silhouette(plain), nil, paper)
		}
	}
	return sheet
}

// closeUp shows one family at four times its size, plain above shiny, and
// below at its own size on three grounds and as silhouettes.
func closeUp(c creature) *image.NRGBA {
	const cell = 4 * grid
	sheet := blank(3*cell, 2*cell+grid, midTone)
	for n := range c.looks {
		plain, p := c.paint(n, false)
		shiny, _ := c.paint(n, true)
		put(sheet, n*cell, 0, 4, plain, p, midTone)
		put(sheet, n*cell, cell, 4, shiny, nil, []color.NRGBA{midTone, paper, black}[n])
		for i, ground := range []color.NRGBA{paper, black, midTone} {
			put(sheet, n*cell+i*grid, 2*cell, 1, plain, nil, ground)
		}
		put(sheet, n*cell+3*grid, 2*cell, 1, silhouette(plain), nil, paper)
	}
	return sheet
}

func blank(w, h int, c color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return img
}

// put draws img scaled, on its own ground, with the pet's shadow if given.
func put(sheet *image.NRGBA, x, y, scale int, img *image.NRGBA, p *pet, ground color.NRGBA) {
	card := blank(grid, grid, ground)
	if p != nil {
		x0, x1 := p.span(img)
		l := groundShadow("", x0, x1)
		draw.Draw(card, l.img.Rect.Add(image.Pt(l.x, l.y)), l.img, image.Point{}, draw.Over)
	}
	draw.Draw(card, card.Rect, img, image.Point{}, draw.Over)
	for dy := range grid * scale {
		for dx := range grid * scale {
			sheet.SetNRGBA(x+dx, y+dy, card.NRGBAAt(dx/scale, dy/scale))
		}
	}
}

func silhouette(img *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	for i := 3; i < len(img.Pix); i += 4 {
		out.Pix[i] = img.Pix[i]
	}
	return out
}
