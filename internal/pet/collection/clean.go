package collection

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Clean returns text from a contract or an import in a form that is safe to show. A longer text is
// cut to the given number of characters, and ends with an ellipsis. The result is empty if nothing
// would be visible. It is not escaped.
func Clean(s string, characters int) string {
	var b strings.Builder
	space := false // a space comes before the next character
	seen := false  // something is visible
	shown := 0
	end := ""
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

// blank reports whether r is invisible although a name may contain it. Such characters are joiners,
// variation selectors, fillers and the empty Braille cell.
func blank(r rune) bool {
	return r == '\u200d' || r == '\u2800' ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// visible reports whether shown text may contain r. The zero-width joiner stays, because it joins
// emoji. All other format characters go, because they reverse or hide text.
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

// QuoteVisibly writes text from a contract or an import as JSON. It escapes characters that hide or
// reverse text, and those of HTML markup.
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
