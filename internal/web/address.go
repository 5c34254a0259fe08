package web

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"
)

// longest is the longest request target that is read.
const longest = 8 << 10

// A base is one public address under which an interface stands.
type base struct {
	url    string   // as configured, without trailing slash: what links are made of
	prefix []string // words of its path, in lower case
	routes []*route
	site   bool
}

// A house is one host with the bases under it, the longest path first.
type house struct {
	host  string // in lower case; as configured, without port
	port  string
	bases []*base
}

// parseBase reads a configured address.
func parseBase(raw string) (*base, *url.URL, error) {
	raw = strings.TrimRight(raw, "/")
	u, err := url.Parse(raw)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the address %q: %w", raw, err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, nil, fmt.Errorf("reading the address %q: it is not like https://host or https://host/path", raw)
	}
	words, err := split(u.EscapedPath())
	if err != nil {
		return nil, nil, fmt.Errorf("reading the address %q: %w", raw, err)
	}
	for i := range words {
		words[i] = lower(words[i])
	}
	return &base{url: raw, prefix: words}, u, nil
}

// build sorts bases into houses by host.
func build(houses []*house, b *base, u *url.URL) []*house {
	host, port := lower(u.Hostname()), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	for _, h := range houses {
		if h.host == host && h.port == port {
			at := 0
			for at < len(h.bases) && len(h.bases[at].prefix) >= len(b.prefix) {
				at++
			}
			h.bases = append(h.bases[:at], append([]*base{b}, h.bases[at:]...)...)
			return houses
		}
	}
	return append(houses, &house{host: host, port: port, bases: []*base{b}})
}

// house returns the index of the house that a Host header names. With one
// house the header is ignored; with several an unknown one is -1. The port
// counts only where two houses differ in nothing else.
func (s *Server) house(host string) int {
	if len(s.houses) == 1 {
		return 0
	}
	name, port := host, ""
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		name, port = host[:i], host[i+1:]
	}
	name = strings.TrimSuffix(strings.Trim(name, "[]"), ".")
	found, same := -1, 0
	for i, h := range s.houses {
		if !equalFold(h.host, name) {
			continue
		}
		if h.port == port {
			return i
		}
		found, same = i, same+1
	}
	if same != 1 {
		return -1
	}
	return found
}

// split returns the decoded words of an escaped path. One trailing slash is
// dropped; an empty word elsewhere stays, and matches nothing.
func split(escaped string) ([]string, error) {
	escaped = strings.TrimPrefix(escaped, "/")
	if escaped == "" {
		return nil, nil
	}
	if escaped != "/" {
		escaped = strings.TrimSuffix(escaped, "/")
	}
	words := strings.Split(escaped, "/")
	for i, w := range words {
		w, err := url.PathUnescape(w)
		if err != nil || !utf8.ValidString(w) {
			return nil, errBadPath
		}
		for _, r := range w {
			if r < ' ' || r == 0x7f {
				return nil, errBadPath
			}
		}
		words[i] = w
	}
	return words, nil
}

// under cuts the base's prefix from words, in any case.
func (b *base) under(words []string) ([]string, bool) {
	if len(words) < len(b.prefix) {
		return nil, false
	}
	for i, p := range b.prefix {
		if !equalFold(words[i], p) {
			return nil, false
		}
	}
	return words[len(b.prefix):], true
}
