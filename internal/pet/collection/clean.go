package collection

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Clean makes text from a contract or an import fit to be shown, with at most so
// many characters. It is empty if nothing would be seen of it. It is not escaped.
func Clean(s string, characters int) string {
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
		if shown >= characters {
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

// visible reports whether a shown text may have r. The joiner stays, for
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

// QuoteVisibly writes text from a contract or an import as JSON that is plain to
// look at. Characters that hide or turn the text around them, and those that HTML
// reads as markup, are written as escapes.
func QuoteVisibly(s string) string {
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
