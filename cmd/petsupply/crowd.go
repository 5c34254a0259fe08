package main

import (
	"container/list"
	"log/slog"
	"net"
	"runtime/debug"
	"sync"
	"syscall"

	"github.com/prometheus/client_golang/prometheus"
)

// A crowd is a listener that holds a bounded number of connections. One too
// many costs the one that has been there longest its place: answers are quick,
// so that one is most likely idle, and new callers are never shut out by those
// who only stay.
type crowd struct {
	net.Listener
	most int
	shed prometheus.Counter

	mu     sync.Mutex
	guests list.List // of *guest, in the order of their coming
}

// A guest is one connection of a crowd.
type guest struct {
	net.Conn
	crowd *crowd
	place *list.Element // nil: has left; guarded by crowd.mu
}

func newCrowd(l net.Listener, most int) *crowd {
	return &crowd{Listener: l, most: most, shed: prometheus.NewCounter(prometheus.CounterOpts{
		Name: "petsupply_http_connections_shed_total", Help: "Connections that were closed because there were too many."})}
}

// Accept returns the next connection, and closes the oldest if there are too many.
func (c *crowd) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	g := &guest{Conn: conn, crowd: c}
	c.mu.Lock()
	g.place = c.guests.PushBack(g)
	var oldest *guest
	if c.guests.Len() > c.most {
		oldest = c.guests.Remove(c.guests.Front()).(*guest)
		oldest.place = nil
	}
	c.mu.Unlock()
	if oldest != nil {
		c.shed.Inc()
		oldest.Conn.Close()
	}
	return g, nil
}

// size is how many connections there are.
func (c *crowd) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.guests.Len()
}

// Close ends the connection and gives its place away.
func (g *guest) Close() error {
	g.crowd.mu.Lock()
	if g.place != nil {
		g.crowd.guests.Remove(g.place)
		g.place = nil
	}
	g.crowd.mu.Unlock()
	return g.Conn.Close()
}

// CloseWrite lets a server say goodbye without cutting its last answer off.
func (g *guest) CloseWrite() error {
	if half, ok := g.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

const (
	spareFiles  = 512      // for the store, the nodes, the object store and the ops listener
	guestMemory = 24 << 10 // what an idle connection costs
)

// places is how many connections the process can bear: as many as it may have
// files open, which the runtime has raised to what the system allows, and as
// half of its memory holds.
func places(log *slog.Logger) int {
	most := 1 << 20
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		log.Warn("asking how many files may be open", "error", err)
	} else if files.Cur < uint64(most) {
		most = int(files.Cur) - min(spareFiles, int(files.Cur)/2)
	}
	if memory := debug.SetMemoryLimit(-1); memory < 1<<62 {
		most = min(most, int(memory/2/guestMemory))
	}
	return max(most, 16)
}
