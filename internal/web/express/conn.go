package express

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxHead  = 4 << 10  // bytes of a request's head; a longer one is handed on to net/http
	maxBatch = 16 << 10 // bytes of answers that go out in one write
)

// A conn is one connection in the lane, served by one goroutine.
type conn struct {
	net.Conn
	lane     *Lane
	buf      [maxHead]byte
	r, w     int    // buf[r:w] was read and is not yet answered
	out      *batch // answers that were not sent yet, or nil
	reserved int    // memory for bytes that were not sent yet
	request  Request
	answered int // number of requests that were answered since the connection came into the lane

	// A deadline is set again only if the value of waits or the value of second has changed. So it
	// is wrong by at most a second, and a busy connection sets few deadlines.
	waits          waiting
	second         int64 // when the last answer was made, in unix seconds
	readIn, sentIn int64 // the values of second when the deadlines were last set
	woken          bool  // drain has woken the connection while it read a request
}

// spare has the conns of connections that ended, for reuse. New buffers would be most of the cost
// of a connection with one request.
var spare = sync.Pool{New: func() any { return new(conn) }}

func newConn(base net.Conn, l *Lane) *conn {
	c := spare.Get().(*conn)
	c.Conn, c.lane, c.request = base, l, Request{Remote: base.RemoteAddr()}
	return c
}

// release puts c into the pool spare. Nothing may use c afterwards.
func (c *conn) release() {
	c.unreserve(c.reserved)
	c.Conn, c.lane, c.out, c.request = nil, nil, nil, Request{}
	c.r, c.w, c.answered, c.second, c.readIn, c.sentIn, c.woken, c.waits = 0, 0, 0, 0, 0, 0, false, nothing
	spare.Put(c)
}

// waiting is the kind of data that a connection waits for.
type waiting uint8

const (
	nothing      waiting = iota
	firstRequest         // of the connection
	restOfHead           // the rest of a request that has begun
	nextRequest
)

// shakeHands does the TLS handshake and reports whether the client agreed to HTTP/1. Otherwise it
// hands the connection on. A failed handshake fails again in net/http, which answers and logs it.
func (c *conn) shakeHands(secure *tls.Conn) bool {
	if c.lane.limits.Header > 0 {
		_ = secure.SetDeadline(time.Now().Add(c.lane.limits.Header))
	}
	if err := secure.Handshake(); err == nil && secure.ConnectionState().NegotiatedProtocol != "h2" {
		_ = secure.SetWriteDeadline(time.Time{})
		return true
	}
	_ = secure.SetDeadline(time.Time{})
	c.lane.owner.HandedOn()
	c.lane.hand(secure)
	return false
}

// serve answers plain requests until the connection ends. If a request is not plain or has no
// answer, serve hands the connection on.
func (c *conn) serve() {
	for {
		v := incomplete
		var n int
		// As in net/http, a request after the first is read only when four bytes of it are there.
		if have := c.w - c.r; have >= 4 || have > 0 && c.answered == 0 {
			n, v = c.request.parse(c.buf[c.r:c.w])
		}
		switch v {
		case plain:
			a := c.lookup()
			if a == nil || !a.Shared && len(a.Body) > maxBatch && !c.reserve(len(a.Body)) {
				c.handOn()
				return
			}
			last := c.request.once || c.lane.draining.Load()
			if !c.put(a, c.request.status(a), last) || last {
				c.flush()
				c.Close()
				return
			}
			c.r += n
		case notPlain:
			c.handOn()
			return
		case incomplete:
			if !c.flush() {
				c.Close()
				return
			}
			if !c.fill() {
				return
			}
		}
	}
}

