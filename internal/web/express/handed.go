package express

import (
	"context"
	"net"
	"net/http"
	"time"
)

// A connection comes back into the lane after returnAfter answers in a row that the lane could have
// given. It stays away that long, because leaving and coming back costs as much as a few answers.
const returnAfter = 4

// A handedConn is a connection that the lane gave to net/http. net/http reads it, starting at the
// first request that the lane did not answer.
type handedConn struct {
	net.Conn
	lane   *Lane
	unread []byte
	streak int // answers in a row that the lane could have given; only one handler at a time uses it
}

func (h *handedConn) Read(b []byte) (int, error) {
	if len(h.unread) > 0 {
		n := copy(b, h.unread)
		if h.unread = h.unread[n:]; len(h.unread) == 0 {
			h.unread = nil
		}
		return n, nil
	}
	return h.Conn.Read(b)
}

// CloseWrite lets net/http end a connection without cutting its last answer off.
func (h *handedConn) CloseWrite() error {
	if t, ok := h.Conn.(interface{ CloseWrite() error }); ok {
		return t.CloseWrite()
	}
	return nil
}

type connKey struct{}

// ConnContext is for the http.Server behind the lane. It lets connections that were handed on come
// back. Without it they never do.
func (l *Lane) ConnContext(ctx context.Context, c net.Conn) context.Context {
	if h, ok := c.(*handedConn); ok {
		return context.WithValue(ctx, connKey{}, h)
	}
	return ctx
}

// ResetStreak notes that the lane could not have answered r, so the connection of r stays with
// net/http.
func ResetStreak(r *http.Request) {
	if h, ok := r.Context().Value(connKey{}).(*handedConn); ok {
		h.streak = 0
	}
}

// CanReturn notes that the lane could have answered r. It reports whether the connection of r came
// from a lane, had returnAfter such requests in a row, and can continue in the lane. Only then may
// Return be called.
func CanReturn(r *http.Request) bool {
	h, ok := r.Context().Value(connKey{}).(*handedConn)
	if !ok {
		return false
	}
	h.streak++
	return h.streak >= returnAfter && len(h.unread) == 0 && !h.lane.draining.Load() &&
		r.ProtoMajor == 1 && r.ProtoMinor == 1 && !r.Close && r.Body == http.NoBody
}

// Return takes the connection of r from net/http, sends the answer a with this status, and serves
// further requests in the lane. If it reports false, it did nothing.
func Return(w http.ResponseWriter, r *http.Request, a *Answer, status int, at time.Time) bool {
	h, ok := r.Context().Value(connKey{}).(*handedConn)
	if !ok {
		return false
	}
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		return false
	}
	_, buffered, err := hijacker.Hijack()
	if err != nil {
		return false
	}
	c := newConn(h.Conn, h.lane)
	if !c.borrow() {
		// No memory could be reserved. Go on anyway: net/http can no longer send the answer.
		c.out = new(batch)
	}
	stays := false
	defer func() {
		if !stays { // net/http does not close a hijacked connection, even after a panic
			c.unreserve(c.reserved)
			c.Close()
		}
	}()
	// Peek returns all bytes that net/http has read ahead. They fit into c.buf, because the buffer
	// of net/http is no larger.
	ahead, _ := buffered.Reader.Peek(buffered.Reader.Buffered())
	c.w = copy(c.buf[:], ahead)
	c.request.head, c.request.At = r.Method == http.MethodHead, at
	if len(ahead) > len(c.buf) || !c.put(a, status, false) {
		return true
	}
	stays = true
	h.lane.run(c)
	return true
}
