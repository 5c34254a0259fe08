package express

import (
	"bytes"
	"strings"
	"unsafe"
)

// A verdict is the result of parsing.
type verdict uint8

const (
	incomplete verdict = iota // plain so far, but not complete
	notPlain                  // anything else, valid or not: left to net/http
	plain                     // plain and complete
)

// parse reads one request from the front of b and returns its length. It returns notPlain if it is
// not sure how net/http would read the request. net/http must read every plain request as parse
// does.
func (q *Request) parse(b []byte) (int, verdict) {
	*q = Request{Remote: q.Remote}
	if !agree(b, "GET /") && !agree(b, "HEAD /") {
		return 0, notPlain
	}
	line, n, v := cutLine(b)
	if v != plain {
		return 0, v
	}
	if !q.parseRequestLine(line) {
		return 0, notPlain
	}
	for {
		line, size, v := cutLine(b[n:])
		if v != plain {
			return 0, v
		}
		n += size
		if len(line) == 0 {
			break
		}
		if !q.parseHeader(line) {
			return 0, notPlain
		}
	}
	if q.Host == "" {
		return 0, notPlain
	}
	return n, plain
}

// agree reports whether b and s are equal up to the end of the shorter one.
func agree(b []byte, s string) bool {
	n := min(len(b), len(s))
	return string(b[:n]) == s[:n]
}

// cutLine returns the first line without its CRLF. size includes the CRLF. A line that ends in any
// other way is not plain.
func cutLine(b []byte) (line []byte, size int, v verdict) {
	i := bytes.IndexByte(b, '\n')
	switch {
	case i < 0:
		return nil, 0, incomplete
	case i == 0 || b[i-1] != '\r':
		return nil, 0, notPlain
	}
	return b[:i-1], i + 1, plain
}

// parseRequestLine reads "GET /target HTTP/1.1", or 1.0, with single spaces. It does not check the
// target: Lookup finds only well-formed targets.
func (q *Request) parseRequestLine(line []byte) bool {
	rest, ok := bytes.CutSuffix(line, []byte(" HTTP/1.1"))
	if !ok {
		if rest, ok = bytes.CutSuffix(line, []byte(" HTTP/1.0")); !ok {
			return false
		}
		q.old, q.once = true, true
	}
	q.head = rest[0] == 'H'
	q.Target = unsafeString(rest[len("GET "):])
	if q.head {
		q.Target = unsafeString(rest[len("HEAD "):])
	}
	return q.Target != ""
}

// parseHeader reads one header, and reports whether the request can still be plain. If no answer
// depends on the header, parseHeader only checks it for characters that net/http would refuse.
func (q *Request) parseHeader(line []byte) bool {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 {
		return false
	}
	name := line[:colon]
	for _, c := range name {
		if !tokenByte[c] {
			return false
		}
	}
	raw := bytes.Trim(line[colon+1:], " \t")
	for _, c := range raw {
		if c < ' ' && c != '\t' || c > '~' {
			return false
		}
	}
	value := unsafeString(raw)
	switch {
	case is(name, "host"):
		return setOnce(&q.Host, value) && validHost(value)
	case is(name, "connection"):
		if strings.EqualFold(value, "close") {
			q.once = true
			return true
		}
		return !q.old && strings.EqualFold(value, "keep-alive")
	case is(name, "accept-encoding"):
		return setOnce(&q.AcceptEncoding, value)
	case is(name, "if-none-match"):
		q.tags = q.tag[:]
		return setOnce(&q.tag[0], value)
	case is(name, "if-modified-since"):
		q.dates = q.date[:]
		return setOnce(&q.date[0], value)
	}
	return !affectsAnswer(name)
}

// affectsAnswer reports whether net/http or a handler acts on a header that parseHeader does not
// read.
func affectsAnswer(name []byte) bool {
	for _, w := range [...]string{
		"te", "expect", "upgrade", "trailer", "content-length", "http2-settings", "transfer-encoding",
	} {
		if is(name, w) {
			return true
		}
	}
	return false
}

// setOnce stores the value of a header. It reports false if the value is empty or if another value
// is stored already: such a request is not plain.
func setOnce(to *string, value string) bool {
	if *to != "" || value == "" {
		return false
	}
	*to = value
	return true
}

// is compares a header's name with an ASCII word, ignoring case.
func is(name []byte, word string) bool {
	return len(name) == len(word) && strings.EqualFold(unsafeString(name), word)
}

// unsafeString returns b as a string without a copy. The string changes when b does.
func unsafeString(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

var (
	tokenByte = byteSet(alphanumeric + "!#$%&'*+-.^_`|~") // bytes of a header's name (RFC 9110)
	hostByte  = byteSet(alphanumeric + ".-:[]")           // bytes of host names and ports
)

func byteSet(chars string) (t [256]bool) {
	for i := range len(chars) {
		t[chars[i]] = true
	}
	return t
}

// validHost reports whether a Host has only characters of names and ports.
func validHost(s string) bool {
	for i := range len(s) {
		if !hostByte[s[i]] {
			return false
		}
	}
	return true
}
