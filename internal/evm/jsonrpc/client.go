// Package jsonrpc talks to one node by JSON-RPC over HTTP. Client.Send sends many requests in one
// round trip if the node allows it, and otherwise learns the node's limits. It bounds how much of
// an answer it reads. Every failure is a Fault with one of a fixed set of outcomes. A Fault quotes
// the node's numeric error code, but neither its address nor its messages.
package jsonrpc

import (
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"
)

// A Client talks to one node. Many goroutines may use it at once. Only post has the node's URL.
type Client struct {
	post    postFunc
	timeout time.Duration
	observe func(time.Duration)
	jitter  func(time.Duration) time.Duration
	close   func()
	lastID  atomic.Uint64 // id of the last request
	allowed allowance
}

// A Config is the configuration of a Client.
type Config struct {
	URL       string
	Timeout   time.Duration       // of one post and its retry
	Observe   func(time.Duration) // called with the time of each answered round trip
	Transport http.RoundTripper   // nil means a new one

	Jitter func(time.Duration) time.Duration // a random duration from 0 up to its argument; nil means rand.N
}

// New returns a client. It sends no request.
func New(cfg Config) *Client {
	if cfg.Transport == nil {
		cfg.Transport = newTransport()
	}
	if cfg.Jitter == nil {
		cfg.Jitter = rand.N[time.Duration]
	}
	client := &http.Client{
		Transport: cfg.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // only the configured node may answer
		},
	}
	c := &Client{
		post:    newPost(cfg.URL, client),
		timeout: cfg.Timeout,
		observe: cfg.Observe,
		jitter:  cfg.Jitter,
		close:   client.CloseIdleConnections,
	}
	c.allowed.reset()
	return c
}

func newTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 8
	t.MaxResponseHeaderBytes = maxErrorBody
	t.ReadBufferSize = 16 << 10
	t.WriteBufferSize = 64 << 10 // most batches fit in it
	return t
}

// Close closes idle connections.
func (c *Client) Close() { c.close() }

// Requests returns how many requests were sent so far.
func (c *Client) Requests() uint64 { return c.lastID.Load() }

// MostCalls returns how many requests the node takes in one post, as far as we know. 1 means that
// it takes no batches.
func (c *Client) MostCalls() int { return int(c.allowed.calls.Load()) }
