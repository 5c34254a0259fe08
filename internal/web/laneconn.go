package web

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"petsupply/internal/pet"
)

const (
	laneBuffer = 4 << 10  // of a request's head; a longer one is handed on
	laneBatch  = 16 << 10 // of answers that go out in one write
)

// A laneConn is one connection in the express lane, served by one goroutine.
type laneConn struct {
	net.Conn
	lane  *Lane
	buf   [laneBuffer]byte
	r, w  int    // what is read and not yet answered: buf[r:w]
	out   *batch // answers not sent yet; nil: none
	q     laneRequest
	taken int // requests answered here

	refused bool // a pet that was looked up here could not be had

	// A deadline is set again only when it is of another kind or in another
	// second: that bounds the error and spares the work on a busy connection.
	waits          atomic.Uint32 // a waiting; written by serve alone
	second         int64         // of the last answer
	readIn, sentIn int64         // the seconds in which the deadlines were set
	kicked         bool

	host  []byte // the last one, and the house that it names
	house int
}

// A batch is a buffer of answers, lent by the lane while it is needed, so that
// connections at rest hold none.
type batch struct {
	b    []byte
	live live // the answer that goes into b next, if it is made on the spot
}

// lend returns an empty batch.
func (l *Lane) lend() *batch {
	select {
	case b := <-l.batches:
		return b
	default:
		return new(batch)
	}
}

// take gets a batch back.
func (l *Lane) take(b *batch) {
	b.b = b.b[:0]
	select {
	case l.batches <- b:
	default:
	}
}

// waiting is what a connection waits for.
type waiting uint32

const (
	nothing waiting = iota
	first           // its first request
	rest            // the rest of a request
	next            // another request
)

