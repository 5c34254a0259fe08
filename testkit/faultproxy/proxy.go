// Package faultproxy is a proxy between a program and its node that misbehaves on command. Make one
// with Test or Listen, use its URL instead of the node's, and Set a Fault. Setting None ends the
// fault.
package faultproxy

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// A Proxy is in front of one node and speaks JSON-RPC over HTTP.
type Proxy struct {
	URL string

	address string
	node    string // URL of the node
	client  *http.Client

	mu      sync.Mutex
	fault   Fault
	changed chan struct{} // closed when the fault changes, which ends requests that hang
	server  *http.Server  // nil while connections are refused
	counts  Counts
}

// Counts has the traffic of a proxy since its start or since Reset.
type Counts struct {
	Requests int            // HTTP requests; a batch is one request
	Calls    int            // JSON-RPC calls in these requests
	Methods  map[string]int // the same by method
	Sent     int64          // bytes of answers that the program took
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
		counts:  Counts{Methods: map[string]int{}},
	}
	if err := p.open(); err != nil {
		return nil, err
	}
	p.URL = "http://" + p.address
	return p, nil
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
	case !f.refuse && server == nil:
		return p.open()
	}
	return nil
}

// Counts returns the traffic so far.
func (p *Proxy) Counts() Counts {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.counts
	c.Methods = maps.Clone(c.Methods)
	return c
}

// Reset sets all counts to zero.
func (p *Proxy) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts = Counts{Methods: map[string]int{}}
}

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

// limit bounds the size of a request.
const limit = 64 << 20

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, limit))
	if err != nil {
		return
	}
	x, err := parse(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w = &counter{ResponseWriter: w, proxy: p}
	f, changed := p.count(x)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() {
		select {
		case <-changed:
			cancel()
		case <-ctx.Done():
		}
	}()
	if f.early != nil {
		f.early(ctx, w, x)
		return
	}
	if f.limits(w, x) {
		return
	}
	// A request that has begun is answered even if the fault changes meanwhile.
	answer, err := p.answer(context.WithoutCancel(ctx), f, x)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	write := f.write
	if write == nil {
		write = plainly
	}
	write(ctx, w, answer)
}

// count counts a request and returns the fault for it.
func (p *Proxy) count(x *exchange) (Fault, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts.Requests++
	p.counts.Calls += len(x.calls)
	for _, c := range x.calls {
		p.counts.Methods[c.Method]++
	}
	f := p.fault
	if f.pass != nil && f.pass() {
		f = None()
	}
	return f, p.changed
}

// counter counts the bytes that went out.
type counter struct {
	http.ResponseWriter
	proxy *Proxy
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.proxy.mu.Lock()
	c.proxy.counts.Sent += int64(n)
	c.proxy.mu.Unlock()
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }
