package app

import (
	"container/list"
	"log/slog"
	"net"
	"net/netip"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/web/answer"
)

// A boundedListener holds a bounded number of connections. One too many closes
// one that is idle or silent or, if none of those that it looks at is, one of
// the address that holds most of them. So new callers are never shut out by
// those who only stay, and nobody who is busy by those who only come.
type boundedListener struct {
	net.Listener
	maxConns int
	trusted  []netip.Prefix // proxies: they hold many for others
	shed     prometheus.Counter

	mu    sync.Mutex
	conns list.List          // of *conn, the one that is looked at next in front
	held  map[netip.Addr]int // how many of conns, by holder
}

// maxLooks is how many connections are looked at to find one to close.
const maxLooks = 64

// How often a connection is passed by when one is to be closed, by what it did
// last.
const (
	passNew      = 1 + iota // nothing yet
	passAnswered            // it was written to
	passAsked               // it was read from: an answer may be under way
)

// A conn is one connection of a boundedListener.
type conn struct {
	net.Conn
	listener *boundedListener
	holder   netip.Addr    // whom it counts for; the zero Addr: nobody
	passes   atomic.Int32  // how often it is still passed by
	element  *list.Element // of listener.conns, nil once removed; guarded by listener.mu
}

func newBoundedListener(l net.Listener, maxConns int, trusted []netip.Prefix) *boundedListener {
	return &boundedListener{Listener: l, maxConns: maxConns, trusted: trusted, held: map[netip.Addr]int{},
		shed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "petsupply_http_connections_shed_total", Help: "Connections that were closed because there were too many."})}
}

// Accept returns the next connection, and closes another if there are too many.
func (l *boundedListener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: accepted, listener: l, holder: l.holder(accepted.RemoteAddr())}
	c.passes.Store(passNew)
	var dropped *conn
	l.mu.Lock()
	if l.conns.Len() >= l.maxConns {
		dropped = l.pick()
		l.remove(dropped)
	}
	c.element = l.conns.PushBack(c)
	l.held[c.holder]++
	l.mu.Unlock()
	if dropped != nil {
		l.shed.Inc()
		dropped.Conn.Close()
	}
	return c, nil
}

// holder is whom a connection counts for.
func (l *boundedListener) holder(remote net.Addr) netip.Addr {
	tcp, ok := remote.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	a := tcp.AddrPort().Addr().Unmap()
	if slices.ContainsFunc(l.trusted, func(p netip.Prefix) bool { return p.Contains(a) }) {
		return netip.Addr{}
	}
	return answer.Network(a)
}

// pick chooses a connection to close: the first that did nothing since it was
// last passed by, else of those looked at one of the largest holder, the least
// busy first. The caller holds mu, and there is a connection.
func (l *boundedListener) pick() *conn {
	var most *conn
	var mostHeld, mostPasses int
	for range min(maxLooks, l.conns.Len()) {
		c := l.conns.Front().Value.(*conn)
		l.conns.MoveToBack(c.element)
		passes := c.passes.Load()
		if passes == 0 {
			return c
		}
		c.passes.CompareAndSwap(passes, passes-1)
		held := 1
		if c.holder.IsValid() {
			held = l.held[c.holder]
		}
		if most == nil || held > mostHeld || held == mostHeld && int(passes) < mostPasses {
			most, mostHeld, mostPasses = c, held, int(passes)
		}
	}
	return most
}

// remove takes a connection out, if it is still in. The caller holds mu.
func (l *boundedListener) remove(c *conn) {
	if c.element == nil {
		return
	}
	l.conns.Remove(c.element)
	c.element = nil
	if l.held[c.holder]--; l.held[c.holder] == 0 {
		delete(l.held, c.holder)
	}
}

// open is how many connections are open.
func (l *boundedListener) open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conns.Len()
}

// Read notes that something was asked.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && c.passes.Load() != passAsked {
		c.passes.Store(passAsked)
	}
	return n, err
}

// Write notes that something was answered.
func (c *conn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	if n > 0 && c.passes.Load() != passAnswered {
		c.passes.Store(passAnswered)
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
