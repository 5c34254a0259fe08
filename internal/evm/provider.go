package evm

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
)

// A provider is one node and what was learned about it. Its URL is held by
// dial and hide alone.
type provider struct {
	name    string
	dial    func(context.Context) (wire, error)
	hide    redactor
	timeout time.Duration
	took    func(*provider, time.Duration) // called after every round trip
	health
	code codeMemory

	// byNumber: the node does not take a block as an object (EIP-1898).
	byNumber atomic.Bool
	// batchMax is the longest batch that the node is known to take.
	batchMax atomic.Int64

	// wire holds the one connection; whoever took it out puts it back.
	wire chan wire
}

// longestBatch is what is tried first; a node that takes less says so.
const longestBatch = 20000

func newProvider(cfg Provider, timeout time.Duration, took func(*provider, time.Duration)) *provider {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.MaxIdleConnsPerHost = 8
	base.MaxResponseHeaderBytes = maxRefuse
	base.ReadBufferSize, base.WriteBufferSize = 16<<10, 64<<10 // most batches go in one piece
	caller := &http.Client{
		Transport: base,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a node does not move house between two calls
		},
	}
	p := &provider{
		name:    cfg.Name,
		hide:    newRedactor(cfg.URL),
		timeout: timeout,
		took:    took,
		wire:    make(chan wire, 1),
		dial: func(ctx context.Context) (wire, error) {
			if strings.HasPrefix(strings.ToLower(cfg.URL), "http") {
				return &post{url: cfg.URL, client: caller, limit: maxAnswer}, nil
			}
			c, err := rpc.DialOptions(ctx, cfg.URL, rpc.WithWebsocketMessageSizeLimit(maxAnswer))
			return socket{c}, err
		},
	}
	p.shown.Name = cfg.Name
	p.batchMax.Store(longestBatch)
	p.wire <- nil
	return p
}

// String is the name: a provider may be printed.
func (p *provider) String() string { return p.name }

// connect returns the connection, made on first use.
func (p *provider) connect(ctx context.Context) (wire, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case w := <-p.wire:
		var err error
		if w == nil {
			w, err = p.dial(ctx)
		}
		if err != nil {
			w = nil
		}
		p.wire <- w
		return w, err
	}
}

func (p *provider) close() {
	w := <-p.wire
	if w != nil {
		w.Close()
	}
	p.wire <- nil
}

// A request is one call of a batch. After the round trip either result or
// fault is set, the latter by what was wrong in err.
type request struct {
	method string
	args   []any // text that is JSON already is a json.RawMessage
	result json.RawMessage
	err    error
	fault  *fault
}

func ask(method string, args ...any) *request {
	if args == nil {
		args = []any{} // some nodes insist on params
	}
	return &request{method: method, args: args}
}

// send asks all requests in one JSON-RPC batch and one round trip. Single
// requests go as a batch too: only there is a reply matched to its request by
// id. A broken connection is tried once more if there is time.
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
	w, err := p.connect(ctx)
	if err != nil {
		return p.hide.call(ctx, err)
	}
	for _, r := range reqs {
		r.result, r.err, r.fault = nil, nil, nil
	}
	if err := w.exchange(ctx, reqs); err != nil {
		return p.hide.call(ctx, err)
	}
	p.took(p, time.Since(start))
	for _, r := range reqs {
		if r.err != nil {
			r.fault = p.hide.node(r.err)
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
