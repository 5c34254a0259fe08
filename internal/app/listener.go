package app

import (
	"container/list"
	"log/slog"
	"net"
	"runtime/debug"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// A boundedListener holds a bounded number of connections. One too many closes
// the one that has been open longest: answers are quick, so that one is most
// likely idle, and new callers are never shut out by those who only stay.
type boundedListener struct {
	net.Listener
	maxConns int
	shed     prometheus.Counter

	mu    sync.Mutex
	conns list.List // of *conn, in the order in which they were accepted
}

// A conn is one connection of a boundedListener.
type conn struct {
	net.Conn
	listener *boundedListener
	element  *list.Element // of listener.conns, nil once removed; guarded by listener.mu
}

func newBoundedListener(l net.Listener, maxConns int) *boundedListener {
	return &boundedListener{Listener: l, maxConns: maxConns, shed: prometheus.NewCounter(prometheus.CounterOpts{
		Name: "petsupply_http_connections_shed_total", Help: "Connections that were closed because there were too many."})}
}

// Accept returns the next connection, and closes the oldest if there are too many.
func (l *boundedListener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: accepted, listener: l}
	l.mu.Lock()
	c.element = l.conns.PushBack(c)
	var oldest *conn
	if l.conns.Len() > l.maxConns {
		oldest = l.conns.Remove(l.conns.Front()).(*conn)
		oldest.element = nil
	}
	l.mu.Unlock()
	if oldest != nil {
		l.shed.Inc()
		oldest.Conn.Close()
	}
	return c, nil
}

// open is how many connections are open.
func (l *boundedListener) open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conns.Len()
}

// Close ends the connection and makes room for another.
func (c *conn) Close() error {
	c.listener.mu.Lock()
	if c.element != nil {
		c.listener.conns.Remove(c.element)
		c.element = nil
	}
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite lets a server end a connection without cutting its last answer off.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

const (
	spareFiles = 512      // for the store, the nodes, the object store and the ops listener
	connMemory = 24 << 10 // what an idle connection costs
)

// defaultMaxConns is how many connections the process can bear: as many as it
// may have files open, and as half of its memory holds.
func defaultMaxConns(log *slog.Logger) int {
	n := 1 << 20
	if files, err := maxOpenFiles(); err != nil {
		log.Warn("asking how many files may be open", "error", err)
	} else if files < uint64(n) {
		n = int(files) - min(spareFiles, int(files)/2)
	}
	if memory := debug.SetMemoryLimit(-1); memory < 1<<62 {
		n = min(n, int(memory/2/connMemory))
	}
	return max(n, 16)
}
