package card

import (
	"petsupply/internal/art/lettering"
)

// A Token has the content of a token's card.
type Token struct {
	Name, Symbol       string
	Circulating, Total string  // formatted with separators
	Share              float64 // the circulating part of the total, 0 to 1
	AsOf               string  // the time of the figures, with a remark if they are stale
	Page               string  // address of the token's page
}

// Version identifies the card, and changes exactly when the card may look different.
func (t Token) Version() string { return version("token", t) }

// Draw returns the card as a PNG.
func (t Token) Draw() []byte {
	const x, width = 26, columns - 2*26
	c := newCanvas()
	y := c.text(x, 22, 2, amber, lettering.Fit(lettering.Plain(t.Symbol), 2, width))
	y = c.title(x, y, width, 3, lettering.Plain(t.Name)) + 5
	y = c.text(x, y, 1, muted, "CIRCULATING") + 1
	y = c.figure(x, y, width, t.Circulating) + 5
	c.fill(x, y, x+width, y+8, haze)
	c.fill(x, y, x+int(float64(width)*min(max(t.Share, 0), 1)+0.5), y+8, amber)
	y = c.text(x, y+14, 1, muted, "TOTAL") + 1
	c.figure(x, y, width, t.Total)
	c.text(x, rows-24, 1, silver, lettering.Fit(t.AsOf, 1, width))
	if right := columns - x - lettering.Width(t.Page, 1); right > x+lettering.Width(t.AsOf, 1)+10 {
		c.text(right, rows-24, 1, silver, t.Page)
	}
	return c.png(nil)
}

// figure writes a number as large as possible. If it does not fit at all, it is cut and ends with
// dots.
func (c canvas) figure(x, y, width int, text string) int {
	size := 3
	for size > 1 && lettering.Width(text, size) > width {
		size--
	}
	return c.text(x, y, size, paper, lettering.Fit(text, size, width))
}
