package jsonrpc

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A redactor rewrites what a node said so that nothing of its URL is in it.
type redactor func(string) string

var anyURL = regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]*://\S+`)

// newRedactor hides the URL and every part of it that might be a key. Of a text
// that has one in disguise, or is too long to be searched, nothing is shown.
func newRedactor(raw string) redactor {
	parts := secretParts(raw)
	var pairs []string
	for _, p := range parts {
		pairs = append(pairs, p, "…")
	}
	hide, disguised := strings.NewReplacer(pairs...), disguises(parts)
	return func(s string) string {
		if len(s) > maxSaid {
			return fmt.Sprintf("(%d bytes, not shown)", len(s))
		}
		s = hide.Replace(anyURL.ReplaceAllString(s, "…"))
		if disguised(s) {
			return "(not shown: it repeats a part of the provider's address)"
		}
		s = strings.Map(func(r rune) rune {
			if unicode.IsPrint(r) {
				return r
			}
			return ' '
		}, s)
		if r := []rune(s); len(r) > 200 {
			s = string(r[:200]) + "…"
		}
		return strings.Join(strings.Fields(s), " ")
	}
}

// secretParts are the URL and those of its parts that are long enough for a key,
// the longest first.
func secretParts(raw string) []string {
	parts := []string{raw}
	if u, err := url.Parse(raw); err == nil {
		pass, _ := u.User.Password()
		parts = append(parts, u.Host, u.Hostname(), u.Path, u.RawQuery, u.User.Username(), pass)
		parts = append(parts, strings.Split(u.Path, "/")...)
		for k, vs := range u.Query() {
			parts = append(append(parts, k), vs...)
		}
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return len(p) < 6 && p != raw || p == "" })
	slices.SortStableFunc(parts, func(a, b string) int { return len(b) - len(a) })
	return parts
}

var (
	percentByte  = regexp.MustCompile(`%[0-9a-fA-F]{2}`)
	hexSeparator = regexp.MustCompile(`\\x|0x|[\s:,-]+`)
)

// disguises returns how to see whether a text has one of the parts in other
// letters, in hex, in base64 or percent-encoded, forwards or backwards.
func disguises(parts []string) func(string) bool {
	var plain, hexed, based []string
	for _, part := range parts {
		for _, p := range []string{part, backwards(part)} {
			plain = append(plain, strings.ToLower(p))
			hexed = append(hexed, hex.EncodeToString([]byte(p)))
			based = append(based, base64Forms(p)...)
		}
	}
	return func(s string) bool {
		decoded := percentByte.ReplaceAllStringFunc(s, func(code string) string {
			n, _ := strconv.ParseUint(code[1:], 16, 8)
			return string([]byte{byte(n)})
		})
		for _, text := range []string{s, decoded, backwards(s)} {
			lower := strings.ToLower(text)
			if has(lower, plain) || has(hexSeparator.ReplaceAllString(lower, ""), hexed) || has(text, based) {
				return true
			}
		}
		return false
	}
}

// base64Forms are the letters that stand for p in base64, whatever is before and
// behind it.
func base64Forms(p string) (forms []string) {
	for before := range 3 {
		text := []byte(strings.Repeat("\x00", before) + p)
		first, last := (before*8+5)/6, len(text)*8/6 // letters that p alone decides
		for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			forms = append(forms, alphabet.EncodeToString(text)[first:last])
		}
	}
	return forms
}

func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