// serve answers until the connection ends or something comes that is not
// plain, and then hands it on.
func (c *laneConn) serve() {
	for {
		v := more
		var n int
		// net/http too looks for four bytes before it takes a further request up.
		if have := c.w - c.r; have >= 4 || have > 0 && c.taken == 0 {
			n, v = c.q.parse(c.buf[c.r:c.w])
		}
		switch v {
		case yes:
			now := c.lane.server.now()
			e, f := c.find(now)
			if f == nil {
				c.handOn()
				return
			}
			last := c.lane.draining.Load()
			if !c.answer(e, f, now, last) || last {
				c.flush()
				c.Close()
				return
			}
			c.r += n
		case no:
			c.handOn()
			return
		case more:
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

// find looks the request up among the prepared answers.
func (c *laneConn) find(now time.Time) (*entry, *form) {
	s := c.lane.server
	house := 0
	if len(s.houses) > 1 {
		if string(c.host) != string(c.q.host) {
			c.host = append(c.host[:0], c.q.host...)
			c.house = s.house(view(c.host))
		}
		house = c.house
	}
	accept := [1]string{view(c.q.accept)}
	if e := s.prepared(view(c.q.target), house, now); e != nil {
		return e, e.pick(accept[:])
	}
	if house != s.petsHouse {
		return nil, nil
	}
	id, ok := s.petTarget(view(c.q.target), accept[:])
	if !ok {
		return nil, nil
	}
	k, ok := s.peek(id)
	if !ok {
		k, ok = c.fetch(id, now)
	}
	if !ok {
		return nil, nil
	}
	if c.out == nil {
		c.out = c.lane.lend()
	}
	return s.make(&c.out.live, k, now)
}

// fetch looks a pet up that is not in memory. Whoever may not ask for that now,
// or asks for a pet that cannot be had, is for net/http to answer.
func (c *laneConn) fetch(id uint64, now time.Time) (*pet.Prepared, bool) {
	s := c.lane.server
	if c.refused || !c.flush() { // nobody waits for this one who was answered already
		return nil, false
	}
	peer, ok := s.limit.peer(c.RemoteAddr())
	if !ok || s.limit.spend(peer, now, 1) > 0 {
		return nil, false
	}
	k, err := s.pets.Prepared(context.Background(), id)
	if err != nil {
		c.refused = true
		s.limit.giveBack(peer, 1) // net/http takes it again
	}
	return k, err == nil
}

// answer adds the prepared answer, or its 304, to what goes out. last says that
// the connection closes after it.
func (c *laneConn) answer(e *entry, f *form, now time.Time, last bool) bool {
	status := f.status
	if c.q.hasTags && tagged(view(c.q.tags), f.etag) || !c.q.hasTags && c.q.hasSince && unmodified(view(c.q.since), f.modified) {
		status = http.StatusNotModified
	}
	return c.put(e, f, status, now, last)
}

// put adds a form, whole or as its 304, to what goes out.
func (c *laneConn) put(e *entry, f *form, status int, now time.Time, last bool) bool {
	wire := f.wire
	if status == http.StatusNotModified {
		wire = f.wire304
	}
	if c.out == nil {
		c.out = c.lane.lend()
	}
	end := c.lane.server.now()
	c.second = end.Unix()
	out := append(c.out.b, wire...)
	out = append(out, c.lane.date.at(end)...)
	if last {
		out = append(out, "\r\nConnection: close"...)
	}
	c.out.b = append(out, "\r\n\r\n"...)
	ok := true
	if status != http.StatusNotModified && !c.q.head {
		if len(c.out.b)+len(f.body) > laneBatch {
			ok = c.send(c.out.b) && c.send(f.body) // the batch is kept: f may be in it
			c.out.b = c.out.b[:0]
		} else {
			c.out.b = append(c.out.b, f.body...)
		}
	}
	c.taken++
	c.lane.answered.Inc()
	e.route.stats.count(status, end.Sub(now))
	return ok
}

// flush sends what was answered.
func (c *laneConn) flush() bool {
	if c.out == nil {
		return true
	}
	ok := len(c.out.b) == 0 || c.send(c.out.b)
	c.lane.take(c.out)
	c.out = nil
	return ok
}

func (c *laneConn) send(b []byte) bool {
	if d := c.lane.limits.Write; d > 0 && c.sentIn != c.second {
		c.sentIn = c.second
		_ = c.SetWriteDeadline(time.Now().Add(d))
	}
	_, err := c.Write(b)
	return err == nil
}

// fill reads more of a request. False: the connection has left the lane.
func (c *laneConn) fill() bool {
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
	c.expect()
	if c.lane.draining.Load() && c.w == 0 {
		c.end()
		return false
	}
	n, err := c.Read(c.buf[c.w:])
	c.w += n
	switch {
	case n > 0 || err == nil:
		return true
	case errors.Is(err, io.EOF) && c.w > c.r && c.taken == 0, errors.Is(err, io.EOF) && c.w-c.r >= 4:
		c.handOn() // half a request and then nothing: net/http has words for that
		return false
	case errors.Is(err, os.ErrDeadlineExceeded) && c.lane.draining.Load() && !c.kicked && c.w > c.r:
		c.kicked = true // woken up to end, but in the middle of a request
		c.waits.Store(uint32(nothing))
		return true
	case errors.Is(err, os.ErrDeadlineExceeded) && c.lane.draining.Load():
		c.end()
		return false
	}
	c.Close()
	return false
}

// end closes a connection that rests. One that has not said anything yet may
// be about to: net/http gives such a one a few seconds at its shutdown.
func (c *laneConn) end() {
	if c.taken == 0 {
		c.handOn()
		return
	}
	c.Close()
}

// expect sets the deadline for what the connection waits for now.
func (c *laneConn) expect() {
	kind, limit := next, c.lane.limits.Idle
	switch {
	case c.taken == 0:
		kind, limit = first, c.lane.limits.Header
	case c.w > c.r:
		kind, limit = rest, c.lane.limits.Header
	}
	if uint32(kind) == c.waits.Load() && (kind != next || c.readIn == c.second) {
		return // what is not next counts from its beginning
	}
	c.waits.Store(uint32(kind))
	c.readIn = c.second
	if limit > 0 {
		_ = c.SetReadDeadline(time.Now().Add(limit))
	} else {
		_ = c.SetReadDeadline(time.Time{})
	}
}

// handOn gives the connection to net/http, with every byte that was read and
// not answered.
func (c *laneConn) handOn() {
	if !c.flush() || c.SetDeadline(time.Time{}) != nil {
		c.Close()
		return
	}
	c.lane.handed.Inc()
	c.lane.hand(&replayed{Conn: c.Conn, lane: c.lane, first: append([]byte(nil), c.buf[c.r:c.w]...)})
}

// A replayed connection is read from its beginning again.
type replayed struct {
	net.Conn
	lane  *Lane
	first []byte
	run   int // prepared answers in a row; used by its handler alone
}

func (r *replayed) Read(b []byte) (int, error) {
	if len(r.first) > 0 {
		n := copy(b, r.first)
		if r.first = r.first[n:]; len(r.first) == 0 {
			r.first = nil
		}
		return n, nil
	}
	return r.Conn.Read(b)
}

// CloseWrite lets net/http say goodbye without cutting its last answer off.
func (r *replayed) CloseWrite() error {
	if t, ok := r.Conn.(interface{ CloseWrite() error }); ok {
		return t.CloseWrite()
	}
	return nil
}

// A stamp is the Date header of one second.
type stamp struct{ now atomic.Pointer[stamped] }

type stamped struct {
	unix int64
	text []byte
}

func (s *stamp) at(now time.Time) []byte {
	unix := now.Unix()
	if d := s.now.Load(); d != nil && d.unix == unix {
		return d.text
	}
	d := &stamped{unix, now.UTC().AppendFormat(nil, http.TimeFormat)}
	s.now.Store(d)
	return d.text
}
