package web

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"petsupply/internal/web/express"
)

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
func (c *repeatConn) RemoteAddr() net.Addr             { return nil }
func (c *repeatConn) SetReadDeadline(time.Time) error  { return nil }
func (c *repeatConn) SetWriteDeadline(time.Time) error { return nil }

// A repeatListener always accepts the same connection.
type repeatListener struct {
	net.Listener
	conn repeatConn
}

func (l *repeatListener) Accept() (net.Conn, error) { return &l.conn, nil }

// repeat opens a lane, and returns a function that sends the same request many times on one
// connection.
func repeat(t testing.TB, k *kit, head string) func(times int) {
	t.Helper()
	l := &repeatListener{conn: repeatConn{request: []byte(head)}}
	lane := express.Listen(l, nil, newServer(nil, time.Hour), k.Find, k.Now)
	buffer := make([]byte, 4<<10)
	return func(times int) {
		l.conn.left = times
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
	k := newKit(t, oneHost())
	k.remember(3)
	k.warm(t, "/pets/image/1")
	k.warm(t, "/pets/token/1", "Accept-Encoding", "gzip")
	const each = 100
	for request, most := range map[string]float64{ // the connection itself is allocated
		"GET /supply/jewel/totalsupply": 3, "HEAD /supply/jewel/totalSupply": 3, "GET /pets/image/1": 3,
		"GET /supply/jewel\nIf-None-Match: *":                                      3,
		"GET /supply/jewel\nIf-Modified-Since: " + started.Format(http.TimeFormat): 3,
		"GET /supply/\nAccept-Encoding: gzip, deflate, br, zstd":                   3,
		"GET /pets/token/1\nAccept-Encoding: gzip":                                 3,
		"GET /pets/token/1": 3 + each, // for the version of the picture
	} {
		first, headers, _ := strings.Cut(request+"\nUser-Agent: x", "\n")
		ask := repeat(t, k, first+plainHead+strings.ReplaceAll(headers, "\n", "\r\n")+"\r\n\r\n")
		before := k.answered()
		total := testing.AllocsPerRun(20, func() { ask(each) })
		if got := k.answered() - before; got != 21*each {
			t.Errorf("%q: %v of %d requests were answered in the lane", request, got, 21*each)
		}
		if total > most {
			t.Errorf("%q: %v allocations for %d requests", request, total, each)
		}
	}
}
