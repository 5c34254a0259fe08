package web

import (
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"petsupply/internal/web/express"
)

// A wire is a connection in memory. It delivers the bytes of a conversation in pieces and then
// ends. It keeps everything that is written to it.
type wire struct {
	mu     sync.Mutex
	turn   *sync.Cond
	in     []byte
	cuts   []byte // lengths of the pieces
	out    bytes.Buffer
	until  time.Time
	closed bool
	done   chan struct{}
}

func newWire(in, cuts []byte) *wire {
	w := &wire{in: in, cuts: cuts, done: make(chan struct{})}
	w.turn = sync.NewCond(&w.mu)
	return w
}

// Read returns EOF as soon as everything was read, with one exception. While a handler works,
// net/http reads one byte without a deadline to notice that a caller leaves. That read waits for
// the handler.
func (w *wire) Read(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		switch {
		case w.closed:
			return 0, net.ErrClosed
		case !w.until.IsZero() && w.until.Before(time.Now()):
			return 0, os.ErrDeadlineExceeded
		case len(w.in) > 0:
			n := min(len(b), len(w.in))
			if len(w.cuts) > 0 {
				n = min(n, int(w.cuts[0])+1)
				w.cuts = w.cuts[1:]
			}
			n = copy(b, w.in[:n])
			w.in = w.in[n:]
			return n, nil
		case !w.until.IsZero() || len(b) > 1:
			return 0, io.EOF
		}
		w.turn.Wait()
	}
}

func (w *wire) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return 0, net.ErrClosed
	}
	return w.out.Write(b)
}

func (w *wire) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.closed = true
		close(w.done)
		w.turn.Broadcast()
	}
	return nil
}

func (w *wire) SetReadDeadline(t time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.until = t
	w.turn.Broadcast()
	return nil
}

func (w *wire) SetDeadline(t time.Time) error    { return w.SetReadDeadline(t) }
func (w *wire) SetWriteDeadline(time.Time) error { return nil }
func (w *wire) LocalAddr() net.Addr              { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }
func (w *wire) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9} }
func (w *wire) CloseWrite() error                { return nil }

// A plug is a listener that accepts the wires sent to it.
type plug struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPlug() *plug { return &plug{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *plug) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}
func (p *plug) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *plug) Addr() net.Addr { return &net.TCPAddr{} }

// talk plays a conversation and returns all answers.
func (p *plug) talk(t testing.TB, in, cuts []byte) []byte {
	t.Helper()
	w := newWire(in, cuts)
	p.conns <- w
	select {
	case <-w.done:
	case <-time.After(20 * time.Second):
		t.Fatalf("no end after %q", in)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Bytes()
}

// newServer returns a server with the time limits that a lane needs.
func newServer(handler http.Handler, limit time.Duration) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: limit, IdleTimeout: limit, WriteTimeout: limit, MaxHeaderBytes: 16 << 10,
		ErrorLog: log.New(io.Discard, "", 0),
	}
}

// sockets serve the same kit with and without the lane.
func sockets(t testing.TB, k *kit) (plain, laned *plug) {
	t.Helper()
	start := func(p *plug, lane bool) *plug {
		srv := newServer(k, time.Hour)
		var l net.Listener = p
		if lane {
			l = express.Listen(p, nil, srv, k.Find, k.Now)
		}
		go func() { _ = srv.Serve(l) }()
		t.Cleanup(func() { _ = srv.Close() })
		return p
	}
	return start(newPlug(), false), start(newPlug(), true)
}

// unequal matches headers that may differ between two answers to the same request.
var unequal = regexp.MustCompile(`(?m)^(Date|X-Request-Id): [^\r\n]*\r\n`)

const plainHead = " HTTP/1.1\r\nHost: localhost:8080\r\n"

