package web

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// LaneLimits are the time-outs of the http.Server behind a Lane, which hold in
// it as well. Zero: none.
type LaneLimits struct {
	Header time.Duration // to send a request's head
	Idle   time.Duration // between two requests
	Write  time.Duration // to take an answer
}

// A Lane is a listener in front of net/http. A plain GET or HEAD over HTTP/1.1
// whose answer is prepared is answered here, 304 included, without the work of
// a general server; at the first byte of anything else the whole connection,
// with all that was read of it, is what Accept returns. Give it to
// http.Server.Serve, and call Shutdown before the server's own.
//
// Every answer is the same, byte for byte, that net/http would give with this
// Server as its handler, but for Date.
type Lane struct {
	server   *Server
	base     net.Listener
	limits   LaneLimits
	date     stamp
	answered prometheus.Counter
	handed   prometheus.Counter
	batches  chan *batch // not in use; as many as can be wanted at once

	start    sync.Once
	draining atomic.Bool
	out      chan net.Conn // to Accept
	failed   chan error
	closing  sync.Once
	closed   chan struct{}

	mu        sync.Mutex
	accepting bool
	conns     map[*laneConn]struct{}
	emptied   bool
	empty     chan struct{} // closed when draining and everyone has left
}

// NewLane makes a lane on a listener that is open already. Nothing is accepted
// before the first Accept.
func (s *Server) NewLane(base net.Listener, limits LaneLimits) *Lane {
	return &Lane{
		server: s, base: base, limits: limits, batches: make(chan *batch, 64),
		answered: s.metrics.lane.WithLabelValues("answered"), handed: s.metrics.lane.WithLabelValues("handed"),
		out: make(chan net.Conn), failed: make(chan error, 1), closed: make(chan struct{}),
		conns: map[*laneConn]struct{}{}, empty: make(chan struct{}),
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
	case c := <-l.out:
		return c, nil
	case err := <-l.failed:
		return nil, err
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Addr is the listener's address.
func (l *Lane) Addr() net.Addr { return l.base.Addr() }

// Close stops accepting and ends what rests. Shutdown does it gently.
func (l *Lane) Close() error {
	err := l.drain()
	l.closing.Do(func() { close(l.closed) })
	return err
}

// Shutdown takes no more connections, ends those that rest, and waits until
// every other one was answered or handed on. Accept goes on returning what is
// handed on until Close.
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

// drain closes the listener and wakes up everyone who waits for a request.
func (l *Lane) drain() error {
	if l.draining.Swap(true) {
		return nil
	}
	err := l.base.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		_ = c.SetReadDeadline(time.Unix(1, 0)) // a connection that is gone needs no waking
	}
	l.settle()
	return err
}

// settle notes that everyone has left a lane that drains. The caller holds mu.
func (l *Lane) settle() {
	if l.draining.Load() && len(l.conns) == 0 && !l.accepting && !l.emptied {
		l.emptied = true
		close(l.empty)
	}
}

// accept takes connections in until the listener closes.
func (l *Lane) accept() {
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.accepting = false
		l.settle()
	}()
	var wait time.Duration
	for {
		conn, err := l.base.Accept()
		if err == nil {
			wait = 0
			l.enter(conn)
			continue
		}
		if l.draining.Load() {
			return
		}
		var ne net.Error
		if !errors.As(err, &ne) || !ne.Timeout() && !temporary(err) {
			l.failed <- err
			return
		}
		wait = min(max(2*wait, 5*time.Millisecond), time.Second) // as net/http does when files run out
		l.server.log.Warn("accepting connections", "error", err, "again in", wait)
		time.Sleep(wait)
	}
}

func temporary(err error) bool {
	t, ok := err.(interface{ Temporary() bool })
	return ok && t.Temporary()
}

// enter serves a new connection. While every request is logged they all take
// the long way, where that is done.
func (l *Lane) enter(conn net.Conn) { l.run(&laneConn{Conn: conn, lane: l}) }

// verbose reports whether every request is logged.
func (l *Lane) verbose() bool { return l.server.log.Enabled(context.Background(), slog.LevelDebug) }

// run serves a connection on a goroutine of its own.
func (l *Lane) run(c *laneConn) {
	l.mu.Lock()
	l.conns[c] = struct{}{}
	l.mu.Unlock()
	go func() {
		defer l.leave(c)
		defer l.mend(c)
		if l.verbose() {
			c.handOn()
			return
		}
		c.serve()
	}()
}

// mend keeps a defect from taking more with it than its own connection, as
// net/http does.
func (l *Lane) mend(c *laneConn) {
	if p := recover(); p != nil {
		l.server.metrics.panics.Inc()
		l.server.log.Error("the express lane broke", "error", p, "stack", string(debug.Stack()))
		c.Close()
	}
}

func (l *Lane) leave(c *laneConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, c)
	l.settle()
}

// hand gives a connection to whoever accepts.
func (l *Lane) hand(c net.Conn) {
	select {
	case l.out <- c:
	case <-l.closed:
		c.Close()
	}
}
