package web

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"petsupply/internal/web/express"
	"petsupply/testkit/check"
)

// A tightListener gives the kernel small buffers for answers, so that a client that reads nothing
// is noticed soon.
type tightListener struct{ net.Listener }

func (l tightListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		_ = c.(*net.TCPConn).SetWriteBuffer(4 << 10)
	}
	return c, err
}

// A watchedHandler counts large bodies that are being written, and finished requests.
type watchedHandler struct {
	http.Handler
	writing, done atomic.Int64
}

type watchedWriter struct {
	http.ResponseWriter
	handler *watchedHandler
}

func (w watchedWriter) Write(b []byte) (int, error) {
	if len(b) > 64<<10 {
		w.handler.writing.Add(1)
		defer w.handler.writing.Add(-1)
	}
	return w.ResponseWriter.Write(b)
}

func (w watchedWriter) FlushError() error {
	w.handler.writing.Add(1)
	defer w.handler.writing.Add(-1)
	return http.NewResponseController(w.ResponseWriter).Flush()
}

func (w watchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (h *watchedHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer h.done.Add(1)
	h.Handler.ServeHTTP(watchedWriter{w, h}, r)
}

// dialFrom dials from an address of this machine, over TLS if protocols are given.
func dialFrom(t *testing.T, from, to string, protocols ...string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := dialer.Dial("tcp", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
	if protocols == nil {
		return c
	}
	secure := tls.Client(c, &tls.Config{InsecureSkipVerify: true, NextProtos: protocols})
	if err := secure.Handshake(); err != nil {
		t.Fatal(err)
	}
	return secure
}

// askOnly sends a request over HTTP/1.1 and reads nothing.
func askOnly(t *testing.T, c net.Conn, path string) {
	t.Helper()
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
}

// askStreams sends n requests over HTTP/2, with flow-control windows that allow no body.
func askStreams(t *testing.T, c net.Conn, path string, n int) {
	t.Helper()
	framer := http2.NewFramer(c, c)
	_, err := io.WriteString(c, http2.ClientPreface)
	if err == nil {
		err = framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
	}
	var head strings.Builder
	encoder := hpack.NewEncoder(&head)
	for i := 0; i < n && err == nil; i++ {
		head.Reset()
		for _, f := range [][2]string{{":method", "GET"}, {":scheme", "https"}, {":authority", "localhost:8080"},
			{":path", path}} {
			_ = encoder.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]})
		}
		err = framer.WriteHeaders(http2.HeadersFrameParam{
			StreamID: uint32(2*i + 1), BlockFragment: []byte(head.String()), EndStream: true, EndHeaders: true})
	}
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, c) // reads only frames of the connection, because bodies have no window
}

// slowProtocols are the ways to send requests without reading answers.
var slowProtocols = []struct {
	name       string
	lane, tls  bool
	protocols  []string // protocols of the client
	connection int      // requests of one connection
}{
	{"lane", true, false, nil, 1},
	{"net/http", false, false, nil, 1},
	{"lane with TLS", true, true, []string{"http/1.1"}, 1},
	{"TLS", false, true, []string{"http/1.1"}, 1},
	{"HTTP/2", true, true, []string{"h2"}, 16},
}

// serveSlowly serves a kit and returns its address and the handler.
func serveSlowly(t *testing.T, k *kit, lane, secure bool, limit time.Duration) (string, *watchedHandler) {
	t.Helper()
	base, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var listener net.Listener = tightListener{base}
	var config *tls.Config
	if secure {
		config = &tls.Config{Certificates: testCertificate(), NextProtos: []string{"h2", "http/1.1"}}
	}
	handler := &watchedHandler{Handler: k}
	server := newServer(handler, time.Minute)
	server.WriteTimeout = limit
	switch {
	case lane:
		listener = express.Listen(listener, config, server, k.Find, k.Now)
	case secure:
		listener = tls.NewListener(listener, config)
	}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	return base.Addr().String(), handler
}

// hundred returns a request target for the documents of a hundred pets, about 300 kB.
func hundred() string {
	ids := make([]string, 100)
	for i := range ids {
		ids[i] = fmt.Sprint(i + 1)
	}
	return "/pets/tokens?ids=" + strings.Join(ids, ",")
}

