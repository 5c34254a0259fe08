package config

import (
	"strings"
	"testing"
)

// secrets has a marker in every key that can hold a secret, as a value or from the environment.
const secrets = `store: postgres://a:MARKER@db.example.com/x
tlog:
  key: MARKER
  witnesses:
    - {url: "https://w.example.org/MARKER", key: x}
webhooks:
  - {name: shop, url: "https://shop.example.com/MARKER", secret: whsec_MARKER}
  - name: other
    url: https://example.com/MARKER
    secret: [whsec_MARKER, "MARKER"]
chains:
  one:
    id: 1
    rpc:
      - https://node.example.com/MARKER
      - {name: b, url: 'https://b.example.com/MARKER'}
      - {url: "https://e.example.com/${KEY}"}
      - $KEY
  two: {id: 2, rpc: ["https://c.example.com/MARKER", https://d.example.com/MARKER]}
`

// TestNoMessageShowsASecret changes the file in thousands of ways, one at a time, and looks for the
// marker in every message. Each character is left out once: a forgotten colon makes a key of a value.
func TestNoMessageShowsASecret(t *testing.T) {
	inserts := []string{"\t", ":", ": ", "[", "]", "{", "}", `"`, "'", "|", "- ", "#", "&a ", "*a ", "!x ", "\n", ",",
		"\u00a0", "\x00", "@", "%", "? ", ">"}
	const every = 11 // bytes between two insertions
	environment := func(string) string { return "MARKER" }
	tried := 0
	shown := 0
	try := func(i int, insert string, skip int) {
		text := secrets[:i] + insert + secrets[min(len(secrets), i+skip):]
		c, err := Load("p.yaml", []byte(text), environment)
		said := ""
		if err != nil {
			said = err.Error()
		} else {
			said = c.StoreName() + strings.Join(c.Warnings(), "\n")
		}
		tried++
		if strings.Contains(said, "MARKER") && shown < 10 {
			shown++
			t.Errorf("at byte %d, %q for %d bytes:\n%v", i, insert, skip, said)
		}
	}
	for i := range len(secrets) {
		try(i, "", 1)
		if i%every > 0 {
			continue
		}
		for _, insert := range inserts {
			try(i, insert, 0)
			try(i, insert, 1)
		}
	}
	if tried < 3000 {
		t.Errorf("only %d files were tried", tried)
	}
	c, err := Load("p.yaml", []byte("store: postgres://a:MARKER@db.example.com/x?password=MARKER\n"), environment)
	if err != nil || strings.Contains(c.StoreName()+strings.Join(c.Warnings(), ""), "MARKER") {
		t.Errorf("the store is called %s, %v", c.StoreName(), err)
	}
}
