package express

import (
	"reflect"
	"strings"
	"testing"
)

const host = "Host: a\r\n"

func TestPlainRequestsAreParsed(t *testing.T) {
	for _, c := range []struct {
		text string
		want Request
	}{
		{"GET / HTTP/1.1\r\n" + host, Request{Target: "/", Host: "a"}},
		{"HEAD /x?y=1 HTTP/1.1\r\nhOST:\t [::1]:80 \r\n", Request{Target: "/x?y=1", Host: "[::1]:80", head: true}},
		{"GET / HTTP/1.1\r\nAccept-Encoding: gzip\r\nIf-None-Match: *\r\nIf-Modified-Since: x\r\n" + host,
			Request{Target: "/", Host: "a", AcceptEncoding: "gzip", IfNoneMatch: "*", IfModifiedSince: "x"}},
		{"GET / HTTP/1.1\r\nConnection: Close\r\nconnection: Keep-Alive\r\n" + host,
			Request{Target: "/", Host: "a", last: true}},
		{"GET / HTTP/1.1\r\nIf-Modified-Sincex: x\r\nX-Empty:\r\n" + host, Request{Target: "/", Host: "a"}},
	} {
		for _, after := range []string{"", "GET"} {
			var q Request
			if n := q.parse([]byte(c.text + "\r\n" + after)); n != len(c.text)+2 || !reflect.DeepEqual(q, c.want) {
				t.Errorf("%q: %d, %+v", c.text, n, q)
			}
		}
	}
}

func TestEverythingElseIsLeftToNetHTTP(t *testing.T) {
	whole := "GET / HTTP/1.1\r\n" + host + "\r\n"
	list := []string{
		// A bare LF or CR, which another server may take for the end of a line or of the head.
		"GET /\nX: HTTP/1.1\r\n" + host + "\r\n", "GET /\n HTTP/1.1\r\n" + host + "\r\n",
		"GET / HTTP/1.1\n" + host + "\r\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\r\n" + host + "\n",
		"GET /\rX HTTP/1.1\r\n" + host + "\r\n", "GET / HTTP/1.1\r\nX: a\rb\r\n" + host + "\r\n",
		"GET / HTTP/1.1\r\nX: a\nContent-Length: 5\r\n" + host + "\r\n", "\r\n" + whole,
		// other methods, versions and targets
		"POST / HTTP/1.1\r\n" + host + "\r\n", "get / HTTP/1.1\r\n" + host + "\r\n",
		"GET / HTTP/1.0\r\n" + host + "\r\n",
		"GET / HTTP/2.0\r\n" + host + "\r\n", "GET /\r\n" + host + "\r\n", "GET  / HTTP/1.1\r\n" + host + "\r\n",
		"GET * HTTP/1.1\r\n" + host + "\r\n", "GET http://a/ HTTP/1.1\r\n" + host + "\r\n",
		"GET /\x80 HTTP/1.1\r\n" + host + "\r\n",
		// hosts
		"GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET / HTTP/1.1\r\n" + host + host + "\r\n",
		"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
	}
	for _, header := range []string{
		"Content-Length: 0", "Transfer-Encoding: chunked", "Transfer-encoding: identity", "Trailer: x", "TE: trailers",
		"Expect: 100-continue", "Upgrade: h2c", "HTTP2-Settings: AA", "Connection: upgrade", "Connection: close, te",
		"Accept-Encoding:", "Accept-Encoding: a\r\nAccept-Encoding: b", "If-None-Match: *\r\nIf-None-Match: *",
		"If-Modified-Since:", "X", ": x", "X : y", " X: y", "X: y\r\n folded", "X(: y", "X: \x00", "X: \x7f", "X: \xff",
	} {
		list = append(list, "GET / HTTP/1.1\r\n"+host+header+"\r\n\r\n")
	}
	for i := range whole {
		list = append(list, whole[:i])
	}
	for _, text := range list {
		if n := new(Request).parse([]byte(text)); n != 0 {
			t.Errorf("%q is parsed as %d bytes", text, n)
		}
	}
	if n := new(Request).parse([]byte(strings.Replace(whole, "\r\n\r\n", "\r\nX: y\r\n\r\n", 1))); n == 0 {
		t.Error("an unknown header is left to net/http")
	}
}
