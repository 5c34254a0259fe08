// Package lettering writes text into pictures in our own small pixel font. Draw paints a line of
// text at an integer scale, Width returns its width, and Wrap breaks a text into lines. A letter
// that the font lacks becomes a box.
package lettering

import (
	_ "embed" // font.txt
	"image"
	"image/color"
	"image/draw"
	"strings"
	"sync"
	"unicode"
)

// Height is the height of a line of text, from the top of its capitals to the end of its
// descenders, at a scale of 1. Capitals are 7 pixels high.
const Height = 9

// A glyph is one letter: a bit for each pixel of its rows. The lowest bit is on the left.
type glyph struct {
	rows  [Height]uint8
	width int
}

//go:embed font.txt
var fontText string

// font reads the glyphs from font.txt: a line of letters, then their rows side by side.
var font = sync.OnceValue(func() map[rune]glyph {
	out := map[rune]glyph{' ': {width: 2}}
	lines := strings.Split(strings.TrimSpace(fontText), "\n")
	for ; len(lines) > Height; lines = lines[Height+1:] {
		for i, name := range strings.Fields(lines[0]) {
			g := glyph{}
			for y := range Height {
				row := strings.Fields(lines[1+y])[i]
				g.width = len(row)
				for x := range len(row) {
					if row[x] == 'X' {
						g.rows[y] |= 1 << x
					}
				}
			}
			out[[]rune(name)[0]] = g
		}
	}
	for mark, letters := range accents {
		pairs := []rune(letters)
		for i := 0; i < len(pairs); i += 2 {
			out[pairs[i]] = out[pairs[i+1]].with(out[mark], unicode.IsUpper(pairs[i]))
		}
	}
	return out
})

// accents has the letters that are drawn as another letter with a mark, by mark. Each letter is
// followed by the one that it is made from. Those under the blank look like another letter.
var accents = map[rune]string{
	'ˋ': "ÀAÈEÌIÒOÙUàaèeìiòoùu",
	'´': "ÁAĆCÉEÍIĹLŃNÓOŔRŚSÚUÝYŹZáaćcíińnóoŕrśsúuýyźz",
	'ˆ': "ÂAĈCÊEĜGĤHÎIĴJÔOŜSÛUŴWŶYâaĉcêeĝgîiĵjôoŝsûuŵwŷy",
	'˜': "ÃAĨIÑNÕOŨUãaĩiñnõoũu",
	'¨': "ÄAËEÏIÖOÜUŸYïi",
	'˚': "ÅAŮUåaůu",
	'ˇ': "ČCĎDĚEŇNŘRŠSŤTŽZčcěeňnřršsžz",
	'˘': "ĂAĔEĞGĬIŎOŬUăaĕeğgĭiŏoŭu",
	'¯': "ĀAĒEĪIŌOŪUāaēeīiōoūu",
	'˙': "ĊCĖEĠGİIŻZċcėeġgżz",
	'˝': "ŐOŰUőoűu",
	'¸': "ÇCĢGĶKĻLŅNŖRŞSŢTȘSȚTçcķkļlņnŗrşsţtșsțt",
	'˛': "ĄAĘEĮIŲUąaęeįiųu",
	' ': "ĐÐ“\"”\"‘’—–",
}

// with returns the letter with a mark above or below it. A capital gets two rows lower to make
// room. An i loses its dot, and the row below the mark.
func (g glyph) with(mark glyph, capital bool) glyph {
	out, r := glyph{width: max(g.width, mark.width)}, g.rows
	switch above := mark.rows[0] > 0; {
	case above && capital:
		r = [Height]uint8{0, 0, r[0], r[2], r[3], r[4], r[6]}
	case above && r[0] > 0:
		r[0], r[2] = 0, 0
	}
	for y := range Height {
		out.rows[y] = r[y]<<((out.width-g.width)/2) | mark.rows[y]<<((out.width-mark.width)/2)
	}
	return out
}

// box replaces letters that the font does not have.
var box = glyph{rows: [Height]uint8{7, 5, 5, 5, 5, 5, 7}, width: 3}

func glyphOf(r rune) glyph {
	if g, ok := font()[r]; ok {
		return g
	}
	return box
}

// Width returns how many pixels wide a line of text is.
func Width(text string, scale int) int {
	w := 0
	for _, r := range text {
		w += glyphOf(r).width + 1
	}
	return max(w-1, 0) * scale
}

// Draw paints a line of text with its top left corner at x, y.
func Draw(img draw.Image, x, y, scale int, ink color.Color, text string) {
	fill := image.NewUniform(ink)
	for _, r := range text {
		g := glyphOf(r)
		for dy, row := range g.rows {
			for dx := range g.width {
				if row>>dx&1 == 1 {
					block := image.Rect(0, 0, scale, scale).Add(image.Pt(x+dx*scale, y+dy*scale))
					draw.Draw(img, block, fill, image.Point{}, draw.Over)
				}
			}
		}
		x += (g.width + 1) * scale
	}
}

// Plain prepares a text for the font. It changes only characters that the font lacks. It removes
// symbols, such as emoji, and characters without a width of their own, such as joiners. So each
// unknown letter is drawn as one box.
func Plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if _, ok := font()[r]; ok {
			return r
		}
		if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Variation_Selector, unicode.So, unicode.Sk) {
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "…", "..."))
	return strings.TrimSpace(text)
}

// Legible reports whether the font has at least half of the letters of a text. It is false if the
// text has no letters.
func Legible(text string) bool {
	known, all := 0, 0
	for _, r := range text {
		if r == ' ' {
			continue
		}
		all++
		if _, ok := font()[r]; ok {
			known++
		}
	}
	return known > 0 && 2*known >= all
}

// Fit cuts a line of text to a width. Dots show that something was cut off.
func Fit(text string, scale, width int) string {
	if Width(text, scale) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && Width(string(runes)+"...", scale) > width {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimSpace(string(runes)) + "..."
}

// Wrap breaks a text between words into lines that fit the width, at most the given number of
// lines. It cuts a line that is still too wide.
func Wrap(text string, scale, width, lines int) []string {
	var out []string
	words := strings.Fields(text)
	for len(words) > 0 {
		n := 1
		for n < len(words) && Width(strings.Join(words[:n+1], " "), scale) <= width {
			n++
		}
		if len(out) == lines-1 {
			n = len(words)
		}
		out = append(out, Fit(strings.Join(words[:n], " "), scale, width))
		words = words[n:]
	}
	return out
}
