package site

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// luminance returns the brightness of a colour as people see it (WCAG).
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.03928 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// Text has a contrast of at least 4.5, and drawings and the borders of controls have 3, in both
// themes.
func TestColoursHaveContrast(t *testing.T) {
	css, err := os.ReadFile("assets/site.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark, _ := strings.Cut(string(css), "prefers-color-scheme: dark")
	dark, _, _ = strings.Cut(dark, "* { box-sizing")
	for theme, text := range map[string]string{"light": light, "dark": dark} {
		colour := map[string]string{}
		for _, m := range regexp.MustCompile(`--(\w+): (#[0-9a-f]{6});`).FindAllStringSubmatch(text, -1) {
			colour[m[1]] = m[2]
		}
		check := func(front, back string, least float64) {
			a := luminance(t, colour[front])
			b := luminance(t, colour[back])
			if c := (max(a, b) + 0.05) / (min(a, b) + 0.05); c < least {
				t.Errorf("%s: %s on %s has a contrast of %.2f, want %.1f", theme, front, back, c, least)
			}
		}
		for _, back := range []string{"paper", "card", "faint"} {
			for _, front := range []string{"ink", "soft", "link"} {
				check(front, back, 4.5)
			}
		}
		check("edge", "paper", 3)
		check("paper", "ink", 4.5)
		for _, front := range []string{"circulating", "locked", "reserved", "burned"} {
			check(front, "card", 3)
		}
	}
}
