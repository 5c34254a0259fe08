package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// endless is a connection on which the same request comes again and again.
type endless struct {
	net.Conn
	request []byte
	left    int
	written int
}

func (e *endless) Read(b []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	e.left--
	return copy(b, e.request), nil
}
func (e *endless) Write(b []byte) (int, error)      { e.written += len(b); return len(b), nil }
func (e *endless) Close() error                     { return nil }
func (e *endless) SetReadDeadline(time.Time) error  { return nil }
func (e *endless) SetWriteDeadline(time.Time) error { return nil }

func TestTheLaneAllocatesNothing(t *testing.T) {
	k := newKit(t, threeHosts())
	k.warm(t, "/token/1")
	lane := k.NewLane(newPlug(), LaneLimits{Header: time.Hour, Idle: time.Hour, Write: time.Hour})
	for _, head := range []string{
		"GET /jewel/totalsupply HTTP/1.1\r\nHost: supply.example.org\r\n\r\n",
		"HEAD /jewel/totalSupply HTTP/1.1\r\nHost: supply.example.org\r\nUser-Agent: x\r\n\r\n",
		"GET /jewel/totalsupply HTTP/1.1\r\nHost: supply.example.org\r\nIf-None-Match: *\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: supply.example.org\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\r\n",
		"GET /jewel HTTP/1.1\r\nHost: supply.example.org\r\nIf-Modified-Since: Sun, 01 Nov 2026 01:30:00 GMT\r\n\r\n",
		"GET /token/1 HTTP/1.1\r\nHost: pets.example.org\r\n\r\n",
	} {
		const each = 100
		conn := &endless{request: []byte(head)}
		before := k.answered()
		total := testing.AllocsPerRun(20, func() {
			conn.left = each
			c := &laneConn{Conn: conn, lane: lane}
			c.serve()
		})
		if got := k.answered() - before; got != 21*each {
			t.Errorf("%.40q: %v of %d requests were answered in the lane", head, got, 21*each)
		}
		// The connection itself and its memory of the host.
		if total > 4 {
			t.Errorf("%.40q: %v allocations for %d requests", head, total, each)
		}
	}
}

// serveLane serves a kit on a real socket and returns its parts.
func serveLane(t *testing.T, k *kit, limits LaneLimits) (*Lane, *http.Server, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	lane := k.NewLane(l, limits)
	srv := &http.Server{Handler: k.Handler(), ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = srv.Serve(lane) }()
	t.Cleanup(func() { _ = srv.Close() })
	return lane, srv, l.Addr().String()
}

func dial(t *testing.T, addr string) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	return c, bufio.NewReader(c)
}

// exchange sends text and reads one answer.
func exchange(t *testing.T, c net.Conn, r *bufio.Reader, text string) *http.Response {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatalf("%.60q: %v", text, err)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp
}

const figureRequest = "GET /supply/jewel/totalsupply HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"

func TestALaneShutsDownWithoutCuttingAnyoneOff(t *testing.T) {
	k := newKit(t, oneHost())
	lane, srv, addr := serveLane(t, k, LaneLimits{Header: 10 * time.Second, Idle: 10 * time.Second})
	resting, restingReader := dial(t, addr)
	exchange(t, resting, restingReader, figureRequest)
	half, halfReader := dial(t, addr)
	exchange(t, half, halfReader, figureRequest)
	if _, err := io.WriteString(half, figureRequest[:30]); err != nil {
		t.Fatal(err)
	}
	other, otherReader := dial(t, addr)
	exchange(t, other, otherReader, figureRequest)
	if _, err := io.WriteString(other, "GET /supply/jewel/his"); err != nil {
		t.Fatal(err)
	}
	await(t, "the halves to arrive", func() bool { return lane.halves() == 2 })
	done := make(chan error, 1)
	go func() { done <- lane.Shutdown(t.Context()) }()
	if _, err := restingReader.ReadByte(); err != io.EOF {
		t.Errorf("a connection at rest: %v", err)
	}
	resp := exchange(t, half, halfReader, figureRequest[30:])
	if resp.StatusCode != 200 || !resp.Close {
		t.Errorf("a request that was half read: %d, close %v", resp.StatusCode, resp.Close)
	}
	resp = exchange(t, other, otherReader, "tory?points=2 HTTP/1.1\r\nHost: localhost:8080\r\n\r\n")
	if resp.StatusCode != 200 {
		t.Errorf("a request for the server behind: %d", resp.StatusCode)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := srv.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", addr); err == nil {
		t.Error("still accepting")
	}
}

