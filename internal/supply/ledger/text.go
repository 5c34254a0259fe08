package ledger

import (
	"strings"
	"unicode"
)

// IsControl says whether a character steers what shows it instead of being
// shown: control characters (C0, DEL, C1), the ends of lines and paragraphs, and
// those that turn the direction of writing.
func IsControl(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// isName says whether s may name something: it shows as it is.
func isName(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return IsControl(r) || r == unicode.ReplacementChar })
}
