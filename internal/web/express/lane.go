package express

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// A Lane is a listener in front of net/http. It answers plain GET and HEAD requests over HTTP/1.1
// and 1.0, with 200 or 304, if its owner has an answer. That is cheaper than net/http. For any
// other request, Accept returns the connection, and net/http reads that request from its first
// byte. With TLS the lane does the handshake. A connection whose handshake fails or agrees on
// HTTP/2 is handed on as the *tls.Conn that net/http expects.
//
// Every answer equals, byte for byte, the answer that net/http would send with the owner as its
// handler. Only Date may differ.
type Lane struct {
	owner   Owner
	base    net.Listener
	tls     *tls.Config // nil without TLS
	limits  Limits
	now     func() time.Time
	date    dateCache
	batches chan *batch // batches that no connection uses now

	start    sync.Once
	draining atomic.Bool
	handed   chan net.Conn // connections for Accept
	failed   chan error    // errors for Accept
	closing  sync.Once
	closed   chan struct{}

	mu        sync.Mutex
	accepting bool
	conns     map[*conn]struct{}
	emptied   bool
	empty     chan struct{} // closed when a draining lane has no connection left
}

// New makes a lane on a listener that is open already, with TLS unless secure is
// nil. Nothing is accepted before the first Accept.
func New(base net.Listener, secure *tls.Config, owner Owner, limits Limits, now func() time.Time) *Lane {
	return &Lane{
		owner: owner, base: base, tls: secure, limits: limits, now: now, batches: make(chan *batch, 64),
		handed: make(chan net.Conn), failed: make(chan error), closed: make(chan struct{}),
		conns: map[*conn]struct{}{}, empty: make(chan struct{}),
	}
}

// Accept returns the next connection that net/http is to serve.
func (l *Lane) Accept() (net.Conn, error) {
	l.start.Do(func() {
		l.mu.Lock()
		l.accepting = true
		l.mu.Unlock()
		go l.accept()
	})
	select {
	case c := <-l.handed:
		return c, nil
	case err := <-l.failed:
		return nil, err
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Addr is the listener's address.
func (l *Lane) Addr() net.Addr { return l.base.Addr() }

// Close stops accepting and closes idle connections. Unlike Shutdown, it does not wait for busy
// ones.
func (l *Lane) Close() error {
	err := l.drain()
	l.closing.Do(func() { close(l.closed) })
	return err
}

// Shutdown accepts no more connections, closes idle ones, and waits until all others were answered
// or handed on. If ctx ends first, it closes those that are left. Until Close, Accept still returns
// connections that are handed on.
func (l *Lane) Shutdown(ctx context.Context) error {
	err := l.drain()
	select {
	case <-l.empty:
		return err
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		c.Close()
	}
	return ctx.Err()
}

// drain closes the listener and wakes up every connection that waits for a
// request.
func (l *Lane) drain() error {
	if l.draining.Swap(true) {
		return nil
	}
	err := l.base.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		_ = c.SetReadDeadline(time.Unix(1, 0)) // an error means that the connection is closed already
	}
	l.checkEmpty()
	return err
}

// checkEmpty closes the channel l.empty if the lane drains and has no connection left. The caller
// holds mu.
func (l *Lane) checkEmpty() {
	if l.draining.Load() && len(l.conns) == 0 && !l.accepting && !l.emptied {
		l.emptied = true
		close(l.empty)
	}
}

// accept takes connections until the listener closes.
func (l *Lane) accept() {
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.accepting = false
		l.checkEmpty()
	}()
	for {
		base, err := l.base.Accept()
		if err == nil {
			if l.tls != nil {
				base = tls.Server(base, l.tls)
			}
			l.run(newConn(base, l))
			continue
		}
		if l.draining.Load() {
			return
		}
		// net/http gets err from Accept. After some errors, such as "too many open files", it calls
		// Accept again.
		select {
		case l.failed <- err:
		case <-l.closed:
			return
		}
	}
}

// run serves a connection on a goroutine of its own. A panic ends this
// connection only, as with net/http.
func (l *Lane) run(c *conn) {
	l.mu.Lock()
	l.conns[c] = struct{}{}
	l.mu.Unlock()
	go func() {
		defer func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			delete(l.conns, c)
			l.checkEmpty()
			c.release()
		}()
		defer func() {
			if p := recover(); p != nil {
				defer c.Close()
				l.owner.Panicked(p)
			}
		}()
		if secure, ok := c.Conn.(*tls.Conn); ok && !c.shakeHands(secure) {
			return
		}
		c.serve()
	}()
}

// hand gives a connection to the caller of Accept.
func (l *Lane) hand(c net.Conn) {
	select {
	case l.handed <- c:
	case <-l.closed:
		c.Close()
	}
}
