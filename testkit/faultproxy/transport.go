package faultproxy

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
)

// RoundTrip answers a request as the port of the proxy would.
func (p *Proxy) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	refuse := p.fault.refuse
	p.mu.Unlock()
	if refuse {
		return nil, errors.New("connection refused")
	}
	body, out := io.Pipe()
	w := &pipedAnswer{out: out, header: http.Header{}, begun: make(chan struct{})}
	go func() {
		p.serve(w, r)
		w.begin(http.StatusOK)
		out.Close()
	}()
	select {
	case <-w.begun:
	case <-r.Context().Done():
		body.Close()
		return nil, r.Context().Err()
	}
	if w.status == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	context := r.Context()
	go func() { // a caller who leaves ends the answer
		<-context.Done()
		body.CloseWithError(context.Err())
	}()
	return &http.Response{StatusCode: w.status, Status: http.StatusText(w.status), Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1, Header: w.header, ContentLength: -1, Body: body, Request: r}, nil
}

// A pipedAnswer is an answer that its caller reads while it is written.
type pipedAnswer struct {
	out    *io.PipeWriter
	header http.Header
	status int           // 0 means that the connection was cut before
	begun  chan struct{} // closed when the status is known
	done   bool
}

func (w *pipedAnswer) Header() http.Header    { return w.header }
func (w *pipedAnswer) WriteHeader(status int) { w.begin(status) }

func (w *pipedAnswer) Write(b []byte) (int, error) {
	w.begin(http.StatusOK)
	return w.out.Write(b)
}

// FlushError does nothing: nothing is buffered.
func (w *pipedAnswer) FlushError() error { return nil }

func (w *pipedAnswer) begin(status int) {
	if !w.done {
		w.done = true
		w.status = status
		close(w.begun)
	}
}

// Hijack returns a connection that can only be closed, which cuts the answer off.
func (w *pipedAnswer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return cutConn{w: w}, nil, nil
}

type cutConn struct {
	net.Conn
	w *pipedAnswer
}

func (c cutConn) Close() error {
	c.w.begin(0)
	return c.w.out.CloseWithError(io.ErrUnexpectedEOF)
}
