package evm

import (
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
	// allowed is what the node takes in one post.
	allowed allowance
	// ofChain is when the node last named its chain, in Unix seconds.
	ofChain atomic.Int64
}

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
	p.allowed.calls.Store(longestBatch)
	p.allowed.bytes.Store(longestBody)
	return p
}

// String is the name: a provider may be printed.
func (p *provider) String() string { return p.name }
