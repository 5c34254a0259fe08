package express

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// A conn is a connection in front of net/http.
type conn struct {
	net.Conn
	lane *Lane
	from net.Addr

	// The goroutine that reads owns these: net/http never reads twice at once.
	q     Request
	left  bool   // net/http gets everything from now on
	away  bool   // net/http answers a request; meanwhile it may read a byte ahead
	ahead []byte // that byte, the first of a request for net/http
	least int    // bytes that arrive before a request is read: after the first request net/http waits for 4

	begun time.Time     // when the connection began; zero once net/http got a request
	late  time.Duration // how late the first request for net/http came; see SetReadDeadline

	interrupted bool // the lane drains, and this connection has learned it

	second int64 // when date and the deadlines were set, in unix seconds
	date   [len(http.TimeFormat)]byte
}

func (l *Lane) newConn(nc net.Conn) *conn {
	c := &conn{Conn: nc, lane: l, from: nc.RemoteAddr(), begun: time.Now(), least: 1}
	c.enter()
	return c
}

// Read answers requests until there is one for net/http. The argument p is the buffer of net/http.
func (c *conn) Read(p []byte) (int, error) {
	if c.away {
		n, err := c.read(p)
		if n > 0 {
			c.left = c.left || n > 1 || len(c.ahead) > 0
			c.ahead = append(c.ahead[:0], p[0])
		}
		return n, err
	}
	c.enter()
	if c.left {
		return c.read(p)
	}
	ahead := copy(p, c.ahead)
	c.ahead = c.ahead[:0]
	n := ahead
	for {
		m, err := c.read(p[n:])
		if m == 0 && err != nil {
			return 0, io.EOF // net/http closes the connection
		}
		rest := p[:n+m]
		for len(rest) >= c.least {
			size := c.q.parse(rest)
			if size == 0 || ahead > 0 || !c.answer() {
				c.leave(size != len(rest))
				return copy(p, rest[ahead:]), nil
			}
			if c.q.last {
				return 0, io.EOF
			}
			rest = rest[size:]
			c.least = 4
		}
		n = copy(p, rest)
	}
}

// leave prepares for bytes that net/http is to read: one whole request without a body, or anything
// if left is true.
func (c *conn) leave(left bool) {
	c.left = left
	c.away = true
	c.second = 0
	c.least = 4
	if c.begun.IsZero() {
		return
	}
	now := time.Now()
	_ = c.Conn.SetReadDeadline(now.Add(c.lane.server.ReadHeaderTimeout))
	c.late = now.Sub(c.begun)
	c.begun = time.Time{}
}

// SetReadDeadline corrects the ReadTimeout of the first request for net/http. net/http counts it from
// the beginning of the connection.
func (c *conn) SetReadDeadline(t time.Time) error {
	if c.late > 0 && !t.IsZero() {
		t = t.Add(c.late)
		c.late = 0
	}
	return c.Conn.SetReadDeadline(t)
}

// Close closes the connection. While the lane drains, a connection without a request ends when net/http
// notes that it is closed, which is after its last Read.
func (c *conn) Close() error {
	c.lane.mu.Lock()
	_, inside := c.lane.inside[c]
	c.lane.mu.Unlock()
	if inside && c.lane.draining.Load() {
		return nil
	}
	return c.Conn.Close()
}

// CloseWrite lets net/http end a connection without cutting its last answer off.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// enter notes that net/http has no request of the connection.
func (c *conn) enter() {
	c.lane.mu.Lock()
	defer c.lane.mu.Unlock()
	c.lane.inside[c] = struct{}{}
	if c.lane.draining.Load() {
		c.interrupt()
	}
}

// note follows what net/http does with the connection.
func (c *conn) note(state http.ConnState) {
	if state == http.StateIdle {
		c.away = false
		return
	}
	c.lane.mu.Lock()
	defer c.lane.mu.Unlock()
	switch state {
	case http.StateActive:
		delete(c.lane.inside, c)
	case http.StateClosed:
		delete(c.lane.inside, c)
		_ = c.Conn.Close()
	}
}

// interrupt ends a waiting read. It is then repeated, for at most patience. The caller holds lane.mu.
func (c *conn) interrupt() { _ = c.Conn.SetReadDeadline(time.Unix(1, 0)) }

// read reads from the connection. After an interrupt it reads again, because bytes may have arrived
// while the goroutine waited for a processor.
func (c *conn) read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.interrupted || !c.lane.draining.Load() || !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	c.interrupted = true
	_ = c.Conn.SetReadDeadline(time.Now().Add(patience))
	return c.Conn.Read(p)
}

// A buffer has memory for sending one answer, and for making it (see Request.Room).
type buffer struct{ out, room [8 << 10]byte }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// answer sends the answer to c.q, and reports false if there is none.
func (c *conn) answer() bool {
	buf := buffers.Get().(*buffer)
	defer buffers.Put(buf)
	c.q.From = c.from
	c.q.At = c.lane.now()
	c.q.Room = buf.room[:0]
	head, body := c.lane.find(&c.q)
	if head == nil {
		return false
	}
	if second := c.q.At.Unix(); second != c.second {
		c.second = second
		c.q.At.UTC().AppendFormat(c.date[:0], http.TimeFormat)
		now := time.Now()
		_ = c.Conn.SetReadDeadline(now.Add(c.lane.server.IdleTimeout)) // before draining is read: see Drain
		_ = c.Conn.SetWriteDeadline(now.Add(c.lane.server.WriteTimeout))
	}
	c.q.last = c.q.last || c.lane.draining.Load()
	b := append(buf.out[:0], head...)
	b = append(b, c.date[:]...)
	if c.q.last {
		b = append(b, "\r\nConnection: close"...)
	}
	b = append(b, "\r\n\r\n"...)
	if c.q.head {
		body = nil
	}
	if len(b)+len(body) <= len(buf.out) {
		b = append(b, body...)
		body = nil
	}
	_, err := c.Conn.Write(b)
	if err == nil && body != nil {
		_, err = c.Conn.Write(body)
	}
	if err != nil {
		c.q.last = true
	}
	return true
}
