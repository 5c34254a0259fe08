package express

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/testkit/check"
)

const (
	figure        = "12345.678"
	figureRequest = "GET /figure HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"
)

// A service has one figure in the lane. Behind it, net/http answers everything else.
type service struct {
	found   atomic.Int64
	entered chan struct{} // /slow has begun
	release chan struct{} // /slow ends
}

func (f *service) find(q *Request) (head, body []byte) {
	switch q.Target {
	case "/figure":
		f.found.Add(1)
		return []byte("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nDate: "), []byte(figure)
	case "/large":
		return []byte("HTTP/1.1 200 OK\r\nContent-Length: 65536\r\nDate: "), make([]byte, 64<<10)
	}
	return nil, nil
}

func (f *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/slow":
		f.entered <- struct{}{}
		<-f.release
	case "/body":
		if _, err := io.ReadAll(r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	_, _ = io.WriteString(w, "net/http answers "+r.URL.Path)
}

// A fixture is a lane on pipes with its server.
type fixture struct {
	*service
	pipes  *check.Pipes
	lane   *Lane
	server *http.Server
}

func newServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0),
	}
}

// serve serves on pipes until the test ends.
func serve(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{
		service: &service{entered: make(chan struct{}, 1), release: make(chan struct{})},
		pipes:   check.NewPipes(),
	}
	f.server = newServer(f.service)
	f.lane = Listen(f.pipes, nil, f.server, f.find, time.Now)
	go func() { _ = f.server.Serve(f.lane) }()
	t.Cleanup(func() { _ = f.server.Close() })
	return f
}

// A client is one end of a connection.
type client struct {
	net.Conn
	*testing.T
	answers *bufio.Reader
}

func newClient(t *testing.T, c net.Conn) *client {
	t.Cleanup(func() { _ = c.Close() })
	return &client{Conn: c, T: t, answers: bufio.NewReader(c)}
}

func (f *fixture) dial(t *testing.T) *client {
	c, _ := f.pipes.Dial(t, math.MaxInt)
	return newClient(t, c)
}

// send writes text from another goroutine, because a pipe has no buffer.
func (c *client) send(text string) {
	go func() { _, _ = io.WriteString(c.Conn, text) }()
}

// expect reads one answer and checks its body.
func (c *client) expect(body string) *http.Response {
	c.Helper()
	resp, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		c.Fatal(err)
	}
	got, err := io.ReadAll(resp.Body)
	if err != nil || string(got) != body {
		c.Fatalf("the body is %.50q, not %.50q: %v", got, body, err)
	}
	return resp
}

// expectEnd checks that the connection ends without another byte.
func (c *client) expectEnd() {
	c.Helper()
	if rest, err := io.ReadAll(c.answers); err != nil || len(rest) > 0 {
		c.Errorf("before its end the connection has %.100q, %v", rest, err)
	}
}

func request(target string) string { return "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n" }

func TestAConnectionComesBackIntoTheLane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		c := f.dial(t)
		for range 3 {
			c.send(figureRequest)
			c.expect(figure)
			c.send(request("/other"))
			c.expect("net/http answers /other")
			synctest.Wait()
		}
		c.send(figureRequest)
		c.expect(figure)
		if n := f.found.Load(); n != 4 {
			t.Errorf("the lane answered %d of 4", n)
		}
	})
}

// While a handler runs, net/http reads one byte ahead. It must not get the answers of the lane first,
// and the request that begins with this byte must not get lost.
func TestRequestsDuringAHandlerWaitForItsAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		c := f.dial(t)
		for range 2 {
			c.send(request("/slow"))
			<-f.entered
			c.send(figureRequest)
			synctest.Wait()
			f.release <- struct{}{}
			c.expect("net/http answers /slow")
			c.expect("net/http answers /figure")
			synctest.Wait()
			c.send(figureRequest)
			c.expect(figure)
		}
		if n := f.found.Load(); n != 2 {
			t.Errorf("the lane answered %d of 2", n)
		}
	})
}

