package app

import (
	"io"
	"math"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"petsupply/testkit/check"
)

// come makes the listener accept a connection, and returns both ends.
func come(t *testing.T, l *boundedListener) (near, far net.Conn) {
	t.Helper()
	dialled := make(chan net.Conn)
	go func() {
		c, _ := l.Listener.(*check.Pipes).Dial(t, math.MaxInt)
		dialled <- c
	}()
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return <-dialled, far
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

func TestTheConnectionThatWasIdleLongestGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newBoundedListener(check.NewPipes(), 3)
		busy, busyFar := come(t, l)
		idle, idleFar := come(t, l)
		_, gone := come(t, l)
		gone.Close()
		gone.Close() // frees no other place
		if l.open() != 2 {
			t.Fatalf("%d are open", l.open())
		}
		time.Sleep(time.Second)
		if !ask(idle, idleFar) {
			t.Fatal("the idle one is closed already")
		}
		for range 20 { // silent newcomers
			time.Sleep(time.Second)
			if !ask(busy, busyFar) {
				t.Fatal("the busy one was closed")
			}
			come(t, l)
		}
		if ask(idle, idleFar) || l.open() != 3 {
			t.Errorf("%d are open, the idle one among them", l.open())
		}
		if n := testutil.ToFloat64(l.shed); n != 19 {
			t.Errorf("%v were counted as shed", n)
		}
	})
}

// net/http does not answer what it reads after Shutdown.
func TestAShutdownWaitsForTheLastAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newBoundedListener(check.NewPipes(), 10)
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(time.Second)
			_, _ = io.WriteString(w, "late")
		})}
		go func() { _ = server.Serve(l) }()
		near, _ := l.Listener.(*check.Pipes).Dial(t, math.MaxInt)
		done := make(chan error, 1)
		server.SetKeepAlivesEnabled(false)
		go func() { done <- l.shutdown(t.Context(), server, func() bool { return true }) }()
		time.Sleep(drainTime / 2)
		if _, err := io.WriteString(near, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(near)
		if err != nil || string(text[len(text)-4:]) != "late" {
			t.Errorf("%q, %v", text, err)
		}
		if err := <-done; err != nil || l.open() != 0 {
			t.Errorf("%v, %d are open", err, l.open())
		}
	})
}
