package answer

import "strings"

// EqualFold compares with a word of ours, which is ASCII, in any case. Letters of
// other alphabets that fold to ASCII ones, such as the Kelvin sign, are longer.
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
