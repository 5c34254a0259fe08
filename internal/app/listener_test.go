package app

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"petsupply/internal/turns"
)

func TestBoundedListenerClosesTheOldest(t *testing.T) {
	base, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := newBoundedListener(base, 2, nil)
	defer c.Close()
	come := func() (near, far net.Conn) {
		t.Helper()
		near, err := net.Dial("tcp", base.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { near.Close() })
		if far, err = c.Accept(); err != nil {
			t.Fatal(err)
		}
		return near, far
	}
	first, _ := come()
	_, second := come()
	if second.Close(); c.open() != 1 {
		t.Fatalf("%d are there, want 1", c.open())
	}
	second.Close() // closing twice frees no other place
	third, far := come()
	come()
	if _, err := first.Read(make([]byte, 1)); err == nil || c.open() != 2 {
		t.Errorf("the first is still there (%v), %d are", err, c.open())
	}
	if _, err := far.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(third, make([]byte, 1)); err != nil {
		t.Errorf("the third was closed too: %v", err)
	}
	if n := testutil.ToFloat64(c.shed); n != 1 {
		t.Errorf("%v were counted as shed, want 1", n)
	}
}

// A standIn is a connection in memory that comes from an address.
type standIn struct {
	net.Conn
	remote string
}

func (c standIn) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.remote))
}

// A queue is a listener that accepts the connections sent to it.
type queue chan net.Conn

func (q queue) Accept() (net.Conn, error) { return <-q, nil }
func (queue) Close() error                { return nil }
func (queue) Addr() net.Addr              { return nil }

// come makes the listener accept a connection from an address, and returns both ends.
func come(t *testing.T, l *boundedListener, from string) (near, far net.Conn) {
	t.Helper()
	near, other := net.Pipe()
	go func() { l.Listener.(queue) <- standIn{other, from} }()
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return near, far
}

// ask reports whether a request gets through and is answered.
func ask(near, far net.Conn) bool {
	go func() { _, _ = near.Write([]byte("?")) }()
	if _, err := far.Read(make([]byte, 1)); err != nil {
		return false
	}
	go func() { _, _ = far.Write([]byte("!")) }()
	_, err := near.Read(make([]byte, 1))
	return err == nil
}

func TestABusyConnectionOutlivesIdleAndSilentOnes(t *testing.T) {
	l := newBoundedListener(make(queue), 20, nil)
	busy, busyFar := come(t, l, "192.0.2.1:1")
	idle, idleFar := come(t, l, "192.0.2.1:2")
	ask(idle, idleFar)
	for i := range 200 {
		if i%5 == 0 && !ask(busy, busyFar) {
			t.Fatalf("silent connection %d closed the busy one", i)
		}
		come(t, l, "192.0.2.1:3") // the same address, which is the worst case
	}
	if l.open() != 20 || ask(idle, idleFar) {
		t.Errorf("%d are open, the idle one among them", l.open())
	}
}

func TestAmongBusyConnectionsTheLargestHolderGivesWay(t *testing.T) {
	l := newBoundedListener(make(queue), 12, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})
	type ends struct{ near, far net.Conn }
	conns := map[string][]ends{}
	add := func(from string) {
		near, far := come(t, l, from+":1")
		conns[from] = append(conns[from], ends{near, far})
	}
	// Every connection sends a request between two arrivals.
	alive := func(from string) (n int) {
		for _, c := range conns[from] {
			if ask(c.near, c.far) {
				n++
			}
		}
		return n
	}
	for range 6 {
		add("10.0.0.1") // a trusted proxy
	}
	add("192.0.2.1")
	for range 5 {
		add("192.0.2.9")
	}
	for i := range 3 {
		for from := range conns {
			alive(from)
		}
		add("192.0.2.10" + strconv.Itoa(i))
	}
	for from, want := range map[string]int{"10.0.0.1": 6, "192.0.2.1": 1, "192.0.2.9": 2, "192.0.2.100": 1,
		"192.0.2.101": 1, "192.0.2.102": 1} {
		if n := alive(from); n != want {
			t.Errorf("%d connections of %s are left, not %d", n, from, want)
		}
	}
}

// The first requests of connections take turns, one address after the other. A turn ends when the
// connection is read again, or when its caller does not read the answer.
func TestFirstRequestsTakeTurns(t *testing.T) {
	base, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := newBoundedListener(base, 100, nil)
	defer l.Close()
	l.starts, l.longest = turns.New("connections", 1, 100), time.Hour
	connect := func(from byte) net.Conn {
		t.Helper()
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, from)}}
		near, err := dialer.Dial("tcp", base.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := near.Write([]byte("??")); err != nil {
			t.Fatal(err)
		}
		far, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { near.Close(); far.Close() })
		return far
	}
	read := func(c net.Conn) error {
		_, err := c.Read(make([]byte, 1))
		return err
	}
	for range 2 { // a single address does not wait
		if err := read(connect(1)); err != nil {
			t.Fatal(err)
		}
	}
	first, second, third := connect(2), connect(3), connect(4)
	if err := read(first); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 2)
	go func() { done <- read(second) }()
	until(t, "the second waits", func() bool { return l.starts.Waiting() == 1 })
	if err := errors.Join(read(first), <-done); err != nil {
		t.Fatal(err)
	}
	go func() { done <- read(third) }()
	until(t, "the third waits", func() bool { return l.starts.Waiting() == 1 })
	go func() { _, _ = second.Write(make([]byte, 64<<20)) }()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// A connection whose first request gets no turn is closed, and its request is not read.
func TestAConnectionWithoutATurnIsClosed(t *testing.T) {
	l := newBoundedListener(make(queue), 20, nil)
	l.starts, l.longest = turns.New("connections", 1, 0), time.Hour
	working, worker := come(t, l, "192.0.2.1:1")
	near, far := come(t, l, "192.0.2.2:1")
	for _, c := range []net.Conn{working, near} {
		go func() { _, _ = c.Write([]byte("?")) }()
	}
	if n, err := worker.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Fatalf("the first: %d bytes, %v", n, err)
	}
	if n, err := far.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("without a turn %d bytes were read: %v", n, err)
	}
	if _, err := near.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the caller sees %v", err)
	}
	if n := testutil.ToFloat64(l.shed); n != 1 || l.open() != 1 {
		t.Errorf("%v were counted as shed, and %d are open", n, l.open())
	}
}
