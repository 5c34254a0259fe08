package evm

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
)

// A provider is one node and what was learned about it. Its URL is held by
// dial and hide alone.
type provider struct {
	name    string
	dial    func(context.Context) (*rpc.Client, error)
	hangUp  func() // closes connections that are kept for later
	hide    redactor
	timeout time.Duration
	took    func(*provider, time.Duration) // called after every round trip
	health
	code codeMemory

	// byNumber: the node does not take a block as an object (EIP-1898).
	byNumber atomic.Bool
	// batchMax is the longest batch that the node is known to take.
	batchMax atomic.Int64

	// client holds the one connection; whoever took it out puts it back.
	client chan *rpc.Client
}

// longestBatch is what is tried first; a node that takes less says so.
const longestBatch = 20000

func newProvider(cfg Provider, timeout time.Duration, took func(*provider, time.Duration)) *provider {
	raw := cfg.URL
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.MaxIdleConnsPerHost = 8
	base.MaxResponseHeaderBytes = maxRefuse
	caller := &http.Client{
		Transport: bounded{base, maxAnswer},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a node does not move house between two calls
		},
	}
	p := &provider{
		name:    cfg.Name,
		hangUp:  caller.CloseIdleConnections,
		hide:    newRedactor(raw),
		timeout: timeout,
		took:    took,
		client:  make(chan *rpc.Client, 1),
		dial: func(ctx context.Context) (*rpc.Client, error) {
			return rpc.DialOptions(ctx, raw, rpc.WithHTTPClient(caller), rpc.WithWebsocketMessageSizeLimit(maxAnswer))
		},
	}
	p.shown.Name = cfg.Name
	p.batchMax.Store(longestBatch)
	p.client <- nil
	return p
}

// String is the name: a provider may be printed.
func (p *provider) String() string { return p.name }

// connect returns the connection, made on first use. Websockets reconnect by
// themselves later.
func (p *provider) connect(ctx context.Context) (*rpc.Client, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case c := <-p.client:
		var err error
		if c == nil {
			c, err = p.dial(ctx)
		}
		if err != nil {
			c = nil
		}
		p.client <- c
		return c, err
	}
}

func (p *provider) close() {
	c := <-p.client
	if c != nil {
		c.Close()
	}
	p.client <- nil
	p.hangUp()
}

// A request is one call of a batch. After the round trip either result or
// fault is set.
type request struct {
	method string
	args   []any
	result json.RawMessage
	fault  *fault
}

func ask(method string, args ...any) *request {
	if args == nil {
		args = []any{} // some nodes insist on params
	}
	return &request{method: method, args: args}
}

// send asks all requests in one JSON-RPC batch and one round trip. Single
// requests go as a batch too: only there does the client match reply to
// request by id. A broken connection is tried once more if there is time.
func (p *provider) send(ctx context.Context, reqs ...*request) error {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	err := p.once(ctx, reqs)
	if err == nil || err.kind != transport && (err.kind != status || err.code < 500 || err.wait > 0) {
		return err.or()
	}
	pause := 30*time.Millisecond + rand.N(90*time.Millisecond)
	if end, ok := ctx.Deadline(); ok && time.Until(end) < 2*pause {
		return err
	}
	select {
	case <-ctx.Done():
		return err
	case <-time.After(pause):
	}
	return p.once(ctx, reqs).or()
}

// or is f as an error, nil if there is none.
func (f *fault) or() error {
	if f == nil {
		return nil
	}
	return f
}

func (p *provider) once(ctx context.Context, reqs []*request) *fault {
	start := time.Now()
	client, err := p.connect(ctx)
	if err != nil {
		return p.hide.call(ctx, err)
	}
	batch := make([]rpc.BatchElem, len(reqs))
	for i, r := range reqs {
		r.result, r.fault = nil, nil
		batch[i] = rpc.BatchElem{Method: r.method, Args: r.args, Result: &r.result}
	}
	if err := client.BatchCallContext(ctx, batch); err != nil {
		return p.hide.call(ctx, err)
	}
	p.took(p, time.Since(start))
	for i, r := range reqs {
		if batch[i].Error != nil {
			r.fault = p.hide.node(batch[i].Error)
		}
	}
	return nil
}

// firstFault is the first fault among reqs, preferring one that speaks of a
// whole batch that was too long.
func firstFault(reqs []*request) *fault {
	var first *fault
	for _, r := range reqs {
		if r.fault != nil && (first == nil || r.fault.crowded()) {
			first = r.fault
		}
	}
	return first
}
