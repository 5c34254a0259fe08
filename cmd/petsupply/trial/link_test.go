package trial

import (
	"io"
	"net"
	"sync"
	"testing"
)

// A link is a connection between an instance and its database that can be cut or hang. While it
// hangs, nothing gets lost, but nothing moves.
type link struct {
	address string
	target  string // address of a socket

	mu     sync.Mutex
	moving *sync.Cond
	cut    bool
	hung   bool
	closed bool
	conns  map[net.Conn]bool
}

// newLink opens a link to the socket for the duration of the test.
func newLink(t testing.TB, socket string) *link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{address: listener.Addr().String(), target: socket, conns: map[net.Conn]bool{}}
	l.moving = sync.NewCond(&l.mu)
	go l.accept(listener)
	t.Cleanup(func() {
		listener.Close()
		l.set(func() { l.cut, l.hung, l.closed = true, false, true })
	})
	return l
}

// set changes the state of the link. A link that is cut loses its connections.
func (l *link) set(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	if l.cut {
		for c := range l.conns {
			c.Close()
		}
	}
	l.moving.Broadcast()
}

// sever refuses everything.
func (l *link) sever() { l.set(func() { l.cut = true }) }

// hang accepts connections and bytes but forwards nothing.
func (l *link) hang() { l.set(func() { l.hung = true }) }

// mend forwards everything again.
func (l *link) mend() { l.set(func() { l.cut, l.hung = false, false }) }

func (l *link) accept(listener net.Listener) {
	for {
		near, err := listener.Accept()
		if err != nil {
			return
		}
		go l.join(near)
	}
}

// join connects near to the target and copies both ways.
func (l *link) join(near net.Conn) {
	defer near.Close()
	if !l.enter(near) {
		return
	}
	defer l.leave(near)
	if !l.pass() {
		return
	}
	far, err := net.Dial("unix", l.target)
	if err != nil {
		return
	}
	defer far.Close()
	if !l.enter(far) {
		return
	}
	defer l.leave(far)
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
		both.Go(func() {
			io.Copy(gated{way[1], l}, way[0])
			near.Close()
			far.Close()
		})
	}
	both.Wait()
}

func (l *link) enter(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.cut {
		l.conns[c] = true
	}
	return !l.cut
}

func (l *link) leave(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, c)
}

// pass waits while the link hangs, and reports whether the link still works.
func (l *link) pass() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.hung && !l.cut {
		l.moving.Wait()
	}
	return !l.cut
}

// gated writes while the link does not hang.
type gated struct {
	net.Conn
	link *link
}

func (g gated) Write(b []byte) (int, error) {
	if !g.link.pass() {
		return 0, net.ErrClosed
	}
	return g.Conn.Write(b)
}
