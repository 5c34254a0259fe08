package pet

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	// maxName is how many bytes of a name are kept.
	maxName = 16 << 10
	// maxShown is how many characters of a name are shown.
	maxShown = 64
)

// clip cuts s at n bytes, not inside a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Clean makes text that a stranger wrote fit to be shown; it is empty if nothing
// would be seen of it. It is still a stranger's: escape it as any other.
func Clean(s string) string {
	var b strings.Builder
	space, seen, shown, end := false, false, 0, ""
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case !visible(r):
			continue
		}
		if space {
			b.WriteByte(' ')
			shown++
			space = false
		}
		if shown >= maxShown {
			end = "…"
			break
		}
		b.WriteRune(r)
		seen = seen || !blank(r)
		shown++
	}
	if !seen {
		return ""
	}
	return strings.TrimRight(b.String(), " ") + end
}

// blank reports whether r leaves no ink where a name may otherwise hold it:
// joiners, variation selectors, fillers, the Braille cell without dots.
func blank(r rune) bool {
	return r == '\u200d' || r == '\u2800' || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// visible reports whether r may stand in a shown name. The joiner stays, for
// it holds emoji together; every other format character goes: overrides and
// isolates turn the text around them, and the rest hides.
func visible(r rune) bool {
	switch {
	case r == utf8.RuneError:
		return false
	case r == '\u200d':
		return true
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Cc, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Cs, r):
		return false
	}
	return unicode.IsGraphic(r)
}

// quoteVisibly writes a stranger's text as JSON that is plain to look at: what
// would hide or turn the text around it, and what HTML reads as markup, is
// written as an escape.
func quoteVisibly(s string) string {
	text, _ := json.Marshal(strings.ToValidUTF8(s, "\ufffd")) // a string always has a JSON form
	var b strings.Builder
	for _, r := range string(text) {
		if r < utf8.RuneSelf || visible(r) || r == utf8.RuneError {
			b.WriteRune(r)
			continue
		}
		for _, u := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, u)
		}
	}
	return b.String()
}
