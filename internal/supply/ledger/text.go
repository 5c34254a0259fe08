package ledger

import (
	"strings"
	"unicode"
)

// IsControl reports whether a character controls the display instead of being shown: control
// characters (C0, DEL, C1), ends of lines and paragraphs, and characters that change the direction
// of writing.
func IsControl(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// isName reports whether s may be a name: valid UTF-8 without control characters.
func isName(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return IsControl(r) || r == unicode.ReplacementChar })
}
