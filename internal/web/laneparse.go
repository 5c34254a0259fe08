package web

import (
	"bytes"
	"unsafe"
)

// A laneRequest is a request in the one plain shape that the express lane
// understands. Its slices point into the connection's buffer.
type laneRequest struct {
	head                bool // HEAD, not GET
	target, host        []byte
	tags, since, accept []byte
	hasTags, hasSince   bool
}

// A verdict is what parsing came to.
type verdict uint8

const (
	more verdict = iota // plain so far, not whole yet
	no                  // not plain: net/http decides what it is
	yes                 // plain and whole
)

// parse reads one request from the front of b and returns its length. It says
// no at the first byte that it is not sure of: whatever it says yes to, net/http
// must read in the same way.
func (q *laneRequest) parse(b []byte) (int, verdict) {
	*q = laneRequest{}
	if !begins(b, "GET /") && !begins(b, "HEAD /") {
		return 0, no
	}
	line, n, v := cutLine(b)
	if v != yes {
		return 0, v
	}
	if !q.requestLine(line) {
		return 0, no
	}
	for {
		line, size, v := cutLine(b[n:])
		if v != yes {
			return 0, v
		}
		n += size
		if len(line) == 0 {
			break
		}
		if !q.header(line) {
			return 0, no
		}
	}
	if len(q.host) == 0 {
		return 0, no
	}
	return n, yes
}

// begins reports whether b and s agree as far as b goes.
func begins(b []byte, s string) bool {
	n := min(len(b), len(s))
	return string(b[:n]) == s[:n]
}

// cutLine returns the first line without its CRLF, and how long it was with it.
// A line that ends in any other way is none.
func cutLine(b []byte) (line []byte, size int, v verdict) {
	i := bytes.IndexByte(b, '\n')
	switch {
	case i < 0:
		return nil, 0, more
	case i == 0 || b[i-1] != '\r':
		return nil, 0, no
	}
	return b[:i-1], i + 1, yes
}

// requestLine reads "GET /target HTTP/1.1", with one space at each place.
func (q *laneRequest) requestLine(line []byte) bool {
	rest, ok := bytes.CutSuffix(line, []byte(" HTTP/1.1"))
	if !ok {
		return false
	}
	q.head = rest[0] == 'H'
	q.target = rest[len("GET "):]
	if q.head {
		q.target = rest[len("HEAD "):]
	}
	return len(q.target) > 0 // what is in it, the table of targets decides
}

// header reads one header. Those that no answer depends on are only checked for
// being harmless.
func (q *laneRequest) header(line []byte) bool {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 {
		return false
	}
	name := line[:colon]
	for _, c := range name {
		if !nameByte[c] {
			return false
		}
	}
	value := bytes.Trim(line[colon+1:], " \t")
	for _, c := range value {
		if c < ' ' && c != '\t' || c > '~' {
			return false
		}
	}
	switch len(name) {
	case len("host"):
		if is(name, "host") {
			return once(&q.host, value) && hostly(value)
		}
	case len("connection"):
		return !is(name, "connection") || equalFold(view(value), "keep-alive")
	case len("if-none-match"):
		if is(name, "if-none-match") {
			q.hasTags = true
			return once(&q.tags, value)
		}
	case len("accept-encoding"):
		if is(name, "accept-encoding") {
			return once(&q.accept, value)
		}
	case len("if-modified-since"): // and transfer-encoding
		if is(name, "if-modified-since") {
			q.hasSince = true
			return once(&q.since, value)
		}
		return !is(name, "transfer-encoding")
	default:
		return !weighty(name)
	}
	return !weighty(name)
}

// weighty are the other headers that net/http or our handlers act on.
func weighty(name []byte) bool {
	for _, w := range [...]string{"te", "expect", "upgrade", "trailer", "x-request-id", "content-length", "http2-settings"} {
		if is(name, w) {
			return true
		}
	}
	return false
}

// once keeps a value; a second one, or an empty one, is not plain.
func once(to *[]byte, value []byte) bool {
	if *to != nil || len(value) == 0 {
		return false
	}
	*to = value
	return true
}

func is(name []byte, word string) bool { return len(name) == len(word) && equalFold(view(name), word) }

// hostly reports whether a Host is of letters, digits and what names and ports
// need.
func hostly(b []byte) bool {
	for _, c := range b {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '-', c == ':', c == '[', c == ']':
		default:
			return false
		}
	}
	return true
}

// view looks at b as a string without copying it. It is for calls that keep
// nothing: the buffer under it is read into again.
func view(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// nameByte are the bytes of a header's name: the token of RFC 9110.
var nameByte = func() (t [256]bool) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = true, true
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = true
	}
	for _, c := range "!#$%&'*+-.^_`|~" {
		t[c] = true
	}
	return t
}()
