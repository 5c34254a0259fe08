package web

import (
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"petsupply/internal/web/express"
)

// A repeatConn is a connection on which the same request comes again and again.
type repeatConn struct {
	wire
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
func (c *repeatConn) Write(b []byte) (int, error)     { return len(b), nil }
func (c *repeatConn) Close() error                    { return nil }
func (c *repeatConn) SetReadDeadline(time.Time) error { return nil }
func (c *repeatConn) SetDeadline(time.Time) error     { return nil }

// repeat opens a lane, and returns a function that sends the same request many times on one
// connection.
func repeat(t testing.TB, k *kit, head string) func(times int) {
	t.Helper()
	p := newPlug()
	lane := express.Listen(p, nil, newServer(nil, time.Hour), k.Find, k.Now)
	conn := &repeatConn{request: []byte(head)}
	buffer := make([]byte, 4<<10)
	return func(times int) {
		conn.left = times
		go func() { p.conns <- conn }()
		c, err := lane.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(buffer); err != io.EOF {
			t.Fatalf("net/http has to answer: %v", err)
		}
	}
}

func TestTheLaneAllocatesNothing(t *testing.T) {
	k := newKit(t, threeHosts())
	k.remember(3)
	k.warm(t, "/image/1")
	k.warm(t, "/token/1", "Accept-Encoding", "gzip")
	for _, head := range []string{
		"GET /jewel/totalsupply HTTP/1.1\r\nHost: supply.example.org\r\n\r\n",
		"HEAD /jewel/totalSupply HTTP/1.1\r\nHost: supply.example.org\r\nUser-Agent: x\r\n\r\n",
		"GET /jewel/totalsupply HTTP/1.1\r\nHost: supply.example.org\r\nIf-None-Match: *\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: supply.example.org\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\r\n",
		"GET /jewel HTTP/1.1\r\nHost: supply.example.org\r\nIf-Modified-Since: Sun, 01 Nov 2026 01:30:00 GMT\r\n\r\n",
		"GET /image/1 HTTP/1.1\r\nHost: pets.example.org\r\n\r\n",
		"GET /token/1 HTTP/1.1\r\nHost: pets.example.org\r\nAccept-Encoding: gzip\r\n\r\n",
	} {
		const each = 100
		ask := repeat(t, k, head)
		before := k.answered()
		total := testing.AllocsPerRun(20, func() { ask(each) })
		if got := k.answered() - before; got != 21*each {
			t.Errorf("%.40q: %v of %d requests were answered in the lane", head, got, 21*each)
		}
		// Only the connection itself and its goroutine are allocated.
		if total > 6 {
			t.Errorf("%.40q: %v allocations for %d requests", head, total, each)
		}
	}
}

// If requests are logged, none of them is missing in the log.
func TestALoggedServerHasNoLane(t *testing.T) {
	lines := new(logBuffer)
	cfg := oneHost()
	cfg.Log = slog.New(slog.NewTextHandler(lines, &slog.HandlerOptions{Level: slog.LevelDebug}))
	k := newKit(t, cfg)
	addr := listen(t, k, true)
	for range 3 {
		_, resp, _ := scene{method: "GET", target: "/supply/jewel/totalsupply", host: "localhost:8080"}.ask(t, addr, nil)
		if resp.StatusCode != 200 {
			t.Errorf("the status is %s", resp.Status)
		}
	}
	await(t, "three lines", func() bool { return strings.Count(lines.String(), "\n") == 3 })
	if k.answered() != 0 {
		t.Error("answered without a line in the log")
	}
}