// lookup asks the owner for the answer. If the owner says that waiting may help, lookup first sends
// the previous answers, and then asks again.
func (c *conn) lookup() *Answer {
	q := &c.request
	q.At = c.lane.now()
	if c.out == nil && !c.borrow() {
		return nil
	}
	q.Scratch = &c.out.scratch
	a, wait := c.lane.owner.Lookup(context.Background(), q)
	if wait && c.flush() {
		ctx, stop := c.watch()
		defer stop()
		if !c.borrow() {
			return nil
		}
		q.Wait, q.Scratch = true, &c.out.scratch
		a, _ = c.lane.owner.Lookup(ctx, q)
	}
	return a
}

// watchAfter is how long a look-up may take before the lane watches whether the client leaves.
const watchAfter = 50 * time.Millisecond

// watch returns a context that ends if the client leaves while it waits for an answer. To notice
// that, watch reads one byte ahead, as net/http does. stop ends the watch.
func (c *conn) watch() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	if c.w == len(c.buf) {
		return ctx, cancel // no room to read into: the client has sent more requests already
	}
	_ = c.SetReadDeadline(time.Time{})
	var n int
	done := make(chan struct{})
	timer := time.AfterFunc(watchAfter, func() {
		defer close(done)
		var err error
		if n, err = c.Read(c.buf[c.w : c.w+1]); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			cancel()
		}
	})
	return ctx, func() {
		if !timer.Stop() {
			_ = c.SetReadDeadline(time.Unix(1, 0))
			<-done
			c.w += n
		}
		cancel()
		c.waits = nothing // so that the deadline is set again
	}
}

// status returns 304 if the client already has the answer a, and 200 otherwise.
func (q *Request) status(a *Answer) int {
	if NotModified(q.tags, q.dates, a.ETag, a.Modified) {
		return http.StatusNotModified
	}
	return http.StatusOK
}

// put adds an answer to the connection's batch: the whole answer, or a 304 if that is the status.
// If the batch would be too large, put sends it at once, and returns false if sending fails. The
// argument last says that the connection closes after the answer.
func (c *conn) put(a *Answer, status int, last bool) bool {
	head := a.Head
	if status == http.StatusNotModified {
		head = a.Head304
	}
	batch, end := c.out, c.lane.now()
	c.second = end.Unix()
	begin := len(batch.b)
	out := append(batch.b, head...)
	out = append(out, c.lane.date.at(end)...)
	if c.request.old {
		out[begin+len("HTTP/1.")] = '0'
	} else if last {
		out = append(out, "\r\nConnection: close"...)
	}
	batch.b = append(out, "\r\n\r\n"...)
	ok := true
	if status != http.StatusNotModified && !c.request.head {
		if len(batch.b)+len(a.Body) > maxBatch {
			// Do not call flush here. It gives back batch.scratch, which may contain a.Body.
			ok = c.send(batch.b) && c.send(a.Body)
			batch.b = batch.b[:0]
			if !a.Shared {
				c.unreserve(len(a.Body))
			}
		} else {
			batch.b = append(batch.b, a.Body...)
		}
	}
	c.answered++
	c.lane.owner.Answered(a, status, end.Sub(c.request.At))
	return ok
}

// A batch is a buffer of answers. The lane lends it while it is needed, so that idle connections
// have none.
type batch struct {
	b       []byte
	scratch any // for Request.Scratch
}

// batchMemory estimates the memory of a batch and its scratch.
const batchMemory = 32 << 10

// borrow gets a batch. If all are lent, it reserves memory for another one. It reports false if
// there is not enough memory.
func (c *conn) borrow() bool {
	select {
	case c.out = <-c.lane.batches:
		return true
	default:
	}
	if !c.reserve(batchMemory) {
		return false
	}
	c.out = new(batch)
	return true
}

// reserve reserves memory for the next bytes to send.
func (c *conn) reserve(n int) bool {
	if !c.lane.owner.Reserve(c.request.Remote, n) {
		return false
	}
	c.reserved += n
	return true
}

// unreserve gives back up to n of the reserved bytes.
func (c *conn) unreserve(n int) {
	if n = min(n, c.reserved); n > 0 {
		c.reserved -= n
		c.lane.owner.Release(c.request.Remote, n)
	}
}

