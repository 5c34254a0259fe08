package express

import (
	"bytes"
	"net"
	"strings"
	"time"
	"unsafe"
)

// A Request is a GET or HEAD without a body. Its strings are in the buffer of the connection.
type Request struct {
	Target, Host                                 string
	AcceptEncoding, IfNoneMatch, IfModifiedSince string // "" if not sent

	From net.Addr // the other end of the connection
	At   time.Time
	Room []byte // empty; Find may make its answer in it

	head bool // HEAD, not GET
	last bool // the connection closes after the answer
}

// parse reads the request at the front of b and returns its length. It returns 0 if the request is
// not complete, or if net/http might read it in another way.
func (q *Request) parse(b []byte) int {
	*q = Request{}
	head, rest, ok := bytes.Cut(b, []byte("\r\n\r\n"))
	line, lines, _ := bytes.Cut(head, []byte("\r\n"))
	ok = ok && isPlain(line) && q.parseRequestLine(line)
	for ok && len(lines) > 0 {
		line, lines, _ = bytes.Cut(lines, []byte("\r\n"))
		ok = isPlain(line) && q.parseHeader(line)
	}
	if !ok || q.Host == "" {
		return 0
	}
	return len(b) - len(rest)
}

// isPlain reports whether a line has only ASCII, and no control characters except tabs. So a bare LF
// or CR, which another server may take for the end of a line, is left to net/http.
func isPlain(line []byte) bool {
	for _, c := range line {
		if c < ' ' && c != '\t' || c > '~' {
			return false
		}
	}
	return true
}

// parseRequestLine reads "GET /target HTTP/1.1" with single spaces. It does not check the target:
// Find knows only well-formed targets.
func (q *Request) parseRequestLine(line []byte) bool {
	line, ok := bytes.CutSuffix(line, []byte(" HTTP/1.1"))
	method, target, _ := bytes.Cut(line, []byte(" "))
	q.head = string(method) == "HEAD"
	q.Target = unsafeString(target)
	return ok && (q.head || string(method) == "GET") && len(target) > 0 && target[0] == '/'
}

// parseHeader reads one header, and reports whether the lane may answer the request.
func (q *Request) parseHeader(line []byte) bool {
	colon := bytes.IndexByte(line, ':')
	if colon < 1 {
		return false
	}
	var name [18]byte // longer names differ from all below
	for i, c := range line[:colon] {
		c = lowerToken[c]
		if c == 0 {
			return false
		}
		name[min(i, len(name)-1)] = c
	}
	value := unsafeString(bytes.Trim(line[colon+1:], " \t"))
	switch string(name[:min(colon, len(name))]) {
	case "host":
		return setOnce(&q.Host, value) && strings.Trim(value, hostBytes) == ""
	case "connection":
		q.last = q.last || strings.EqualFold(value, "close")
		return strings.EqualFold(value, "close") || strings.EqualFold(value, "keep-alive")
	case "accept-encoding":
		return setOnce(&q.AcceptEncoding, value)
	case "if-none-match":
		return setOnce(&q.IfNoneMatch, value)
	case "if-modified-since":
		return setOnce(&q.IfModifiedSince, value)
	case "content-length", "transfer-encoding", "trailer", "te", "expect", "upgrade", "http2-settings":
		return false // net/http or a handler acts on it
	}
	return true
}

// setOnce stores the value of a header. It reports false if the value is empty or another one is
// stored already.
func setOnce(to *string, value string) bool {
	if *to != "" {
		return false
	}
	*to = value
	return value != ""
}

// unsafeString returns b as a string without a copy. The string changes when b does.
func unsafeString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

const (
	letters   = "abcdefghijklmnopqrstuvwxyz"
	hostBytes = letters + "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]"
)

// lowerToken has the bytes of header names (RFC 9110) in lower case, and 0 for all others.
var lowerToken = func() (t [256]byte) {
	for _, c := range []byte(letters + "0123456789!#$%&'*+-.^_`|~") {
		t[c] = c
	}
	for _, c := range []byte(letters) {
		t[c-'a'+'A'] = c
	}
	return t
}()