// conversations are the fuzzer's seeds. The answers with and without the lane must be the same.
var conversations = []string{
	"GET /supply/jewel/totalsupply" + plainHead + "\r\n",
	"HEAD /supply/jewel/totalsupply" + plainHead + "\r\n",
	"GET /supply/" + plainHead + "Accept-Encoding: gzip, deflate, br\r\nUser-Agent: x/1 (y; z)\r\nAccept: */*\r\n\r\n",
	"GET /supply/jewel" + plainHead + "Accept-Encoding: zstd\r\nConnection: keep-alive\r\n\r\n",
	"GET /supply/jewel/evidence" + plainHead + "\r\n",
	"GET /supply/jewel/totalsupply" + plainHead + "If-None-Match: *\r\n\r\n",
	"GET /supply/jewel/totalsupply" + plainHead +
		"If-None-Match: \"a\", W/\"b\"\r\nIf-Modified-Since: Sun, 01 Nov 2026 01:30:00 GMT\r\n\r\n",
	"GET /supply/jewel/totalsupply" + plainHead + "If-Modified-Since: Sun, 01 Nov 2026 01:30:00 GMT\r\n\r\n",
	"GET /supply/jewel/totalsupply" + plainHead + "if-modified-since:\tnever \r\n\r\n",
	"GET /pets/token/1" + plainHead + "\r\n",
	"GET /pets/image/1" + plainHead + "If-None-Match: \"x\"\r\n\r\n",
	// documents of pets
	"GET /pets/token/2" + plainHead + "\r\nHEAD /pets/token/12" + plainHead + "\r\nGET /pets/token/3" + plainHead +
		"If-None-Match: *\r\n\r\n",
	"GET /pets/token/2" + plainHead + "If-Modified-Since: Sun, 01 Nov 2026 01:30:00 GMT\r\n\r\nGET /pets/token/2" +
		plainHead + "If-None-Match: \"a\"\r\n\r\n",
	strings.Repeat("GET /pets/token/2"+plainHead+"\r\nGET /pets/token/3"+plainHead+"\r\nGET /supply/jewel"+plainHead+"\r\n", 6),
	"GET /pets/token/2" + plainHead + "Accept-Encoding: gzip\r\n\r\nGET /pets/token/2" + plainHead +
		"Accept-Encoding: gzip;q=0, identity\r\n\r\n",
	"GET /pets/token/77" + plainHead + "\r\n" + strings.Repeat("GET /pets/token/2"+plainHead+"\r\n", 6),
	"GET /pets/token/02" + plainHead + "\r\nGET /pets/token/2/" + plainHead + "\r\nGET /pets/token/2?" + plainHead +
		"\r\nGET /pets/TOKEN/2" + plainHead + "\r\nGET /pets/token/" + plainHead + "\r\n",
	// pipelined, also with a request that the lane does not know
	"GET /supply/jewel" + plainHead + "\r\nGET /supply/jade" + plainHead + "\r\nGET /supply/gold" + plainHead +
		"\r\nGET /supply/jade" + plainHead + "\r\n",
	"GET /supply/jewel" + plainHead + "\r\nGET",
	"GET /supply/jewel" + plainHead + "\r\nGET /",
	"GET /supply/jewel" + plainHead + "\r\n\r\n\r\n",
	"GET /supply/jewel" + plainHead + "\r\n\r\n\r\nGET /supply/jewel" + plainHead + "\r\n",
	"GET /supply/jewel" + plainHead,
	"G", "", "\r\n", "GET", "GET /supply/jewel HTTP/1.1\r\n\r\n",
	// leaves the lane and comes back
	"GET /supply/gold" + plainHead + "\r\n" + strings.Repeat("GET /supply/jewel"+plainHead+"\r\n", 12),
	"GET /supply/gold" + plainHead + "\r\n" +
		strings.Repeat("GET /supply/jewel"+plainHead+"\r\nHEAD /pets/token/1"+plainHead+"If-None-Match: *\r\n\r\n", 6) +
		"GET /supply/gold" + plainHead + "\r\n" + strings.Repeat("GET /supply/jewel"+plainHead+"\r\n", 6) + "GET /sup",
	strings.Repeat("GET /supply/gold"+plainHead+"\r\nGET /supply/jewel"+plainHead+"Content-Length: 1\r\n\r\nx", 6),
	strings.Repeat("GET /supply/jewel"+plainHead+"Content-Length: 1\r\n\r\nx", 6) +
		"GET /supply/jewel HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /supply/jade" + plainHead + "\r\n",
	// other shapes
	"GET /supply/jewel HTTP/1.0\r\nHost: a\r\n\r\nGET /supply/jewel HTTP/1.0\r\n\r\n",
	"GET  /supply/jewel" + plainHead + "\r\n", "GET /supply/jewel  HTTP/1.1\r\nHost: a\r\n\r\n", " GET /supply/jewel" +
		plainHead + "\r\n",
	"get /supply/jewel" + plainHead + "\r\n", "POST /supply/jewel" + plainHead +
		"Content-Length: 3\r\n\r\nabcGET /supply/jewel" + plainHead + "\r\n",
	"GET http://localhost:8080/supply/jewel" + plainHead + "\r\n", "GET /supply/jewel#x" + plainHead + "\r\n",
	"GET /supply/jewel?" + plainHead + "\r\n",
	"GET /supply/jewel\nHost: a\n\n", "GET /supply/jewel HTTP/1.1\nHost: a\n\n",
	"GET /supply/jewel HTTP/1.1\r\nHost: a\n\r\n",
	"GET /supply/jewel HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET /supply/jewel HTTP/1.1\r\nHost:\r\n\r\n",
	"GET /supply/jewel HTTP/1.1\r\nHost: a b\r\n\r\n",
	"GET /supply/jewel HTTP/1.1\r\nHost : a\r\n\r\n", "GET /supply/jewel HTTP/1.1\r\n Host: a\r\n\r\n",
	"GET /supply/jewel HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
	"GET /supply/jewel" + plainHead + "X: a\rb\r\n\r\n", "GET /supply/jewel" + plainHead + "X: \x01\r\n\r\n",
	"GET /supply/jewel" + plainHead + "X: \xff\r\n\r\n", "GET /supply/jewel" + plainHead + "X\x00: 1\r\n\r\n",
	"GET /supply/jewel" + plainHead + ": 1\r\n\r\n", "GET /supply/jewel" + plainHead + "nocolon\r\n\r\n",
	// bodies and smuggling
	"GET /supply/jewel" + plainHead + "Content-Length: 5\r\n\r\nGET /GET /supply/jade" + plainHead + "\r\n",
	"GET /supply/jewel" + plainHead + "Content-Length: 0\r\n\r\nGET /supply/jade" + plainHead + "\r\n",
	"GET /supply/jewel" + plainHead + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
	"GET /supply/jewel" + plainHead + "Content-Length: +1\r\n\r\na", "GET /supply/jewel" + plainHead +
		"content-length : 1\r\n\r\na",
	"GET /supply/jewel" + plainHead + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /supply/jade" + plainHead + "\r\n",
	"GET /supply/jewel" + plainHead + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
	"GET /supply/jewel" + plainHead + "Transfer-Encoding: identity\r\n\r\n", "GET /supply/jewel" + plainHead +
		"Transfer-Encoding : chunked\r\n\r\n",
	"GET /supply/jewel" + plainHead + "Expect: 100-continue\r\n\r\n", "GET /supply/jewel" + plainHead +
		"Expect: x\r\n\r\n",
	"GET /supply/jewel" + plainHead + "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AA\r\n\r\n",
	"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	"GET /supply/jewel" + plainHead + "Trailer: X\r\n\r\n", "GET /supply/jewel" + plainHead + "TE: trailers\r\n\r\n",
	// connections
	"GET /supply/jewel" + plainHead + "Connection: close\r\n\r\nGET /supply/jade" + plainHead + "\r\n",
	"GET /supply/jewel" + plainHead + "Connection: keep-alive\r\n\r\nGET /supply/jade" + plainHead +
		"Connection: Close\r\n\r\n",
	"GET /supply/jewel HTTP/1.0\r\nHost: localhost:8080\r\nAccept-Encoding: gzip\r\n\r\n",
	"HEAD /pets/token/2 HTTP/1.0\r\nHost: localhost:8080\r\nConnection: close\r\n\r\n",
	"GET /supply/jewel HTTP/1.0\r\nHost: localhost:8080\r\nIf-None-Match: *\r\n\r\n",
	"GET /supply/jewel HTTP/1.0\r\nHost: localhost:8080\r\nConnection: keep-alive\r\n\r\nGET /supply/jade " +
		"HTTP/1.0\r\n\r\n",
	"GET /supply/jewel" + plainHead + "\r\nGET /supply/jade HTTP/1.0\r\nHost: localhost:8080\r\n\r\nGET /supply/jade" +
		plainHead + "\r\n",
	"GET /supply/jewel" + plainHead + "Connection: Keep-Alive\r\n\r\nGET /supply/jade" + plainHead + "\r\n",
	"GET /supply/jewel" + plainHead + "Connection: keep-alive\r\nConnection: close\r\n\r\nGET /supply/jade" + plainHead +
		"\r\n",
	"GET /supply/jewel" + plainHead + "Connection: keep-alive, close\r\n\r\nGET /supply/jade" + plainHead + "\r\n",
	// duplicates and names
	"GET /supply/jewel" + plainHead + "Accept-Encoding: gzip\r\nAccept-Encoding: zstd\r\n\r\n", "GET /supply/jewel" +
		plainHead + "If-None-Match: \"a\"\r\nIf-None-Match: *\r\n\r\n",
	"GET /supply/jewel" + plainHead + "If-None-Match:\r\n\r\n", "GET /supply/jewel" + plainHead +
		"Accept-Encoding:\r\n\r\n",
	"GET /supply/jewel" + plainHead + "X-Request-Id: mine\r\n\r\n", "GET /supply/jewel" + plainHead +
		"x_request_id: mine\r\n\r\n",
	"GET /supply/jewel" + plainHead + "Range: bytes=0-3\r\nIf-Match: \"x\"\r\nCookie: a=b\r\nPragma: no-cache\r\n\r\n",
	"GET /supply/jewel" + plainHead + "X: " + strings.Repeat("a", 5000) + "\r\n\r\n",
	"GET /" + strings.Repeat("a", 9000) + plainHead + "\r\n",
	"OPTIONS /supply/jewel" + plainHead + "\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET * HTTP/1.1\r\nHost: a\r\n\r\n",
}

