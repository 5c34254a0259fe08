// Package express answers simple requests from ready bytes, on the connections of net/http and ahead
// of it. When net/http asks a connection for its next bytes, the lane first answers every request
// that it can. It returns the first bytes that it leaves to net/http. So net/http keeps its part in
// everything else: goroutines, panics, timeouts and shutdown.
//
// Begin with Listen. The package does not know what the answers are about.
package express

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Find returns the answer to a request: its head, as net/http would write it but ending with "Date:
// ", and its body. If head is nil, net/http answers the request. Find decides on 304, and counts the
// answer. It may wait for less than the patience of a draining connection, and must not keep q or its
// strings. The bytes that it returns must stay as they are, or be in q.Room.
type Find func(q *Request) (head, body []byte)

// A Lane is a listener for net/http. Every answer of the lane equals, byte for byte, the answer that
// net/http would send. Only Date may differ.
type Lane struct {
	net.Listener
	tls    *tls.Config // nil without TLS
	server *http.Server
	find   Find
	now    func() time.Time
	ready  chan net.Conn // with TLS: connections whose handshake is over
	done   chan struct{} // with TLS: closed when the listener is

	draining atomic.Bool
	mu       sync.Mutex
	inside   map[*conn]struct{} // connections of which net/http has no request
}

// Listen makes a lane for server.Serve on an open listener, with TLS unless secure is nil. The server
// must have a ReadHeaderTimeout, an IdleTimeout and a WriteTimeout, which hold in the lane too. Listen
// sets its ConnState, and changes its Handler for Drain.
func Listen(base net.Listener, secure *tls.Config, server *http.Server, find Find, now func() time.Time) *Lane {
	l := &Lane{
		Listener: base, tls: secure, server: server, find: find, now: now,
		ready: make(chan net.Conn), done: make(chan struct{}), inside: map[*conn]struct{}{},
	}
	server.ConnState = func(nc net.Conn, state http.ConnState) {
		if c, ok := nc.(*conn); ok {
			c.note(state)
		}
	}
	handler := server.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if l.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		handler.ServeHTTP(w, r)
	})
	if secure != nil {
		go l.acceptSecure()
	}
	return l
}

// Accept returns the next connection. With TLS its handshake is over.
func (l *Lane) Accept() (net.Conn, error) {
	if l.tls == nil {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		return l.newConn(c), nil
	}
	select {
	case c := <-l.ready:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// patience is how long a draining connection waits for a request, if none has arrived.
const patience = 250 * time.Millisecond

// Drain lets every connection end: after its next answer, or soon if no request comes. Call the server's
// Shutdown only when the lane is Drained, because net/http does not answer what it reads after Shutdown.
// Do not disable its keep-alives: it would close a connection after an answer that did not announce this,
// and would not read the next request.
func (l *Lane) Drain() {
	l.draining.Store(true)
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.inside {
		c.interrupt()
	}
}

// Drained reports whether net/http has every request that has arrived.
func (l *Lane) Drained() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.inside) == 0
}

// acceptSecure does the handshakes of connections, each on its own goroutine. They end with the
// listener.
func (l *Lane) acceptSecure() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for {
		accepted, err := l.Listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			close(l.done)
			return
		}
		if err != nil {
			time.Sleep(5 * time.Millisecond) // net/http also tries again, for example if too many files are open
			continue
		}
		go func() {
			c := l.shakeHands(ctx, tls.Server(accepted, l.tls))
			select {
			case l.ready <- c:
			case <-l.done:
				c.Close()
			}
		}()
	}
}

// shakeHands returns c itself if the handshake failed, because it fails again in net/http, which
// answers and logs it. It also returns c itself for HTTP/2, because net/http looks for a *tls.Conn.
func (l *Lane) shakeHands(ctx context.Context, c *tls.Conn) net.Conn {
	_ = c.SetDeadline(time.Now().Add(l.server.ReadHeaderTimeout))
	err := c.HandshakeContext(ctx)
	_ = c.SetDeadline(time.Time{})
	if err != nil || c.ConnectionState().NegotiatedProtocol == "h2" {
		return c
	}
	return l.newConn(c)
}
