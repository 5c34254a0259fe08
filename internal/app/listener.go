package app

import (
	"container/list"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// A boundedListener limits the number of connections. If there is one too many, it closes the
// connection that sent nothing for the longest time.
type boundedListener struct {
	net.Listener
	maxConns int
	shed     prometheus.Counter

	mu    sync.Mutex
	conns list.List // *conn values, in the order in which they last sent something
}

// A conn is one connection of a boundedListener.
type conn struct {
	net.Conn
	listener *boundedListener
	second   int64         // when it last sent something, in unix seconds; used by Read only
	place    *list.Element // in listener.conns, nil once removed; guarded by listener.mu
}

func newBoundedListener(l net.Listener, maxConns int) *boundedListener {
	return &boundedListener{Listener: l, maxConns: maxConns, shed: prometheus.NewCounter(prometheus.CounterOpts{
		Name: "petsupply_http_connections_shed_total",
		Help: "Connections that were closed because there were too many.",
	})}
}

// Accept returns the next connection. If there are too many, it closes another one.
func (l *boundedListener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: accepted, listener: l, second: time.Now().Unix()}
	var dropped *conn
	l.mu.Lock()
	if l.conns.Len() >= l.maxConns {
		dropped = l.conns.Front().Value.(*conn)
		l.remove(dropped)
	}
	c.place = l.conns.PushBack(c)
	l.mu.Unlock()
	if dropped != nil {
		l.shed.Inc()
		dropped.Conn.Close()
	}
	return c, nil
}

// remove removes a connection, if it is still in the list. The caller holds mu.
func (l *boundedListener) remove(c *conn) {
	if c.place != nil {
		l.conns.Remove(c.place)
		c.place = nil
	}
}

// open returns how many connections are open.
func (l *boundedListener) open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conns.Len()
}

// Read notes that the caller sent something. It does so once a second, so that busy connections
// seldom need the lock. So the order of the list is right to the second.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if now := time.Now().Unix(); n > 0 && now != c.second {
		c.second = now
		c.listener.mu.Lock()
		if c.place != nil {
			c.listener.conns.MoveToBack(c.place)
		}
		c.listener.mu.Unlock()
	}
	return n, err
}

// Close ends the connection and makes room for another.
func (c *conn) Close() error {
	c.listener.mu.Lock()
	c.listener.remove(c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite lets a server end a connection without cutting off its last answer.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// drainTime is how long a server that stops still accepts connections.
const drainTime = 600 * time.Millisecond

// shutdown stops a server of this listener whose connections end with their next answers. net/http does
// not answer requests that it reads after its Shutdown has begun. So shutdown first waits until drained
// returns true: then net/http has all requests that have arrived. At last shutdown waits until all
// connections are closed.
func (l *boundedListener) shutdown(ctx context.Context, server *http.Server, drained func() bool) error {
	accepts, cancel := context.WithTimeout(ctx, drainTime)
	defer cancel()
	isEmpty := func() bool { return l.open() == 0 }
	_ = await(accepts, isEmpty)
	_ = l.Listener.Close()
	_ = await(ctx, drained)
	err := server.Shutdown(ctx)
	if err != nil && !errors.Is(err, net.ErrClosed) { // the server may still know the listener, and close it again
		return err
	}
	return await(ctx, isEmpty)
}

// await waits until a condition is true. It returns the error of ctx if that ends first.
func await(ctx context.Context, is func() bool) error {
	for {
		select {
		case <-time.After(2 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
		if is() {
			return nil
		}
	}
}

const (
	spareFiles = 512      // open files that are left for the store, the nodes, webhooks, witnesses and the ops listener
	connMemory = 24 << 10 // bytes of memory of an idle connection
)

// maxConns returns how many connections the limit of open files and half of the memory limit allow,
// but at least 16.
func maxConns(log *slog.Logger) int {
	n := 1 << 20
	if files, err := maxOpenFiles(); err != nil {
		log.Warn("reading the limit of open files failed", "error", err)
	} else if files < uint64(n) {
		n = int(files) - min(spareFiles, int(files)/2)
	}
	if memory := debug.SetMemoryLimit(-1); memory < 1<<62 {
		n = min(n, int(memory/2/connMemory))
	}
	return max(n, 16)
}
