package jsonrpc

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// secret is the part of a URL that nobody may see.
const secret = "k3y-0f-the-pr0vider"

// TestAKeyInDisguiseIsNotShown: a node's text with a part of its URL in other
// letters, reversed, in hex, base64 or percent-encoded is not shown at all; other texts are.
func TestAKeyInDisguiseIsNotShown(t *testing.T) {
	hide := newRedactor("https://" + url.UserPassword("user", "p4ss+w/rd=1").String() + "@node.example.com/v2/" + secret + "?token=q-9f8e7d6c5b")
	percent := func(s string) (out string) {
		for _, b := range []byte(s) {
			out += fmt.Sprintf("%%%02X", b)
		}
		return out
	}
	for _, key := range []string{secret, "p4ss+w/rd=1", "q-9f8e7d6c5b"} {
		said := map[string]string{
			"as it is":            key,
			"in capitals":         strings.ToUpper(key),
			"reversed":            backwards(key),
			"in hex":              hex.EncodeToString([]byte(key)),
			"in hex with 0x":      "0x" + strings.ToUpper(hex.EncodeToString([]byte(key))),
			"in hex with colons":  strings.TrimSuffix(fmt.Sprintf("% x", key), " "),
			"in hex, reversed":    backwards(hex.EncodeToString([]byte(key))),
			"reversed, in hex":    hex.EncodeToString([]byte(backwards(key))),
			"percent-encoded":     percent(key),
			"escaped for a query": url.QueryEscape(key),
			"percent, reversed":   percent(backwards(key)),
		}
		for before := range 4 {
			text := []byte("abc"[:min(before, 3)] + key + "behind")
			said[fmt.Sprintf("in base64 after %d", before)] = base64.StdEncoding.EncodeToString(text)
			said[fmt.Sprintf("in URL base64 after %d", before)] = base64.URLEncoding.EncodeToString(text)
			said[fmt.Sprintf("in base64 alone after %d", before)] = base64.RawStdEncoding.EncodeToString([]byte("abc"[:min(before, 3)] + key))
		}
		for how, form := range said {
			shown := hide("unknown project " + form + " here")
			if strings.Contains(shown, form) || strings.Contains(shown, form[2:len(form)-2]) {
				t.Errorf("%s %s got out: %s", key, how, shown)
			}
		}
	}
	for _, harmless := range []string{"execution reverted", "block range is limited to 10,000 blocks", "header not found: 0x" + strings.Repeat("ab", 32)} {
		if shown := hide(harmless); shown != harmless {
			t.Errorf("%q is shown as %q", harmless, shown)
		}
	}
	if shown := hide(strings.Repeat(" ", maxSaid) + secret[:9]); strings.Contains(shown, secret[:9]) {
		t.Errorf("a long text is shown as %q", shown)
	}
}
