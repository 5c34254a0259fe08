package config

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// refused loads a broken file. Its message must have a text, and no secret.
func refused(t *testing.T, file, want string) {
	t.Helper()
	_, err := Load("p.yaml", []byte(file), env)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s\nLoad = %v\nwant a fault with %q", file, err, want)
	} else if strings.Contains(err.Error(), "hunter2hun") || strings.Contains(err.Error(), "MfKQ9r8") {
		t.Errorf("the message shows the secret:\n%v", err)
	}
}

// TestBrokenFiles: each file in testdata/broken.txtar is refused with the message that follows it.
func TestBrokenFiles(t *testing.T) {
	all, err := txtar.ParseFile("testdata/broken.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for len(all.Files) > 1 {
		file := all.Files[0]
		message := all.Files[1]
		all.Files = all.Files[2:]
		if message.Name != "message" {
			t.Fatalf("after %q comes %q and no message", file.Name, message.Name)
		}
		t.Run(file.Name, func(t *testing.T) { refused(t, string(file.Data), strings.TrimSpace(string(message.Data))) })
	}
}

// TestBrokenCharacters: files that are empty, or have characters that nobody sees.
func TestBrokenCharacters(t *testing.T) {
	for _, test := range []struct{ name, file, want string }{
		{"nothing", "", "p.yaml: is empty"},
		{"blanks", " \n\n", "p.yaml: is empty"},
		{"a byte order mark", "\ufefflease: 10s\n", "p.yaml:1: has a byte order mark (U+FEFF)"},
		{"UTF-16", "\xff\xfel\x00e\x00", "p.yaml:1: is not UTF-8 text"},
		{"Latin-1", "lease: 10s\nsite_url: caf\xe9\n", "p.yaml:2: is not UTF-8 text"},
		{"a NUL", "lease: 10s\x00\n", "p.yaml:1: has the control character U+0000; remove it"},
		{"a tab", "refresh:\n\tevery: 1m\n", "p.yaml:2: a tab (U+0009) is in the indentation; YAML wants spaces"},
		{"a no-break space before a key", "\u00a0lease: 10s\n", "U+00A0 in column 1"},
		{"a zero-width space in a key", "le\u200base: 10s\n",
			"p.yaml:1: le<U+200B>ase: unknown key; did you mean lease?"},
		{"a no-break space in a value", "lease: 10\u00a0s\n", "p.yaml:1: lease: "},
		{"a long text", "about: {text: " + strings.Repeat("x", 2001) + "}",
			"p.yaml:1: about.text: has 2001 bytes, more than 2000"},
	} {
		t.Run(test.name, func(t *testing.T) { refused(t, test.file, test.want) })
	}
}
