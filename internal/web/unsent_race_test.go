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

// A watchedWriter counts large bodies that are being written.
type watchedWriter struct {
	http.ResponseWriter
	writing *atomic.Int64
}

func (w watchedWriter) Write(b []byte) (int, error) {
	if len(b) > 64<<10 {
		w.writing.Add(1)
		defer w.writing.Add(-1)
	}
	return w.ResponseWriter.Write(b)
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
	protocols  []string // protocols of the client; nil without TLS
	connection int      // requests of one connection
}{
	{"HTTP", nil, 1},
	{"TLS", []string{"http/1.1"}, 1},
	{"HTTP/2", []string{"h2"}, 16},
}

// A slowService is a kit that clients ask from 127.0.0.2, which then read nothing.
type slowService struct {
	*kit
	address       string
	protocols     []string
	connection    int
	writing, done atomic.Int64 // large bodies that are being written, and requests that are over
}

// serveSlowly serves a kit. An answer may take as long as the limit.
func serveSlowly(t *testing.T, protocols []string, connection int, limit time.Duration) *slowService {
	t.Helper()
	base, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cfg := oneHost()
	cfg.Unsent = 64 << 20 // one address may hold 4 MB of it
	s := &slowService{
		kit: newKit(t, cfg), address: base.Addr().String(), protocols: protocols, connection: connection}
	s.remember(100)
	server := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.done.Add(1)
		s.ServeHTTP(watchedWriter{w, &s.writing}, r)
	}), time.Minute)
	server.WriteTimeout = limit
	var secure *tls.Config
	if protocols != nil {
		secure = &tls.Config{Certificates: testCertificate(), NextProtos: []string{"h2", "http/1.1"}}
	}
	go server.Serve(express.Listen(tightListener{base}, secure, server, s.Find, s.Now))
	t.Cleanup(func() { server.Close() })
	return s
}

// ask sends the requests of one connection.
func (s *slowService) ask(t *testing.T) {
	t.Helper()
	c := dialFrom(t, "127.0.0.2", s.address, s.protocols...)
	if s.connection > 1 {
		askStreams(t, c, hundred(), s.connection)
		return
	}
	if _, err := io.WriteString(c, "GET "+hundred()+plainHead+"\r\n"); err != nil {
		t.Fatal(err)
	}
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
			s := serveSlowly(t, p.protocols, p.connection, time.Minute)
			s.get(hundred()) // warms up
			before := heapBytes()
			for range clients / p.connection {
				s.ask(t)
			}
			check.Await(t, "every request was answered or waits for its reader", func() bool {
				return s.writing.Load()+s.done.Load() >= clients
			})
			if held := heapBytes() - before; held > most {
				t.Errorf("%d answers that nobody reads hold %d kB", clients, held>>10)
			}
			if s.writing.Load() == 0 {
				t.Error("no answer waits for its reader")
			}
			transport := &http.Transport{
				ForceAttemptHTTP2: p.connection > 1, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
				DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.0.0.3")}}).DialContext,
			}
			defer transport.CloseIdleConnections()
			scheme := "http://"
			if p.protocols != nil {
				scheme = "https://"
			}
			for _, path := range []string{"/supply/jewel/totalsupply", "/pets/token/1", hundred()} {
				request, err := http.NewRequestWithContext(context.Background(), "GET", scheme+s.address+path, nil)
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
			s := serveSlowly(t, p.protocols, p.connection, 500*time.Millisecond)
			s.ask(t)
			check.Await(t, "the request's end", func() bool {
				return s.done.Load() >= int64(p.connection) && s.writing.Load() == 0
			})
			if n := s.counted(t, "petsupply_http_unsent_bytes"); n != 0 {
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
