// Package faultproxy is a proxy between a program and its node that misbehaves on command. Make one
// with Test or Listen, use its URL instead of the node's, and Set a Fault. Setting None ends the
// fault.
package faultproxy

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A Fault is one way to misbehave. The zero Fault is None. Make a new one for each proxy, because
// some keep count.
type Fault struct {
	Name   string // as in a table of faults
	refuse bool   // closes the port
	// serve answers a request. next passes it to the node, or to the next fault.
	serve func(x *exchange, next func())
}

func (f Fault) String() string { return f.Name }

// A Proxy is in front of one node and speaks JSON-RPC over HTTP.
type Proxy struct {
	URL string

	address string
	node    string // URL of the node
	client  *http.Client

	requests atomic.Int64

	mu      sync.Mutex
	fault   Fault
	changed chan struct{} // closed when the fault changes, which ends requests that hang
	server  *http.Server  // nil while connections are refused
}

// Test makes a proxy that ends with the test.
func Test(t testing.TB, node string) *Proxy {
	t.Helper()
	p, err := Listen(node)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// Listen makes a proxy without a fault for the node with that URL, on a port that the system
// chooses.
func Listen(node string) (*Proxy, error) {
	p := &Proxy{
		address: "127.0.0.1:0",
		node:    node,
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}},
		changed: make(chan struct{}),
	}
	if err := p.open(); err != nil {
		return nil, err
	}
	p.URL = "http://" + p.address
	return p, nil
}

// Around makes a proxy without a port for a node that a transport reaches. The proxy is a transport
// itself, so it works in virtual time.
func Around(node string, transport http.RoundTripper) *Proxy {
	return &Proxy{URL: node, node: node, client: &http.Client{Transport: transport}, changed: make(chan struct{})}
}

// Set changes the fault from the next request on, and ends requests that hang. It returns an error
// if a closed port cannot be opened again.
func (p *Proxy) Set(f Fault) error {
	p.mu.Lock()
	p.fault = f
	close(p.changed)
	p.changed = make(chan struct{})
	server := p.server
	if f.refuse {
		p.server = nil
	}
	p.mu.Unlock()
	switch {
	case f.refuse && server != nil:
		return server.Close()
	case !f.refuse && server == nil && p.address != "":
		return p.open()
	}
	return nil
}

// Requests returns how many HTTP requests arrived since the start or the last Reset. A batch is one.
func (p *Proxy) Requests() int { return int(p.requests.Load()) }

// Reset sets the count of requests to zero.
func (p *Proxy) Reset() { p.requests.Store(0) }

// Close ends the proxy and every connection through it.
func (p *Proxy) Close() {
	p.Set(Refused())
	p.client.CloseIdleConnections()
}

// open listens, always on the same port.
func (p *Proxy) open() error {
	var listener net.Listener
	var err error
	for range 50 {
		if listener, err = net.Listen("tcp", p.address); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond) // the system may not have released the port yet
	}
	if err != nil {
		return fmt.Errorf("opening the proxy of %s: %w", p.node, err)
	}
	p.address = listener.Addr().String()
	server := &http.Server{Handler: http.HandlerFunc(p.serve)}
	p.mu.Lock()
	p.server = server
	p.mu.Unlock()
	go server.Serve(listener)
	return nil
}

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	x, err := parse(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.requests.Add(1)
	p.mu.Lock()
	fault := p.fault
	changed := p.changed
	p.mu.Unlock()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() {
		select {
		case <-changed:
			cancel()
		case <-ctx.Done():
		}
	}()
	x.ctx = ctx
	x.w = w
	x.proxy = p
	x.node = p.node
	if fault.serve == nil {
		x.pass()
		return
	}
	fault.serve(x, x.pass)
}