// alike plays a conversation with and without the lane.
func alike(t *testing.T, plain, laned *plug, in, cuts []byte) {
	t.Helper()
	want := unequal.ReplaceAll(plain.talk(t, bytes.Clone(in), nil), nil)
	got := unequal.ReplaceAll(laned.talk(t, bytes.Clone(in), cuts), nil)
	if !bytes.Equal(want, got) {
		t.Errorf("%.300q in pieces of %v:\nnet/http: %.600q\nlane:     %.600q", in, cuts, want, got)
	}
}

// warmKit returns a kit that has everything in memory that the lane can answer.
func warmKit(t testing.TB, cfg Config) *kit {
	t.Helper()
	k := newKit(t, cfg)
	k.remember(20)
	k.get(k.petsTarget("/token/1"), "Accept-Encoding", "gzip")
	k.get(k.petsTarget("/image/1"))
	return k
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
	k := warmKit(f, oneHost())
	plain, laned := sockets(f, k)
	secure, securelyLaned := secureSockets(f, k)
	const hot = "GET /supply/jewel/totalsupply" + plainHead + "\r\n"
	for i, c := range conversations {
		f.Add([]byte(c), []byte{}, false)
		f.Add([]byte(c), bytes.Repeat([]byte{0}, len(c)), false)
		f.Add([]byte(c), bytes.Repeat([]byte{40}, 20), i%2 == 0)
		f.Add([]byte(c), []byte{3}, true)
	}
	list := oddRequests(f)
	for i, odd := range list {
		f.Add([]byte(odd), []byte{byte(i), byte(i >> 3)}, i%16 == 0)
		f.Add([]byte(hot+odd+hot), []byte{}, i%16 == 8)
		f.Add([]byte(odd+list[(7*i)%len(list)]), []byte{byte(3 * i)}, false)
	}
	f.Fuzz(func(t *testing.T, in, cuts []byte, tls bool) {
		if len(in) > 16<<10 {
			return // above that size net/http answers 431, and then waits half a second
		}
		if tls {
			secureAlike(t, secure, securelyLaned, string(in), cuts)
			return
		}
		alike(t, plain, laned, in, cuts)
	})
}
