package config

import (
	"strings"
	"testing"
)

// secrets has a marker in every key that can hold a secret.
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
  two: {id: 2, rpc: ["https://c.example.com/MARKER", https://d.example.com/MARKER]}
`

// TestNoMessageShowsASecret changes the file in thousands of ways, one at a time, and looks for
// the marker in every message.
func TestNoMessageShowsASecret(t *testing.T) {
	inserts := []string{"", "\t", ":", ": ", "[", "]", "{", "}", `"`, "'", "|", "- ", "#", "&a ", "*a ", "!x ", "\n", ",",
		"\u00a0", "\x00", "@", "%", "? ", ">"}
	const every = 7 // bytes between two changes
	refused := 0
	shown := 0
	for i := 0; i < len(secrets); i += every {
		for _, insert := range inserts {
			for _, skip := range []int{0, 1} {
				text := secrets[:i] + insert + secrets[min(len(secrets), i+skip):]
				_, err := Load("p.yaml", []byte(text), env)
				if err == nil {
					continue
				}
				refused++
				if strings.Contains(err.Error(), "MARKER") && shown < 10 {
					shown++
					t.Errorf("at byte %d, %q:\n%v", i, insert, err)
				}
			}
		}
	}
	if refused < 2000 {
		t.Errorf("only %d files were refused", refused)
	}
}
