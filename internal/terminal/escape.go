// Package terminal writes for people: text without control characters, and the progress of long work.
package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"petsupply/internal/supply/ledger"
)

// An Escaper writes text of nodes, files and servers so that it cannot control a terminal. Control
// characters other than tab and newline, and bytes that are not UTF-8, are escaped as in a JSON or
// Go string.
type Escaper struct{ io.Writer }

func (e Escaper) Write(text []byte) (int, error) {
	if n, err := io.WriteString(e.Writer, escape(string(text), "\t\n")); err != nil {
		return min(n, len(text)), err
	}
	return len(text), nil
}

// OneLine escapes text like an Escaper, and tabs and newlines too, so that it stays on one line.
func OneLine(text string) string { return escape(text, "") }

// escape escapes bytes that are not UTF-8, and all control characters except those in keep.
func escape(text, keep string) string {
	steers := func(r rune) bool {
		return ledger.IsControl(r) && !strings.ContainsRune(keep, r) || r == utf8.RuneError
	}
	if !strings.ContainsFunc(text, steers) {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, text[0])
		case r != utf8.RuneError && steers(r):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteString(text[:size])
		}
		text = text[size:]
	}
	return out.String()
}
