package app

import (
	"container/list"
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/turns"
	"petsupply/internal/web/answer"
)

// A boundedListener limits the number of connections. If there is one too many, it closes an idle
// connection, or else a connection of the address that has the most. So idle callers never keep out
// new ones, and a caller with many connections loses its own first. The first request of a new
// connection waits for its turn in a queue that serves all addresses alike. So an address that
// opens thousands of connections at once delays only itself.
type boundedListener struct {
	net.Listener
	maxConns int
	trusted  []netip.Prefix // proxies, which have many connections for other callers
	shed     prometheus.Counter
	starts   *turns.Queue  // the queue of first requests; leaves one processor free
	longest  time.Duration // how long the turn of a first request may last

	mu    sync.Mutex
	conns list.List          // *conn values; pick looks at the front first
	held  map[netip.Addr]int // number of connections, by conn.holder

	holders atomic.Int32 // len(held)
}

// maxLooks is the largest number of connections that one call of pick looks at.
const maxLooks = 64

// How many times pick skips a connection, depending on what last happened to the connection.
const (
	passNew      = 1 + iota // nothing yet
	passAnswered            // it was written to
	passAsked               // it was read from, so an answer may follow
)

// A conn is one connection of a boundedListener.
type conn struct {
	net.Conn
	listener *boundedListener
	holder   netip.Addr    // the caller's address or network; zero for a trusted proxy
	passes   atomic.Int32  // how many more times pick skips it
	place    *list.Element // in listener.conns, nil once removed; guarded by listener.mu
	streams  answer.Streams
	started  bool                   // something was read from it
	leave    atomic.Pointer[func()] // ends its turn; nil if it has none
}

// longestStart limits the turn of a first request, because such a request may wait for a node.
const longestStart = 50 * time.Millisecond

func newBoundedListener(l net.Listener, maxConns int, trusted []netip.Prefix) *boundedListener {
	return &boundedListener{Listener: l, maxConns: maxConns, trusted: trusted, held: map[netip.Addr]int{},
		starts: turns.New("connections", runtime.GOMAXPROCS(0)-1, maxConns), longest: longestStart,
		shed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "petsupply_http_connections_shed_total", Help: "Connections that were closed because there were too many."})}
}

// Accept returns the next connection. If there are too many, it closes an older one.
func (l *boundedListener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: accepted, listener: l, holder: answer.Holder(accepted.RemoteAddr(), l.trusted)}
	c.passes.Store(passNew)
	var dropped *conn
	l.mu.Lock()
	if l.conns.Len() >= l.maxConns {
		dropped = l.pick()
		l.remove(dropped)
	}
	c.place = l.conns.PushBack(c)
	l.held[c.holder]++
	l.holders.Store(int32(len(l.held)))
	l.mu.Unlock()
	if dropped != nil {
		l.shed.Inc()
		dropped.Conn.Close()
	}
	return c, nil
}

// pick chooses a connection to close. It looks at up to maxLooks connections, and takes the first
// that it may not skip any more (see conn.passes). If it may skip all of them, it takes a connection
// of the address that has the most. Of several such connections, it takes the one that it may skip
// the fewest times. The caller holds mu, and there is at least one connection.
func (l *boundedListener) pick() *conn {
	var most *conn
	var mostHeld, mostPasses int
	for range min(maxLooks, l.conns.Len()) {
		c := l.conns.Front().Value.(*conn)
		l.conns.MoveToBack(c.place)
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

// remove removes a connection, if it is still in the list. The caller holds mu.
func (l *boundedListener) remove(c *conn) {
	if c.place == nil {
		return
	}
	l.conns.Remove(c.place)
	c.place = nil
	if l.held[c.holder]--; l.held[c.holder] == 0 {
		delete(l.held, c.holder)
		l.holders.Store(int32(len(l.held)))
	}
}

// open returns how many connections are open.
func (l *boundedListener) open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conns.Len()
}

// streamsOf returns the streams of a connection if it may speak HTTP/2, or else nil.
func streamsOf(c net.Conn) *answer.Streams {
	if secure, ok := c.(*tls.Conn); ok {
		if own, ok := secure.NetConn().(*conn); ok {
			return &own.streams
		}
	}
	return nil
}

// Read notes that the caller sent something. If other addresses are connected too, the first Read
// waits for a turn. If it gets none, it closes the connection.
func (c *conn) Read(b []byte) (int, error) {
	c.endTurn()
	n, err := c.Conn.Read(b)
	if n > 0 && c.passes.Load() != passAsked {
		c.passes.Store(passAsked)
	}
	if n > 0 && !c.started {
		c.started = true
		if c.listener.holders.Load() > 1 && !c.takeTurn() {
			c.listener.shed.Inc()
			c.Close()
			return 0, io.EOF
		}
	}
	return n, err
}

// takeTurn waits for a turn, and reports whether it got one. The turn ends at the next Read, at a
// Write that cannot be sent at once, at Close, or after the time in listener.longest.
func (c *conn) takeTurn() bool {
	leave, err := c.listener.starts.Enter(turns.For(context.Background(), c.holder))
	if err != nil {
		return false
	}
	c.leave.Store(&leave)
	time.AfterFunc(c.listener.longest, c.endTurn)
	return true
}

func (c *conn) endTurn() {
	if leave := c.leave.Swap(nil); leave != nil {
		(*leave)()
	}
}

// Write notes that something was sent to the caller. If b cannot be sent at once, it ends the turn.
func (c *conn) Write(b []byte) (int, error) {
	sent := 0
	if c.leave.Load() != nil {
		if sent = writeAtOnce(c.Conn, b); sent < len(b) {
			c.endTurn()
		}
	}
	n, err := c.Conn.Write(b[sent:])
	n += sent
	if n > 0 && c.passes.Load() != passAnswered {
		c.passes.Store(passAnswered)
	}
	return n, err
}

// Close ends the connection and makes room for another.
func (c *conn) Close() error {
	c.endTurn()
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

const (
	spareFiles = 512      // open files that are left for the store, the nodes, the object store and the ops listener
	connMemory = 24 << 10 // bytes of memory of an idle connection
)

// defaultMaxConns returns how many connections the limit of open files and half of the memory limit
// allow, but at least 16.
func defaultMaxConns(log *slog.Logger) int {
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
