package answer

import "strings"

// EqualFold compares s with an ASCII word, ignoring case. The Kelvin sign and other letters that
// fold to ASCII do not match, because they have more bytes.
func EqualFold(s, ours string) bool { return len(s) == len(ours) && strings.EqualFold(s, ours) }

// Lower returns s with its ASCII letters in lower case.
func Lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
