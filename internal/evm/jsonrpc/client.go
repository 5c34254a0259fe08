// Package jsonrpc asks one node, by JSON-RPC over HTTP. Client.Send makes one
// round trip of many requests where the node allows it, learns what it allows
// where it does not, and reads no more of an answer than there may be. What goes
// wrong is a Fault: one of a closed set of outcomes, in our own words. A Fault
// repeats nothing of the node's address, and of its messages only the numeric code.
package jsonrpc

import (
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"
)

// A Client speaks with one node. Many goroutines may use it at once. Only post holds
// the node's URL.
type Client struct {
	post    postFunc
	timeout time.Duration
	observe func(time.Duration)
	jitter  func(time.Duration) time.Duration
	close   func()
	lastID  atomic.Uint64 // of a request
	allowed allowance
}

// A Config is the configuration of a Client.
type Config struct {
	URL       string
	Timeout   time.Duration       // of one post
	Observe   func(time.Duration) // called with the time of each answered round trip
	Transport http.RoundTripper   // nil for one of its own

	Jitter func(time.Duration) time.Duration // a random pause in [0, d); nil for rand.N
}

// New returns a client that has not asked yet.
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
			return http.ErrUseLastResponse // a redirect is not an answer of the node that was configured
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
	t.ReadBufferSize, t.WriteBufferSize = 16<<10, 64<<10 // most batches go in one piece
	return t
}

// Close closes idle connections.
func (c *Client) Close() { c.close() }

// Requests returns how many requests were sent so far.
func (c *Client) Requests() uint64 { return c.lastID.Load() }

// MostCalls returns how many requests the node takes in one post, as far as is
// known. 1 means that it takes no batches.
func (c *Client) MostCalls() int { return int(c.allowed.calls.Load()) }
