package app

import (
	"io"
	"net"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

func TestBoundedListenerClosesTheOldest(t *testing.T) {
	base, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := newBoundedListener(base, 2)
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
	second.Close() // once more: nobody else's place
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