// flush sends the answers in the batch and gives the batch back to the lane.
func (c *conn) flush() bool {
	b := c.out
	if b == nil {
		return true
	}
	ok := len(b.b) == 0 || c.send(b.b)
	b.b, c.out = b.b[:0], nil
	c.unreserve(c.reserved)
	select {
	case c.lane.batches <- b:
	default:
	}
	return ok
}

func (c *conn) send(b []byte) bool {
	if d := c.lane.limits.Write; d > 0 && c.sentIn != c.second {
		c.sentIn = c.second
		_ = c.SetWriteDeadline(time.Now().Add(d))
	}
	_, err := c.Write(b)
	return err == nil
}

// fill reads more of a request. It reports false if the connection has left the lane.
func (c *conn) fill() bool {
	if c.r == c.w {
		c.r, c.w = 0, 0
	} else if c.w == len(c.buf) {
		if c.r == 0 {
			c.handOn()
			return false
		}
		c.w = copy(c.buf[:], c.buf[c.r:c.w])
		c.r = 0
	}
	c.setReadDeadline()
	if c.lane.draining.Load() && c.w == 0 {
		c.end()
		return false
	}
	n, err := c.Read(c.buf[c.w:])
	c.w += n
	switch {
	case n > 0 || err == nil:
		return true
	case errors.Is(err, io.EOF) && c.w > c.r && c.answered == 0, errors.Is(err, io.EOF) && c.w-c.r >= 4:
		c.handOn() // the data ended in the middle of a request: net/http answers 400
		return false
	case errors.Is(err, os.ErrDeadlineExceeded) && c.lane.draining.Load() && !c.woken && c.w > c.r:
		c.woken = true
		c.waits = nothing
		return true
	case errors.Is(err, os.ErrDeadlineExceeded) && c.lane.draining.Load():
		c.end()
		return false
	}
	c.Close()
	return false
}

// end closes an idle connection at a shutdown. A connection that has sent no request so far may be
// about to send one. It is handed on instead, because net/http gives it a few seconds.
func (c *conn) end() {
	if c.answered == 0 {
		c.handOn()
		return
	}
	c.Close()
}

// setReadDeadline sets the deadline for the data that the connection waits for now.
func (c *conn) setReadDeadline() {
	kind, limit := nextRequest, c.lane.limits.Idle
	switch {
	case c.answered == 0:
		kind, limit = firstRequest, c.lane.limits.Header
	case c.w > c.r:
		kind, limit = restOfHead, c.lane.limits.Header
	}
	// If c.second is the same, no answer was made since the deadline was set, or only answers
	// within the same second. So the deadline is right, or early by less than a second.
	if kind == c.waits && c.readIn == c.second {
		return
	}
	c.waits = kind
	c.readIn = c.second
	var deadline time.Time
	if limit > 0 {
		deadline = time.Now().Add(limit)
	}
	_ = c.SetReadDeadline(deadline)
}

// handOn gives the connection to net/http, with every byte that was read and not answered.
func (c *conn) handOn() {
	if !c.flush() || c.SetDeadline(time.Time{}) != nil {
		c.Close()
		return
	}
	c.lane.owner.HandedOn()
	c.lane.hand(&handedConn{Conn: c.Conn, lane: c.lane, unread: append([]byte(nil), c.buf[c.r:c.w]...)})
}

// A dateCache has the Date header of the current second.
type dateCache struct{ latest atomic.Pointer[date] }

type date struct {
	unix int64
	text []byte
}

func (d *dateCache) at(now time.Time) []byte {
	unix := now.Unix()
	if known := d.latest.Load(); known != nil && known.unix == unix {
		return known.text
	}
	fresh := &date{unix, now.UTC().AppendFormat(nil, http.TimeFormat)}
	d.latest.Store(fresh)
	return fresh.text
}
