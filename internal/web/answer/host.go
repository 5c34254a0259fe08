package answer

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxTarget is the length of the longest request target that is accepted, in bytes.
const maxTarget = 8 << 10

// A virtualHost is one host with the bases under it, the longest path first.
type virtualHost struct {
	host  string // as configured, in lower case and without port
	port  string
	bases []*Base
}

// AddBase parses a configured address, and adds its base to its host.
func (a *Answerer) AddBase(raw string) (*Base, error) {
	raw = strings.TrimRight(raw, "/")
	u, err := url.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("reading the address %q: %w", raw, err)
	}
	web := u.Scheme == "http" || u.Scheme == "https"
	if !web || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, fmt.Errorf("reading the address %q: it does not have the form https://host or https://host/path",
			raw)
	}
	segments, err := splitPath(u.EscapedPath())
	if err != nil {
		return nil, fmt.Errorf("reading the address %q: %w", raw, err)
	}
	for i, s := range segments {
		segments[i] = Lower(s)
	}
	b := &Base{
		URL: raw, Path: strings.TrimRight(u.Path, "/"), Routes: map[string]*Route{},
		prefix: segments, mux: http.NewServeMux(),
	}
	name := Lower(u.Hostname())
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	i := slices.IndexFunc(a.hosts, func(v *virtualHost) bool { return v.host == name && v.port == port })
	if i < 0 {
		i = len(a.hosts)
		a.hosts = append(a.hosts, &virtualHost{host: name, port: port})
	}
	b.Host = i
	v := a.hosts[i]
	if slices.ContainsFunc(v.bases, func(other *Base) bool { return slices.Equal(other.prefix, b.prefix) }) {
		return nil, fmt.Errorf("two interfaces have the address %s", raw)
	}
	v.bases = append(v.bases, b)
	slices.SortStableFunc(v.bases, func(a, b *Base) int { return len(b.prefix) - len(a.prefix) })
	return b, nil
}

// Host returns the index of the virtual host that a Host header names, or -1 if there is none. If
// only one host is configured, it returns 0 for every header. The port counts only if two hosts
// differ in nothing else.
func (a *Answerer) Host(host string) int {
	if len(a.hosts) == 1 {
		return 0
	}
	name := host
	port := ""
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		name = host[:i]
		port = host[i+1:]
	}
	name = strings.TrimSuffix(strings.Trim(name, "[]"), ".")
	same := -1 // the only host with this name; -2 if there are several
	for i, v := range a.hosts {
		switch {
		case !EqualFold(v.host, name):
		case v.port == port:
			return i
		case same == -1:
			same = i
		default:
			same = -2
		}
	}
	return max(same, -1)
}

// find sets the base, the route and the arguments of a request, as far as it finds them. Its errors
// concern only the address, not the method.
func (a *Answerer) find(q *Request) error {
	i := a.Host(q.Host)
	if i < 0 {
		return errHost
	}
	path := q.URL.EscapedPath()
	err := a.hosts[i].find(q, path)
	if len(path)+len(q.URL.RawQuery) > maxTarget {
		return errTooLong
	}
	return err
}

func (v *virtualHost) find(q *Request, path string) error {
	segments, err := splitPath(path)
	if err != nil {
		return err
	}
	for _, b := range v.bases {
		rest, ok := b.below(segments)
		if ok {
			q.base = b
			return b.find(q, rest)
		}
	}
	return ErrNoPath
}

// splitPath returns the decoded segments of an escaped path. It drops one trailing slash. An empty
// segment elsewhere stays, and matches nothing.
func splitPath(escaped string) ([]string, error) {
	escaped = strings.TrimPrefix(escaped, "/")
	if escaped == "" {
		return nil, nil
	}
	if escaped != "/" {
		escaped = strings.TrimSuffix(escaped, "/")
	}
	segments := strings.Split(escaped, "/")
	for i, s := range segments {
		s, err := url.PathUnescape(s)
		isControl := func(r rune) bool { return r < ' ' || r == 0x7f }
		if err != nil || !utf8.ValidString(s) || strings.ContainsFunc(s, isControl) {
			return nil, errBadPath
		}
		segments[i] = s
	}
	return segments, nil
}