func heapBytes() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestSlowReadersHoldLittle: a client that requests large answers and reads none of them holds no
// more memory than its share, and others are answered meanwhile.
func TestSlowReadersHoldLittle(t *testing.T) {
	const clients, most = 96, 12 << 20
	for _, p := range slowProtocols {
		t.Run(p.name, func(t *testing.T) {
			cfg := oneHost()
			cfg.Unsent = 64 << 20 // one address may hold 4 MB of it
			k := newKit(t, cfg)
			k.remember(100)
			addr, handler := serveSlowly(t, k, p.lane, p.tls, time.Minute)
			k.get(hundred()) // warms up
			before := heapBytes()
			for range clients / p.connection {
				c := dialFrom(t, "127.0.0.2", addr, p.protocols...)
				if p.connection > 1 {
					askStreams(t, c, hundred(), p.connection)
				} else {
					askOnly(t, c, hundred())
				}
			}
			check.Await(t, "every request was answered or waits for its reader", func() bool {
				return handler.writing.Load()+handler.done.Load() >= clients
			})
			if held := heapBytes() - before; held > most {
				t.Errorf("%d answers that nobody reads hold %d kB", clients, held>>10)
			}
			if handler.writing.Load() == 0 {
				t.Error("no answer waits for its reader")
			}
			transport := &http.Transport{
				ForceAttemptHTTP2: p.connection > 1, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
				DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.0.0.3")}}).DialContext,
			}
			defer transport.CloseIdleConnections()
			scheme := "http://"
			if p.tls {
				scheme = "https://"
			}
			for _, path := range []string{"/supply/jewel/totalsupply", "/pets/token/1", hundred()} {
				request, err := http.NewRequestWithContext(context.Background(), "GET", scheme+addr+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				request.Host = "localhost:8080"
				resp, err := transport.RoundTrip(request)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != 200 {
					t.Errorf("%.40s for another address: %s, %v", path, resp.Status, err)
				}
				resp.Body.Close()
			}
		})
	}
}

// TestABodyThatIsNotTakenEndsItsStream: the memory of an answer that nobody reads is released after
// its time limit, although the client stays.
func TestABodyThatIsNotTakenEndsItsStream(t *testing.T) {
	for _, p := range slowProtocols {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			cfg := oneHost()
			cfg.Unsent = 64 << 20
			k := newKit(t, cfg)
			k.remember(100)
			addr, handler := serveSlowly(t, k, p.lane, p.tls, 500*time.Millisecond)
			c := dialFrom(t, "127.0.0.2", addr, p.protocols...)
			if p.connection > 1 {
				askStreams(t, c, hundred(), p.connection)
			} else {
				askOnly(t, c, hundred())
			}
			check.Await(t, "the request's end", func() bool {
				return handler.done.Load() >= int64(p.connection) && handler.writing.Load() == 0
			})
			if n := k.counted(t, "petsupply_http_unsent_bytes"); n != 0 {
				t.Errorf("%v bytes are still reserved", n)
			}
		})
	}
}

// TestRefusalsOfMemory: when the budget is used up, an answer that needs memory is refused with
// 503. A prepared answer is not.
func TestRefusalsOfMemory(t *testing.T) {
	cfg := oneHost()
	cfg.Unsent = 1 // byte
	k := newKit(t, cfg)
	k.remember(3)
	for path, status := range map[string]int{
		"/supply/jewel/totalsupply": http.StatusOK, "/supply/jewel": http.StatusOK, "/supply/JEWEL/": http.StatusOK,
		"/pets/tokens?ids=1,2": http.StatusServiceUnavailable, "/pets/tokens?limit=5": http.StatusServiceUnavailable,
		"/pets/image/1": http.StatusServiceUnavailable, "/pets/changes": http.StatusServiceUnavailable,
		"/supply/jewel/history": http.StatusServiceUnavailable, "/supply/jewel/proof": http.StatusServiceUnavailable,
	} {
		w := k.get(path)
		if w.Code != status || (w.Header().Get("Retry-After") == "5") != (status != http.StatusOK) {
			t.Errorf("%s: %d %v, not %d", path, w.Code, w.Header(), status)
		}
	}
	if n := k.counted(t, "petsupply_http_unsent_bytes"); n != 0 {
		t.Errorf("%v bytes are still reserved", n)
	}
	if n := k.counted(t, "petsupply_http_refused_total", "memory"); n != 6 {
		t.Errorf("%v refusals were counted", n)
	}
}
