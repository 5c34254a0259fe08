package terminal

import (
	"bytes"
	"testing"
)

// TestEscapedTextStaysReadable: letters of every script stay, and JSON keeps its meaning.
func TestEscapedTextStaysReadable(t *testing.T) {
	for text, want := range map[string]string{
		"Jáde 翡翠 🧑‍🚀\n\tok": "Jáde 翡翠 🧑‍🚀\n\tok",
		"a\x1b[2Jb":         `a\u001b[2Jb`,
		"\u009b\u202e\x7f":  `\u009b\u202e\u007f`,
		"\x9b\xff":          `\x9b\xff`,
		"\ufffd":            "\ufffd",
	} {
		t.Run(want, func(t *testing.T) {
			var out bytes.Buffer
			if n, err := (Escaper{&out}).Write([]byte(text)); n != len(text) || err != nil || out.String() != want {
				t.Errorf("%q comes out as %q (%d, %v), want %q", text, out.String(), n, err, want)
			}
		})
	}
}
