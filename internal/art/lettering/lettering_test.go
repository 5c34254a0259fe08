package lettering

import (
	"image"
	"image/color"
	"strings"
	"testing"
	"unicode"
)

// picture draws a line in Xs.
func picture(text string, scale int) string {
	img := image.NewGray(image.Rect(0, 0, Width(text, scale), Height*scale))
	Draw(img, 0, 0, scale, color.White, text)
	var b strings.Builder
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if img.GrayAt(x, y).Y > 0 {
				b.WriteByte('X')
			} else {
				b.WriteByte('.')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestDraw(t *testing.T) {
	const want = `
X...X X
X...X .
X...X X
XXXXX X
X...X X
X...X X
X...X X
..... .
..... .
`
	if got := picture("Hi", 1); got != strings.ReplaceAll(want[1:], " ", ".") {
		t.Errorf("\n%s", got)
	}
	if big := picture("Hi", 3); strings.Count(big, "X") != 9*strings.Count(picture("Hi", 1), "X") {
		t.Errorf("three times as large:\n%s", big)
	}
}

// TestEveryLetterIsItsOwn: the font has all of ASCII and the letters of European names, and no two
// letters look alike. Only Ð and Đ do, in every font.
func TestEveryLetterIsItsOwn(t *testing.T) {
	seen := map[glyph]rune{}
	for r := '!'; r <= 'ž'; r++ {
		if r > '~' && !unicode.IsLetter(r) || r == 'ª' || r == 'º' || r == 'µ' || r == 'Đ' {
			continue
		}
		g := glyphOf(r)
		if g == box && !strings.ContainsRune("ĲĳĸĿŀŉ", r) { // letters that names are no longer written with
			t.Errorf("%q is not in the font", r)
		}
		if g == box {
			continue
		}
		if other, ok := seen[g]; ok {
			t.Errorf("%q looks like %q", r, other)
		}
		seen[g] = r
	}
	for _, letters := range accents {
		if len([]rune(letters))%2 > 0 {
			t.Errorf("%q is not made of pairs", letters)
		}
		for _, r := range letters {
			if glyphOf(r) == box {
				t.Errorf("%q is not in the font", r)
			}
		}
	}
	if glyphOf('漢') != box {
		t.Error("an unknown letter is not shown as a box")
	}
}

// TestMarks: a capital is lower under a mark, a mark replaces the dot, and names keep their marks.
func TestMarks(t *testing.T) {
	const want = `
.X. ..X .....
X.X .X. .....
XXX ... .XXXX
.X. .X. X..XX
.X. .X. X.X.X
.X. .X. XX..X
XXX .X. XXXX.
... ... .....
... ... .....
`
	if got := picture("Îíø", 1); got != strings.ReplaceAll(want[1:], " ", ".") {
		t.Errorf("\n%s", got)
	}
	if got := Plain("Søren Çağlar 🐉"); got != "Søren Çağlar" {
		t.Errorf("the name is now %q", got)
	}
}

func TestFitAndWrap(t *testing.T) {
	const text = "a tortoise with a chimney that smokes"
	for _, width := range []int{30, 60, 100} {
		for _, lines := range []int{1, 2, 9} {
			got := Wrap(text, 1, width, lines)
			if len(got) > lines {
				t.Errorf("%d lines, not %d", len(got), lines)
			}
			for _, line := range got {
				if Width(line, 1) > width {
					t.Errorf("%q is wider than %d", line, width)
				}
			}
		}
	}
	if got := Wrap(text, 1, 10000, 1); got[0] != text {
		t.Errorf("a line that fits was wrapped: %q", got)
	}
	if got := Fit(text, 2, 50); !strings.HasSuffix(got, "...") || Width(got, 2) > 50 {
		t.Errorf("the shortened text is %q", got)
	}
}
