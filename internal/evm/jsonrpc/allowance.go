package jsonrpc

import (
	"encoding/json"
	"sync/atomic"
	"time"
)

const (
	longestBatch = 20000   // requests in the first try; a node that takes fewer says so
	longestBody  = 4 << 20 // bytes in the first try; most nodes take 5 MiB
)

// An allowance is the most that a node takes in one post. It is learned from the node's refusals
// and forgotten after a while, because the node, or its successor behind a balancer, may take more
// later.
type allowance struct {
	learned atomic.Int64 // when the allowance last shrank, in Unix seconds; 0 if not since the last reset
	calls   atomic.Int64 // requests in one post; 1 means no batches
	bytes   atomic.Int64
	batches atomic.Bool // the node has answered a batch of several requests
}

// fit returns how many of the requests go into one post, at least one, and the approximate size of
// the post.
func (a *allowance) fit(reqs []*Request) (n, size int) {
	if at := a.learned.Load(); at > 0 && time.Since(time.Unix(at, 0)) > forgetAfter && a.learned.CompareAndSwap(at, 0) {
		a.reset()
	}
	for n < len(reqs) && n < int(a.calls.Load()) {
		more := reqs[n].size()
		if n > 0 && size+more > int(a.bytes.Load()) {
			break
		}
		size += more
		n++
	}
	return n, size
}

// size returns an upper estimate of the request's length as JSON.
func (r *Request) size() int {
	size := 200
	for _, arg := range r.args {
		text, _ := arg.(json.RawMessage)
		size += len(text)
	}
	return size
}

// shrink learns from the fault of a post with n requests and size bytes. It reports whether to try
// again with fewer.
func (a *allowance) shrink(f *Fault, n, size int) bool {
	switch {
	case n == 1:
		if !a.batches.Load() && f.refusesBatch() {
			a.calls.Store(longestBatch) // a single request is refused too, so batches are not the reason
		}
		return false
	case f.BodyTooLong():
		lower(&a.bytes, f.bodyLimit(size))
	case f.batchTooLong():
		lower(&a.calls, f.callLimit(n))
	case !a.batches.Load() && f.refusesBatch():
		lower(&a.calls, 1)
	default:
		return false
	}
	a.learned.Store(time.Now().Unix())
	return true
}

// forgetAfter is how long a learned limit is used. Learning it again usually costs one refused
// request.
const forgetAfter = time.Hour

// reset returns to the limits of the first try.
func (a *allowance) reset() {
	a.calls.Store(longestBatch)
	a.bytes.Store(longestBody)
}

// lower sets v to n if n is less.
func lower(v *atomic.Int64, n int) {
	for {
		old := v.Load()
		if int64(n) >= old || v.CompareAndSwap(old, int64(n)) {
			return
		}
	}
}
