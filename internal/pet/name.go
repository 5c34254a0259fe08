package pet

import (
	"unicode/utf8"

	"petsupply/internal/pet/collection"
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

// Clean makes a name that an owner wrote fit to be shown; it is empty if nothing
// would be seen of it. It is not escaped.
func Clean(s string) string { return collection.Clean(s, maxShown) }