func TestWhatFollowsARequestForNetHTTPIsForNetHTTPToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		c := f.dial(t)
		c.send(figureRequest + request("/other") + figureRequest + figureRequest)
		for _, want := range []string{figure, "net/http answers /other", "net/http answers /figure",
			"net/http answers /figure"} {
			c.expect(want)
		}
		c.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: " + fmt.Sprint(len(figureRequest)) + "\r\n\r\n" +
			figureRequest + figureRequest)
		c.expect("net/http answers /body")
		c.expect("net/http answers /figure")
	})
}

// net/http counts the ReadTimeout of its first request from the beginning of the connection.
func TestALateRequestHasItsWholeReadTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		c := f.dial(t)
		for range 10 {
			c.send(figureRequest)
			c.expect(figure)
			time.Sleep(4 * time.Second)
		}
		begin := time.Now()
		c.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na")
		time.Sleep(10 * time.Second)
		c.send("b")
		c.expect("net/http answers /body")
		if took := time.Since(begin); took != 10*time.Second {
			t.Errorf("it took %v", took)
		}
		// A body that takes longer is cut off at the usual time.
		late := f.dial(t)
		late.send(figureRequest)
		late.expect(figure)
		time.Sleep(time.Minute)
		begin = time.Now()
		late.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na")
		if resp, err := http.ReadResponse(late.answers, nil); err != nil || resp.StatusCode != http.StatusBadRequest {
			t.Errorf("a body that does not come: %v, %v", resp, err)
		}
		if took := time.Since(begin); took != 15*time.Second {
			t.Errorf("it was cut off after %v", took)
		}
	})
}

func TestTheTimeoutsOfTheServerHoldInTheLane(t *testing.T) {
	for _, c := range []struct {
		name, before, then string
		want               time.Duration
	}{
		{"silent", "", "", 5 * time.Second},
		{"a first request that does not end", "", "GET /fig HTTP/1.1\r\n", 5 * time.Second},
		{"idle", figureRequest, "", 2 * time.Minute},
		{"a later request that does not end", figureRequest, "GET /fig HTTP/1.1\r\n", 5 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn := serve(t).dial(t)
				if c.before != "" {
					conn.send(c.before)
					conn.expect(figure)
				}
				begin := time.Now()
				conn.send(c.then)
				conn.expectEnd()
				if took := time.Since(begin); took != c.want {
					t.Errorf("it ended after %v, not %v", took, c.want)
				}
			})
		})
	}
}

func TestAReaderWhoDoesNotReadIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t).dial(t)
		begin := time.Now()
		_, _ = io.WriteString(c.Conn, request("/large"))
		_, err := io.WriteString(c.Conn, figureRequest) // nobody reads it before the answer was taken
		if took := time.Since(begin); err == nil || took != 30*time.Second {
			t.Errorf("the connection ended after %v: %v", took, err)
		}
	})
}

// net/http ignores the end of a connection in the first bytes of a request, except of the first one.
func TestTheBeginningOfARequestIsNoBadRequest(t *testing.T) {
	for before, want := range map[string]string{"": "HTTP/1.1 400", figureRequest: ""} {
		for _, text := range []string{"G", "GET", "\r\n"} {
			synctest.Test(t, func(t *testing.T) {
				half, _ := serve(t).pipes.Dial(t, len(before)+len(text))
				c := newClient(t, half)
				c.send(before + text)
				if before != "" {
					c.expect(figure)
				}
				rest, err := io.ReadAll(c.answers)
				if err != nil || !strings.HasPrefix(string(rest), want) || want == "" && len(rest) > 0 {
					t.Errorf("%q after %q: %q, %v", text, before, rest, err)
				}
			})
		}
	}
}

// net/http closes one half of the connection after a 431, and then waits. So the client gets the
// answer, although it is still sending.
func TestNetHTTPCanCloseOneHalf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		half, halved := serve(t).pipes.Dial(t, math.MaxInt)
		c := newClient(t, half)
		c.send("GET / HTTP/1.1\r\nX: " + strings.Repeat("x", 64<<10))
		if resp, err := http.ReadResponse(c.answers, nil); err != nil || resp.StatusCode != 431 {
			t.Fatalf("%v, %v", resp, err)
		}
		synctest.Wait()
		if !halved.Load() {
			t.Error("the connection was not closed by half")
		}
		time.Sleep(time.Second) // until net/http closes the rest
	})
}

