package express

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// figures is an owner with one answer. It is also the handler behind its lane.
type figures struct {
	answer                     *Answer
	answered, handed, panicked atomic.Int64
	reserved                   atomic.Int64  // bytes
	refuse                     atomic.Bool   // reports that there is no more memory
	waits, noticed             chan struct{} // /silent and /late begin to wait, and continue
}

const figure = "12345.678"

func newFigures() *figures {
	common := "Etag: \"a\"\r\nDate: "
	return &figures{waits: make(chan struct{}), noticed: make(chan struct{}), answer: &Answer{
		Head:    []byte("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Type: text/plain\r\n" + common),
		Head304: []byte("HTTP/1.1 304 Not Modified\r\n" + common),
		ETag:    []byte(`"a"`), Body: []byte(figure),
	}}
}

func (f *figures) Lookup(ctx context.Context, q *Request) (*Answer, bool) {
	switch q.Target {
	case "/figure":
		return f.answer, false
	case "/slow":
		if !q.Wait {
			return nil, true
		}
		return f.answer, false
	case "/silent":
		if !q.Wait {
			return nil, true
		}
		f.waits <- struct{}{}
		<-ctx.Done()
		f.noticed <- struct{}{}
		return nil, false
	case "/late":
		if !q.Wait {
			return nil, true
		}
		f.waits <- struct{}{}
		f.noticed <- struct{}{}
		return f.answer, false
	case "/panic":
		panic("a defect")
	}
	return nil, false
}

func (f *figures) Answered(*Answer, int, time.Duration) { f.answered.Add(1) }

func (f *figures) Reserve(_ net.Addr, n int) bool {
	if f.refuse.Load() {
		return false
	}
	f.reserved.Add(int64(n))
	return true
}
func (f *figures) Release(_ net.Addr, n int) { f.reserved.Add(-int64(n)) }

func (f *figures) HandedOn()    { f.handed.Add(1) }
func (f *figures) Panicked(any) { f.panicked.Add(1) }

func (f *figures) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/figure":
		if CanReturn(r) && Return(w, r, f.answer, http.StatusOK, time.Now()) {
			return
		}
	case "/history":
		ResetStreak(r)
	default:
		ResetStreak(r)
		http.NotFound(w, r)
		return
	}
	_, _ = io.WriteString(w, figure)
}

func (f *figures) newLane(l net.Listener, limits Limits) *Lane {
	return New(l, nil, f, limits, time.Now)
}

// A repeatConn is a connection on which the same request comes again and again.
type repeatConn struct {
	net.Conn
	request []byte
	left    int
}

func (c *repeatConn) Read(b []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	c.left--
	return copy(b, c.request), nil
}
func (c *repeatConn) Write(b []byte) (int, error)      { return len(b), nil }
func (c *repeatConn) Close() error                     { return nil }
func (c *repeatConn) RemoteAddr() net.Addr             { return nil }
func (c *repeatConn) SetReadDeadline(time.Time) error  { return nil }
func (c *repeatConn) SetWriteDeadline(time.Time) error { return nil }

func TestARequestAllocatesNothing(t *testing.T) {
	f := newFigures()
	lane := f.newLane(nil, Limits{Header: time.Hour, Idle: time.Hour, Write: time.Hour})
	for _, head := range []string{
		"GET /figure HTTP/1.1\r\nHost: a\r\n\r\n",
		"HEAD /figure HTTP/1.1\r\nHost: a\r\nUser-Agent: x\r\n\r\n",
		"GET /figure HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n",
		"GET /figure HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\r\n",
		"GET /figure HTTP/1.1\r\nHost: a\r\nIf-Modified-Since: Sun, 01 Nov 2026 01:30:00 GMT\r\n\r\n",
	} {
		const each = 100
		base := &repeatConn{request: []byte(head)}
		before := f.answered.Load()
		total := testing.AllocsPerRun(20, func() {
			base.left = each
			newConn(base, lane).serve()
		})
		if got := f.answered.Load() - before; got != 21*each {
			t.Errorf("%.40q: %v of %d requests were answered in the lane", head, got, 21*each)
		}
		if total > 2 { // one for the connection, and one for the Date of a new second
			t.Errorf("%.40q: %v allocations for %d requests", head, total, each)
		}
	}
}

func BenchmarkLane(b *testing.B) {
	f := newFigures()
	base := &repeatConn{request: []byte(figureRequest), left: b.N}
	c := newConn(base, f.newLane(nil, Limits{}))
	b.ReportAllocs()
	b.ResetTimer()
	c.serve()
}

// serve serves f on a real socket and returns its parts.
func serve(t *testing.T, f *figures, limits Limits) (*Lane, *http.Server, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	lane := f.newLane(l, limits)
	srv := &http.Server{Handler: f, ReadHeaderTimeout: 5 * time.Second, ConnContext: lane.ConnContext}
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
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	return c, bufio.NewReader(c)
}

// A pipes is a listener for connections in memory, so that tests of timeouts can have their own
// clock.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return nil }

func (p *pipes) dial(t *testing.T) (net.Conn, *bufio.Reader) {
	client, server := net.Pipe()
	t.Cleanup(func() { _ = client.Close() })
	p.conns <- server
	return client, bufio.NewReader(client)
}

// serve serves f on pipes.
func (p *pipes) serve(t *testing.T, f *figures, limits Limits, now func() time.Time) (*Lane, *http.Server) {
	lane := New(p, nil, f, limits, now)
	srv := &http.Server{Handler: f, ConnContext: lane.ConnContext}
	go func() { _ = srv.Serve(lane) }()
	t.Cleanup(func() { _ = srv.Close() })
	return lane, srv
}

