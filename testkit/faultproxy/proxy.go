// Package faultproxy is a proxy between a program and its node that misbehaves on command. Make one
// with Test, use its URL instead of the node's, and Set a Fault. Setting None ends the fault.
package faultproxy

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"sync"
	"sync/atomic"
	"testing"
)

// A Fault is one way to misbehave. The zero Fault is None. Make a new one for each proxy, because
// some keep count.
type Fault struct {
	Name string // as in a table of faults
	// serve answers a request. next passes it to the node, or to the next fault. An error cuts the
	// connection.
	serve func(x *exchange, next func() (*http.Response, error)) (*http.Response, error)
}

func (f Fault) String() string { return f.Name }

// A Proxy is in front of one node and speaks JSON-RPC over HTTP.
type Proxy struct {
	URL string

	node      string // URL of the node
	transport http.RoundTripper
	requests  atomic.Int64

	mu      sync.Mutex // guards fault and changed
	fault   Fault
	changed chan struct{} // closed when the fault changes, which ends requests that hang
}

// Test makes a proxy on a port, for the node with that URL. It ends with the test.
func Test(t testing.TB, node string) *Proxy {
	transport := &http.Transport{MaxIdleConnsPerHost: 16}
	p := Around(node, transport)
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:       func(*httputil.ProxyRequest) {},
		Transport:     p,
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	})
	p.URL = server.URL
	t.Cleanup(func() {
		p.Set(Refused())
		server.CloseClientConnections()
		server.Close()
		transport.CloseIdleConnections()
	})
	return p
}

// Around makes a proxy without a port for a node that a transport reaches. The proxy is a transport
// itself, so it works in virtual time.
func Around(node string, transport http.RoundTripper) *Proxy {
	return &Proxy{URL: node, node: node, transport: transport, changed: make(chan struct{})}
}

// Set changes the fault from the next request on, and ends requests that hang.
func (p *Proxy) Set(f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = f
	close(p.changed)
	p.changed = make(chan struct{})
}

// Requests returns how many HTTP requests arrived since the start or the last Reset. A batch is one.
func (p *Proxy) Requests() int { return int(p.requests.Load()) }

// Reset sets the count of requests to zero.
func (p *Proxy) Reset() { p.requests.Store(0) }

// RoundTrip answers a request with the current fault.
func (p *Proxy) RoundTrip(r *http.Request) (*http.Response, error) {
	p.requests.Add(1)
	p.mu.Lock()
	x := &exchange{proxy: p, request: r, node: p.node, changed: p.changed}
	fault := p.fault
	p.mu.Unlock()
	if err := x.parse(); err != nil {
		return nil, err
	}
	if fault.serve == nil {
		return x.pass()
	}
	return fault.serve(x, x.pass)
}