// stop stops the server as the program does.
func (f *fixture) stop(t *testing.T) <-chan error {
	done := make(chan error, 1)
	f.lane.Drain()
	go func() {
		for !f.lane.Drained() {
			time.Sleep(time.Millisecond)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		done <- f.server.Shutdown(ctx)
	}()
	return done
}

func TestAShutdownAnswersWhatHasArrived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		young := f.dial(t)
		resting := f.dial(t)
		resting.send(figureRequest)
		resting.expect(figure)
		left := f.dial(t) // net/http has this one for good
		left.send(request("/other") + request("/other"))
		left.expect("net/http answers /other")
		left.expect("net/http answers /other")
		busy := f.dial(t)
		busy.send(request("/large"))
		slow := f.dial(t)
		slow.send(request("/slow"))
		<-f.entered
		inTheLane := f.dial(t)
		behindIt := f.dial(t)
		for _, c := range []*client{inTheLane, behindIt} {
			c.send(figureRequest)
			c.expect(figure)
		}
		synctest.Wait()
		begin := time.Now()
		done := f.stop(t)
		// These requests are read just after the shutdown has begun.
		inTheLane.send(figureRequest)
		behindIt.send(request("/other"))
		left.send(request("/other"))
		if resp := inTheLane.expect(figure); !resp.Close {
			t.Error("the connection in the lane stays open")
		}
		if resp := behindIt.expect("net/http answers /other"); !resp.Close {
			t.Error("the connection behind the lane stays open")
		}
		left.expect("net/http answers /other")
		for _, c := range []*client{young, resting, left, inTheLane, behindIt} {
			c.expectEnd()
		}
		if took := time.Since(begin); took > time.Second {
			t.Errorf("idle connections ended after %v", took)
		}
		time.Sleep(time.Second)
		busy.expect(string(make([]byte, 64<<10)))
		f.release <- struct{}{}
		slow.expect("net/http answers /slow")
		if err := <-done; err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("the shutdown took %v", took)
		}
	})
}

// A client that does not finish its handshake delays neither others nor the end.
func TestHandshakesDoNotWaitForEachOther(t *testing.T) {
	base, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	model := httptest.NewUnstartedServer(nil) // has a certificate
	model.StartTLS()
	t.Cleanup(model.Close)
	f := new(service)
	server := newServer(f)
	server.ReadHeaderTimeout = time.Hour // of the handshake too
	lane := Listen(base, &tls.Config{Certificates: model.TLS.Certificates}, server, f.find, time.Now)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(lane) }()
	silent, err := net.Dial("tcp", base.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	secure, err := tls.Dial("tcp", base.Addr().String(), &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, secure)
	c.send(figureRequest)
	c.expect(figure)
	_ = server.Close()
	if err := <-ended; err != http.ErrServerClosed {
		t.Errorf("the server ended with %v", err)
	}
	_ = silent.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := silent.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the silent connection ended with %v", err)
	}
	if f.found.Load() != 1 {
		t.Error("the lane did not answer over TLS")
	}
}

func TestManyCallersInTheLane(t *testing.T) {
	base, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := new(service)
	server := newServer(f)
	go func() { _ = server.Serve(Listen(base, nil, server, f.find, time.Now)) }()
	t.Cleanup(func() { _ = server.Close() })
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			callers := &http.Client{Transport: transport}
			for i := range 60 {
				target := "/figure"
				want := figure
				if i%3 == 0 {
					target = "/other"
					want = "net/http answers /other"
				}
				resp, err := callers.Get("http://" + base.Addr().String() + target)
				if err != nil {
					t.Error(err)
					return
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				late := target == "/figure" && string(body) == "net/http answers /figure" // it began during /other
				if err != nil || string(body) != want && !late {
					t.Errorf("request %d: %q, %v", i, body, err)
				}
			}
		})
	}
	all.Wait()
	if n := f.found.Load(); n < 8*40/2 {
		t.Errorf("the lane answered only %d of %d", n, 8*40)
	}
}
