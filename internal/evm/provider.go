package evm

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// A provider is one node and what was learned about it. Its URL is held by
// post and hide alone.
type provider struct {
	name    string
	timeout time.Duration
	post    postFunc
	hide    redactor
	close   func()
	trips   prometheus.Observer // told how long each answered round trip took
	lastID  atomic.Uint64       // of a request
	health

	// byNumber: the node does not take a block as an object (EIP-1898).
	byNumber atomic.Bool
	// batchMax is the longest batch that the node is known to take.
	batchMax atomic.Int64
}

const (
	longestBatch  = 20000 // what is tried first; a node that takes less says so
	shortestBatch = 10    // what every node must take
)

func newProvider(cfg Provider, timeout time.Duration, trips prometheus.Observer) *provider {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.MaxIdleConnsPerHost = 8
	base.MaxResponseHeaderBytes = maxErrorBody
	base.ReadBufferSize, base.WriteBufferSize = 16<<10, 64<<10 // most batches go in one piece
	client := &http.Client{
		Transport: base,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a redirect is not an answer of the node that was configured
		},
	}
	p := &provider{
		name:    cfg.Name,
		timeout: timeout,
		post:    newPost(cfg.URL, client, maxAnswer),
		hide:    newRedactor(cfg.URL),
		close:   client.CloseIdleConnections,
		trips:   trips,
	}
	p.shown.Name = cfg.Name
	p.batchMax.Store(longestBatch)
	return p
}

// String is the name: a provider may be printed.
func (p *provider) String() string { return p.name }

// send asks all requests in one JSON-RPC batch and one round trip. Single
// requests go as a batch too: only there is a reply matched to its request by
// id. A broken connection is tried once more if there is time.
func (p *provider) send(ctx context.Context, reqs ...*request) error {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	err := p.sendOnce(ctx, reqs)
	if err == nil || !asFault(err).transient() {
		return err
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
	return p.sendOnce(ctx, reqs)
}

func (p *provider) sendOnce(ctx context.Context, reqs []*request) error {
	n := uint64(len(reqs))
	first := p.lastID.Add(n) - n + 1
	batch, err := encodeBatch(reqs, first)
	if err != nil {
		return err
	}
	start := time.Now()
	body, err := p.post(ctx, batch)
	if err != nil {
		return err
	}
	if err := p.hide.decodeBatch(body, reqs, first); err != nil {
		return err
	}
	took := time.Since(start)
	p.observeLatency(took)
	p.trips.Observe(took.Seconds())
	return nil
}

// sendInBatches asks for n things in as few batches as the node takes: send
// asks for those from first to end, which takes extra requests besides.
func (p *provider) sendInBatches(n, extra int, send func(first, end int) error) error {
	for first := 0; first < n; {
		limit := int(p.batchMax.Load())
		end := min(n, first+limit-extra)
		err := send(first, end)
		sent := end - first + extra
		if err != nil && sent > shortestBatch && asFault(err).batchTooLong() {
			p.batchMax.CompareAndSwap(int64(limit), int64(max(shortestBatch, sent/2)))
			continue
		}
		if err != nil {
			return err
		}
		first = end
	}
	return nil
}
