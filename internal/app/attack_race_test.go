package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// countedListener counts the bytes that its connections read.
type countedListener struct {
	net.Listener
	read *atomic.Int64
}

func (l countedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return countedConn{c, l.read}, err
}

type countedConn struct {
	net.Conn
	read *atomic.Int64
}

func (c countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.read.Add(int64(n))
	return n, err
}

// secureServer runs a public server over TLS. It returns a function that dials it, and the number
// of bytes that it has read.
func secureServer(t *testing.T, handler http.HandlerFunc) (dial func() (*tls.Conn, *http2.Framer), read *atomic.Int64) {
	t.Helper()
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	read = new(atomic.Int64)
	listener := countedListener{plain, read}
	model := httptest.NewUnstartedServer(nil) // has a certificate
	model.StartTLS()
	t.Cleanup(model.Close)
	server := newServer(handler, slog.New(slog.DiscardHandler))
	go server.Serve(tls.NewListener(listener, &tls.Config{NextProtos: []string{"h2"},
		Certificates: model.TLS.Certificates}))
	t.Cleanup(func() { server.Close() })
	return func() (*tls.Conn, *http2.Framer) {
		conn, err := tls.Dial("tcp", listener.Addr().String(), &tls.Config{NextProtos: []string{"h2"},
			InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		framer := http2.NewFramer(conn, conn)
		if _, err = io.WriteString(conn, http2.ClientPreface); err == nil {
			err = framer.WriteSettings()
		}
		if err != nil {
			t.Fatal(err)
		}
		return conn, framer
	}, read
}

// refused returns a context that ends when the server sends GOAWAY or closes the connection.
func refused(t *testing.T, framer *http2.Framer) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for {
			frame, err := framer.ReadFrame()
			if _, goes := frame.(*http2.GoAwayFrame); goes || err != nil {
				return
			}
		}
	}()
	return ctx
}

// plainGet returns the header of a request.
func plainGet() []byte {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	for _, f := range [][2]string{{":method", "GET"}, {":scheme", "https"}, {":authority", "example.com"},
		{":path", "/"}} {
		e.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]})
	}
	return b.Bytes()
}

// TestRapidResetsOfHTTP2AreBounded: a client opens streams and resets them at once. It never has
// more running handlers than a connection may have streams, and the server ends the connection.
func TestRapidResetsOfHTTP2AreBounded(t *testing.T) {
	var working, most atomic.Int64
	release := make(chan struct{})
	dial, _ := secureServer(t, func(_ http.ResponseWriter, r *http.Request) {
		n := working.Add(1)
		defer working.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		<-release // the handler does not notice that the caller has left
	})
	defer close(release)
	conn, framer := dial()
	ended := refused(t, framer)
	header := plainGet()
	conn.SetWriteDeadline(time.Now().Add(20 * time.Second))
	var err error
	for id := uint32(1); id < 2*20_000 && err == nil; id += 2 {
		err = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: header, EndStream: true,
			EndHeaders: true})
		if err == nil {
			err = framer.WriteRSTStream(id, http2.ErrCodeCancel)
		}
	}
	select {
	case <-ended.Done():
	case <-time.After(20 * time.Second):
		t.Error("the connection was not ended")
	}
	if n := most.Load(); n > maxStreams {
		t.Errorf("%d handlers worked for one connection at once", n)
	}
}

// TestEndlessHeadersOfHTTP2AreBounded: a header that continues in CONTINUATION frames becomes too
// long, and the server ends the connection soon after.
func TestEndlessHeadersOfHTTP2AreBounded(t *testing.T) {
	dial, read := secureServer(t, func(http.ResponseWriter, *http.Request) { t.Error("the request was served") })
	conn, framer := dial()
	var part bytes.Buffer
	hpack.NewEncoder(&part).WriteField(hpack.HeaderField{Name: "x", Value: string(bytes.Repeat([]byte{'a'}, 12_000)),
		Sensitive: true})
	conn.SetWriteDeadline(time.Now().Add(20 * time.Second))
	err := framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: plainGet()})
	ended := refused(t, framer)
	for sent := 0; err == nil && ended.Err() == nil && sent < 8<<20; sent += part.Len() {
		err = framer.WriteContinuation(1, false, part.Bytes())
	}
	select {
	case <-ended.Done():
	case <-time.After(20 * time.Second):
		t.Error("the connection was not ended")
	}
	if n := read.Load(); n > 512<<10 {
		t.Errorf("%d KB of a header were read", n>>10)
	}
}
