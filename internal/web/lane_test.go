package web

import (
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"petsupply/internal/web/express"
	"petsupply/testkit/check"
)

// talk plays a conversation in pieces of these lengths less one, and returns all answers.
func talk(t testing.TB, p *check.Pipes, in, cuts []byte) []byte {
	t.Helper()
	c, _ := p.Dial(t, len(in))
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	go writeCut(c, in, cuts)
	out, err := io.ReadAll(c)
	if err != nil {
		t.Errorf("%.100q: %v", in, err)
	}
	_ = c.Close()
	return unequal.ReplaceAll(out, nil)
}

// writeCut writes a text in pieces of these lengths less one.
func writeCut(c io.Writer, in, cuts []byte) {
	for _, cut := range cuts {
		n := min(int(cut)+1, len(in))
		_, _ = c.Write(in[:n])
		in = in[n:]
	}
	_, _ = c.Write(in)
}

// newServer returns a server with the time limits that a lane needs. A client that has sent everything
// closes its half, which net/http may take for leaving.
func newServer(handler http.Handler, limit time.Duration) *http.Server {
	stays := func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(context.WithoutCancel(r.Context())))
	}
	return &http.Server{
		Handler: http.HandlerFunc(stays), ReadHeaderTimeout: limit, IdleTimeout: limit, WriteTimeout: limit,
		MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0),
	}
}

// sockets serve the same kit with and without the lane.
func sockets(t testing.TB, k *kit) (plain, laned *check.Pipes) {
	t.Helper()
	start := func(lane bool) *check.Pipes {
		p := check.NewPipes()
		srv := newServer(k, time.Hour)
		var l net.Listener = p
		if lane {
			l = express.Listen(p, nil, srv, k.Find, k.Now)
		}
		go func() { _ = srv.Serve(l) }()
		t.Cleanup(func() { _ = srv.Close() })
		return p
	}
	return start(false), start(true)
}

// unequal matches headers that may differ between two answers to the same request.
var unequal = regexp.MustCompile(`(?m)^(Date|X-Request-Id): [^\r\n]*\r\n`)

const plainHead = " HTTP/1.1\r\nHost: localhost:8080\r\n"

// alike plays a conversation with and without the lane.
func alike(t *testing.T, plain, laned *check.Pipes, in, cuts []byte) {
	t.Helper()
	want := talk(t, plain, in, nil)
	got := talk(t, laned, in, cuts)
	if !bytes.Equal(want, got) {
		t.Errorf("%.300q in pieces of %v:\nnet/http: %.600q\nlane:     %.600q", in, cuts, want, got)
	}
}

// oddRequests returns the recorded requests of testdata/lane/odd_requests.txt, one quoted string a line.
// They vary every part of a request: method, target, version, ends of lines, headers, and what
// follows.
func oddRequests(t testing.TB) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/lane/odd_requests.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for line := range strings.Lines(string(text)) {
		request, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, request)
	}
	return list
}

// FuzzLane compares the lane with net/http: for whole requests and for pieces, in the clear and over TLS,
// alone, between requests for the lane, and followed by others.
func FuzzLane(f *testing.F) {
	k := newKit(f, oneHost())
	k.remember(20)
	k.get("/pets/token/1", "Accept-Encoding", "gzip")
	k.get("/pets/image/1")
	plain, laned := sockets(f, k)
	secure, securelyLaned := secureSockets(f, k)
	const hot = "GET /supply/jewel/totalsupply" + plainHead + "\r\n"
	list := oddRequests(f)
	for i, odd := range list {
		f.Add([]byte(odd), []byte{byte(i), byte(i >> 3)}, i%16 == 0)
		f.Add([]byte(hot+odd+hot), []byte{}, i%16 == 8)
		f.Add([]byte(odd+list[(7*i)%len(list)]), []byte{byte(3 * i)}, false)
		if i%16 == 0 || i > len(list)-100 { // the last ones are whole conversations
			f.Add([]byte(odd), bytes.Repeat([]byte{0}, len(odd)), false)
			f.Add([]byte(odd), bytes.Repeat([]byte{40}, 20), i%2 == 0)
		}
	}
	f.Fuzz(func(t *testing.T, in, cuts []byte, tls bool) {
		if len(in) > 16<<10 {
			return // above that size net/http answers 431, and then waits half a second
		}
		if tls {
			secureAlike(t, secure, securelyLaned, in, cuts)
			return
		}
		alike(t, plain, laned, in, cuts)
	})
}
