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
			secureAlike(t, secure, securelyLaned, string(in), cuts)
			return
		}
		alike(t, plain, laned, in, cuts)
	})
}
