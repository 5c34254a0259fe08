package check

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// Pipes is a listener for connections in memory. They have no buffers, so the pieces in which a client
// writes arrive as they are.
type Pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// NewPipes returns an open listener.
func NewPipes() *Pipes { return &Pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

// Accept returns the server's end of the next connection.
func (p *Pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (p *Pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr returns an empty address.
func (p *Pipes) Addr() net.Addr { return &net.TCPAddr{} }

// Dial returns the client's end of a new connection. The server reads at most limit bytes, and then the
// end, but can still write. Halved becomes true when the server closes its half.
func (p *Pipes) Dial(t testing.TB, limit int) (client net.Conn, halved *atomic.Bool) {
	client, server := net.Pipe()
	t.Cleanup(func() { _ = client.Close() })
	half := &halfPipe{Conn: server, limit: limit}
	p.conns <- half
	return client, &half.halved
}

type halfPipe struct {
	net.Conn
	limit  int
	halved atomic.Bool
}

func (h *halfPipe) Read(b []byte) (int, error) {
	if h.limit == 0 {
		return 0, io.EOF
	}
	n, err := h.Conn.Read(b[:min(len(b), h.limit)])
	h.limit -= n
	return n, err
}

func (h *halfPipe) CloseWrite() error {
	h.halved.Store(true)
	return nil
}
