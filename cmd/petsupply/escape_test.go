package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// hostile clears the screen, in two ways, turns the writing round, and forges a line.
const hostile = "\x1b[2J\u009b2J\x7f\u202e\rx\nok  forged"

// TestNothingForeignReachesATerminalUnescaped: whatever a file or a server says,
// a command prints no character that steers a terminal, and no line of theirs.
func TestNothingForeignReachesATerminalUnescaped(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/phrase" {
			conn, _, err := w.(http.Hijacker).Hijack()
			must(t, err)
			fmt.Fprint(conn, "HTTP/1.1 418 \x1b[2J\x9bok forged\r\nContent-Length: 0\r\n\r\n")
			conn.Close()
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode([]map[string]string{{"symbol": hostile, "totalSupply": hostile, "circulatingSupply": "1", "status": hostile}})
	}))
	defer server.Close()
	pack := t.TempDir()
	must(t, os.WriteFile(filepath.Join(pack, "pack.json"), []byte(`{"format":"petpack/1","`+"\u009b"+`":1}`), 0o600))
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	for _, args := range [][]string{
		{"verify", file("evidence.json", `{"format":"petsupply-evidence/1","`+"\u202e\u009b"+`":1}`)},
		{"verify", server.URL + "/phrase"},
		{"check", server.URL},
		{"pack", "lint", pack},
		{"config", "check", file("petsupply.yaml", "chains:\n  \"\\e[2J\\n\": {id: 1, \u009b: 2}\n")},
		{"supply", hostile},
		{"--" + hostile},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), args, func(string) string { return "" }, strings.NewReader(""), &out, &errs); code == exitOK || out.Len()+errs.Len() == 0 {
			t.Errorf("%q: code %d and nothing said", args, code)
		}
		shown := out.String() + errs.String()
		if at := strings.IndexFunc(shown, func(r rune) bool {
			return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
		}); at >= 0 {
			t.Errorf("%q prints a control character: %q", args, shown[at:])
		}
		if strings.Contains(shown, "\nok  forged") && args[0] != "supply" && args[0] != "--"+hostile { // what a caller gives is the caller's own
			t.Errorf("%q prints a forged line:\n%s", args, shown)
		}
	}
}

// TestEscapedTextStaysReadable: letters of every script stay, and what was JSON
// means the same.
func TestEscapedTextStaysReadable(t *testing.T) {
	for text, want := range map[string]string{
		"Jáde 翡翠 🧑‍🚀\n\tok": "Jáde 翡翠 🧑‍🚀\n\tok",
		"a\x1b[2Jb":         `a\u001b[2Jb`,
		"\u009b\u202e\x7f":  `\u009b\u202e\u007f`,
		"\x9b\xff":          `\x9b\xff`,
		"\ufffd":            "\ufffd",
	} {
		var out bytes.Buffer
		if n, err := (escaper{&out}).Write([]byte(text)); n != len(text) || err != nil || out.String() != want {
			t.Errorf("%q comes out as %q (%d, %v), want %q", text, out.String(), n, err, want)
		}
	}
}