// halves is how many connections wait for the rest of a request.
func (l *Lane) halves() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		if waiting(c.waits.Load()) == rest {
			n++
		}
	}
	return n
}

// await waits for a condition, not for a time.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !ok(); {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestALaneHasTimeouts(t *testing.T) {
	k := newKit(t, oneHost())
	_, _, addr := serveLane(t, k, LaneLimits{Header: 50 * time.Millisecond, Idle: 50 * time.Millisecond})
	silent, silentReader := dial(t, addr)
	_ = silent
	slow, slowReader := dial(t, addr)
	if _, err := io.WriteString(slow, figureRequest[:20]); err != nil {
		t.Fatal(err)
	}
	idle, idleReader := dial(t, addr)
	exchange(t, idle, idleReader, figureRequest)
	for what, r := range map[string]*bufio.Reader{"silent": silentReader, "slow": slowReader, "idle": idleReader} {
		if _, err := r.ReadByte(); err != io.EOF {
			t.Errorf("a %s connection: %v", what, err)
		}
	}
}

func TestALaneThatIsStuckIsCutOffInTheEnd(t *testing.T) {
	k := newKit(t, oneHost())
	lane, _, addr := serveLane(t, k, LaneLimits{})
	c, r := dial(t, addr)
	exchange(t, c, r, figureRequest)
	if _, err := io.WriteString(c, "GET /supp"); err != nil {
		t.Fatal(err)
	}
	await(t, "half a request", func() bool { return lane.halves() == 1 })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := lane.Shutdown(ctx); err == nil {
		t.Error("shut down while a request was half read")
	}
	if _, err := r.ReadByte(); err == nil {
		t.Error("still open")
	}
}

// While requests are logged, all of them are.
func TestALoggedServerHasNoLane(t *testing.T) {
	var lines countingWriter
	cfg := oneHost()
	cfg.Log = slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug}))
	k := newKit(t, cfg)
	_, _, addr := serveLane(t, k, LaneLimits{})
	c, r := dial(t, addr)
	for range 3 {
		exchange(t, c, r, figureRequest)
	}
	await(t, "three lines", func() bool { return lines.count() == 3 })
	if k.answered() != 0 {
		t.Error("answered without a line in the log")
	}
}

type countingWriter struct {
	mu sync.Mutex
	n  int
}

func (w *countingWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	return len(b), nil
}

func (w *countingWriter) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n
}

func TestManyCallersInTheLane(t *testing.T) {
	k := newKit(t, oneHost())
	_, _, addr := serveLane(t, k, LaneLimits{Header: 10 * time.Second, Idle: 10 * time.Second, Write: 10 * time.Second})
	want := k.get("/supply/jewel/totalsupply").Body.String()
	var all sync.WaitGroup
	faults := make(chan error, 100)
	for range 8 {
		all.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			for i := range 50 {
				resp, err := client.Get(fmt.Sprintf("http://%s/supply/jewel/totalsupply", addr))
				if err != nil {
					faults <- err
					return
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || string(body) != want {
					faults <- fmt.Errorf("request %d: %q, %w", i, body, err)
				}
			}
			client.CloseIdleConnections()
		})
	}
	all.Wait()
	close(faults)
	for err := range faults {
		t.Error(err)
	}
	if k.answered() < 400 {
		t.Errorf("only %v of 400 were answered in the lane", k.answered())
	}
}

func TestAConnectionComesBackIntoTheLane(t *testing.T) {
	k := newKit(t, oneHost())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	lane := k.NewLane(l, LaneLimits{Header: 10 * time.Second, Idle: 10 * time.Second, Write: 10 * time.Second})
	srv := &http.Server{Handler: k.Handler(), ConnContext: lane.ConnContext}
	go func() { _ = srv.Serve(lane) }()
	t.Cleanup(func() { _ = srv.Close() })
	c, r := dial(t, l.Addr().String())
	for round := range 3 {
		before := k.answered()
		if resp := exchange(t, c, r, "GET /supply/gold HTTP/1.1\r\nHost: a\r\n\r\n"); resp.StatusCode != 404 {
			t.Fatal(resp.Status)
		}
		for i := range 10 {
			if resp := exchange(t, c, r, figureRequest); resp.StatusCode != 200 {
				t.Fatalf("round %d, request %d: %s", round, i, resp.Status)
			}
		}
		if got := k.answered() - before; got != 10-backAfter+1 {
			t.Errorf("round %d: %v answers in the lane", round, got)
		}
	}
}
