package web

import (
	"context"
	"net"
	"net/http"
	"time"
)

// backAfter is how many prepared answers in a row bring a connection back into
// the lane. Going to and fro costs as much as a few answers.
const backAfter = 4

type connKey struct{}

// ConnContext is for the http.Server behind the lane. It lets a connection that
// was handed on come back once it asks for prepared answers again; without it
// every connection leaves once.
func (l *Lane) ConnContext(ctx context.Context, c net.Conn) context.Context {
	if r, ok := c.(*replayed); ok {
		return context.WithValue(ctx, connKey{}, r)
	}
	return ctx
}

// goBack takes the connection of a request for a prepared answer from net/http
// and answers in the lane, if it is one that came from there and has been asking
// for nothing else. False: nothing was done.
func (s *Server) goBack(w http.ResponseWriter, r *http.Request, e *entry, f *form, status int, at time.Time) bool {
	conn, ok := r.Context().Value(connKey{}).(*replayed)
	if !ok {
		return false
	}
	if conn.run++; conn.run < backAfter || f.wire == nil || !conn.lane.welcomes(r) || len(conn.first) > 0 {
		return false
	}
	taker, ok := w.(http.Hijacker)
	if !ok {
		return false
	}
	_, buffered, err := taker.Hijack()
	if err != nil {
		return false
	}
	c := &laneConn{Conn: conn.Conn, lane: conn.lane}
	stays := false
	defer func() {
		if !stays { // net/http no longer owns it, even if we break
			c.Close()
		}
	}()
	// All that net/http has read ahead; its buffer is no larger than ours.
	ahead, _ := buffered.Reader.Peek(buffered.Reader.Buffered())
	c.w = copy(c.buf[:], ahead)
	c.q.head = r.Method == http.MethodHead
	if len(ahead) > len(c.buf) || !c.put(e, f, status, at, false) {
		return true
	}
	stays = true
	conn.lane.run(c)
	return true
}

// stray notes that a connection asked for something that is not prepared.
func stray(r *http.Request) {
	if conn, ok := r.Context().Value(connKey{}).(*replayed); ok {
		conn.run = 0
	}
}

// welcomes reports whether a request leaves its connection in a state that the
// lane can go on from.
func (l *Lane) welcomes(r *http.Request) bool {
	return !l.draining.Load() && r.ProtoMajor == 1 && r.ProtoMinor == 1 && !r.Close && r.Body == http.NoBody && !l.verbose()
}