// send writes text and fails the test if that fails.
func send(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
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

const figureRequest = "GET /figure HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"

func TestALaneShutsDownWithoutCuttingAnyoneOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, base := newFigures(), newPipes()
		lane, srv := base.serve(t, f, Limits{Header: 10 * time.Second, Idle: 10 * time.Second}, time.Now)
		resting, restingReader := base.dial(t)
		exchange(t, resting, restingReader, figureRequest)
		half, halfReader := base.dial(t)
		exchange(t, half, halfReader, figureRequest)
		send(t, half, figureRequest[:30])
		other, otherReader := base.dial(t)
		exchange(t, other, otherReader, figureRequest)
		send(t, other, "GET /his")
		synctest.Wait()
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
		if _, err := base.Accept(); err == nil {
			t.Error("the listener still accepts after the shutdown")
		}
	})
}

func TestALaneHasTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := newPipes()
		base.serve(t, newFigures(), Limits{Header: time.Second, Idle: time.Second}, time.Now)
		_, silentReader := base.dial(t)
		slow, slowReader := base.dial(t)
		send(t, slow, figureRequest[:20])
		idle, idleReader := base.dial(t)
		exchange(t, idle, idleReader, figureRequest)
		begin := time.Now()
		for what, r := range map[string]*bufio.Reader{"silent": silentReader, "slow": slowReader, "idle": idleReader} {
			if _, err := r.ReadByte(); err != io.EOF {
				t.Errorf("a %s connection: %v", what, err)
			}
		}
		if took := time.Since(begin); took != time.Second {
			t.Errorf("closed after %v", took)
		}
	})
}

func TestALaneThatIsStuckIsCutOffInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := newPipes()
		lane, _ := base.serve(t, newFigures(), Limits{}, time.Now)
		c, r := base.dial(t)
		exchange(t, c, r, figureRequest)
		send(t, c, "GET /supp")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := lane.Shutdown(ctx); err == nil {
			t.Error("shut down while a request was half read")
		}
		if _, err := r.ReadByte(); err == nil {
			t.Error("the connection is still open after the shutdown")
		}
	})
}

func TestManyCallersInTheLane(t *testing.T) {
	f := newFigures()
	_, _, addr := serve(t, f, Limits{Header: 10 * time.Second, Idle: 10 * time.Second, Write: 10 * time.Second})
	var all sync.WaitGroup
	faults := make(chan error, 100)
	for range 8 {
		all.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			for i := range 50 {
				resp, err := client.Get(fmt.Sprintf("http://%s/figure", addr))
				if err != nil {
					faults <- err
					return
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || string(body) != figure {
					faults <- fmt.Errorf("request %d: %q, %v", i, body, err)
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
	if f.answered.Load() < 400 {
		t.Errorf("only %v of 400 were answered in the lane", f.answered.Load())
	}
}

func TestAConnectionComesBackIntoTheLane(t *testing.T) {
	f := newFigures()
	_, _, addr := serve(t, f, Limits{Header: 10 * time.Second, Idle: 10 * time.Second, Write: 10 * time.Second})
	c, r := dial(t, addr)
	for round := range 3 {
		before := f.answered.Load()
		if resp := exchange(t, c, r, "GET /gold HTTP/1.1\r\nHost: a\r\n\r\n"); resp.StatusCode != 404 {
			t.Fatalf("the status is %s", resp.Status)
		}
		for i := range 10 {
			if resp := exchange(t, c, r, figureRequest); resp.StatusCode != 200 {
				t.Fatalf("round %d, request %d: %s", round, i, resp.Status)
			}
		}
		if got := f.answered.Load() - before; got != 10-returnAfter+1 {
			t.Errorf("round %d: %v answers in the lane", round, got)
		}
	}
}

func TestAPanicEndsItsConnectionOnly(t *testing.T) {
	f := newFigures()
	_, _, addr := serve(t, f, Limits{})
	c, r := dial(t, addr)
	if _, err := io.WriteString(c, "GET /panic HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ReadByte(); err == nil {
		t.Error("the connection is still open after a panic")
	}
	if f.panicked.Load() != 1 {
		t.Error("the panic was not reported")
	}
	c, r = dial(t, addr)
	if resp := exchange(t, c, r, figureRequest); resp.StatusCode != 200 {
		t.Errorf("afterwards %s", resp.Status)
	}
}

// eachSecond is a clock that moves to another second at every call, so that deadlines are set as
// often as possible.
func eachSecond() func() time.Time {
	var asked atomic.Int64
	return func() time.Time { return time.Unix(asked.Add(1), 0) }
}

func TestAPipelinerWhoseReadsEndMidRequestIsNotCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const header = 4 * time.Second
		f, base := newFigures(), newPipes()
		base.serve(t, f, Limits{Header: header, Idle: time.Minute}, eachSecond())
		c, r := base.dial(t)
		half, rest := figureRequest[:20], figureRequest[20:]
		exchange(t, c, r, figureRequest+half)
		for range 24 {
			time.Sleep(header / 8) // on the test's own clock
			if resp := exchange(t, c, r, rest+half); resp.StatusCode != 200 {
				t.Fatalf("the status is %s", resp.Status)
			}
		}
		begin := time.Now()
		var drip sync.WaitGroup
		drip.Go(func() { // a byte now and then does not extend the deadline
			for i := 0; ; i++ {
				if _, err := io.WriteString(c, "X-Slow: "[i%7:i%7+1]); err != nil {
					return
				}
				time.Sleep(header / 20)
			}
		})
		if _, err := r.ReadByte(); err == nil {
			t.Error("a head that drips was answered")
		}
		if took := time.Since(begin); took > header {
			t.Errorf("a head that drips ended after %v", took)
		}
		drip.Wait()
		if f.handed.Load() != 0 {
			t.Error("the connection left the lane")
		}
	})
}
