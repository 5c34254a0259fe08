package express

import (
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

const (
	silentRequest = "GET /silent HTTP/1.1\r\nHost: a\r\n\r\n"
	lateRequest   = "GET /late HTTP/1.1\r\nHost: a\r\n\r\n"
)

func TestACallerWhoLeavesDuringALookupIsNoticed(t *testing.T) {
	f := newFigures()
	_, _, addr := serve(t, f, Limits{Header: time.Minute, Idle: time.Minute})
	c, _ := dial(t, addr)
	if _, err := io.WriteString(c, silentRequest); err != nil {
		t.Fatal(err)
	}
	<-f.waits
	_ = c.Close()
	select {
	case <-f.noticed:
	case <-time.After(time.Minute):
		t.Error("the look-up still waits for a caller who has left")
	}
}

// A watchedListener tells when a connection begins to read one byte ahead, which
// is how a lane watches its caller, and when it has read it.
type watchedListener struct {
	net.Listener
	begins, ends chan struct{}
}

func (l watchedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return watchedConn{c, l}, err
}

type watchedConn struct {
	net.Conn
	listener watchedListener
}

func (c watchedConn) Read(b []byte) (int, error) {
	if len(b) != 1 {
		return c.Conn.Read(b)
	}
	c.listener.begins <- struct{}{}
	n, err := c.Conn.Read(b)
	c.listener.ends <- struct{}{}
	return n, err
}

func TestWhatIsAskedDuringALookupIsAnswered(t *testing.T) {
	for name, watched := range map[string]bool{"unwatched": false, "watched": true} {
		t.Run(name, func(t *testing.T) {
			f := newFigures()
			plain, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			// Both channels have room, so that only the watched case waits for them.
			l := watchedListener{plain, make(chan struct{}, 1), make(chan struct{}, 1)}
			srv := &http.Server{Handler: f}
			go func() { _ = srv.Serve(f.newLane(l, Limits{Header: time.Minute, Idle: time.Minute})) }()
			t.Cleanup(func() { _ = srv.Close() })
			c, r := dial(t, plain.Addr().String())
			if _, err := io.WriteString(c, lateRequest); err != nil {
				t.Fatal(err)
			}
			<-f.waits
			if watched {
				<-l.begins
			}
			if _, err := io.WriteString(c, figureRequest); err != nil {
				t.Fatal(err)
			}
			if watched {
				<-l.ends
			}
			<-f.noticed
			for range 2 {
				resp, err := http.ReadResponse(r, nil)
				if err != nil {
					t.Fatal(err)
				}
				if body, err := io.ReadAll(resp.Body); err != nil || string(body) != figure {
					t.Errorf("%q, %v", body, err)
				}
			}
			if f.answered.Load() != 2 || f.handed.Load() != 0 {
				t.Errorf("%d of 2 were answered in the lane", f.answered.Load())
			}
		})
	}
}
