package faultproxy

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// BatchLimit is a node that accepts at most this many calls in a batch. It answers a larger batch
// with a status and one error for all calls. With 0 it refuses even a batch of one.
func BatchLimit(calls, status, code int, says string) Fault {
	return Fault{Name: fmt.Sprintf("batches of %d", calls), refuses: func(w http.ResponseWriter, x *exchange) bool {
		if !x.batch || len(x.calls) <= calls {
			return false
		}
		answerError(w, status, code, says)
		return true
	}}
}

// BodyLimit accepts this many bytes, and refuses more in the words of geth.
func BodyLimit(bytes int) Fault {
	return Fault{Name: fmt.Sprintf("bodies of %d bytes", bytes), refuses: func(w http.ResponseWriter, x *exchange) bool {
		if x.size <= bytes {
			return false
		}
		http.Error(w, fmt.Sprintf("content length too large (%d>%d)", x.size, bytes), http.StatusRequestEntityTooLarge)
		return true
	}}
}

// CallRate answers this many calls of each batch and refuses the others one by one, like services
// that count calls.
func CallRate(calls int) Fault {
	return Fault{Name: fmt.Sprintf("%d calls at once", calls), prepare: func(x *exchange) {
		for _, c := range x.calls[min(calls, len(x.calls)):] {
			c.fail(-32005, "limit exceeded")
		}
	}}
}

// RequestRate answers this many requests a second, and refuses others with 429.
func RequestRate(requests int, retryAfter string) Fault {
	var mu sync.Mutex
	var second time.Time
	served := 0
	return Fault{Name: fmt.Sprintf("%d requests a second", requests),
		refuses: func(w http.ResponseWriter, x *exchange) bool {
			mu.Lock()
			defer mu.Unlock()
			if now := time.Now(); now.Sub(second) >= time.Second {
				second, served = now, 0
			}
			if served++; served <= requests {
				return false
			}
			if retryAfter != "" {
				w.Header().Set("Retry-After", retryAfter)
			}
			answerError(w, http.StatusTooManyRequests, 429, "Too Many Requests")
			return true
		}}
}

// Pages answers every oneOf-th request with an HTML page and status 200.
func Pages(oneOf int64) Fault {
	var seen atomic.Int64
	return Fault{Name: "HTML instead of JSON", refuses: func(w http.ResponseWriter, x *exchange) bool {
		if seen.Add(1)%oneOf != 0 {
			return false
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>Just a moment</title>")
		return true
	}}
}

// Balanced is an address behind which two nodes answer alternately. One of them gets each block
// three seconds after the other.
func Balanced() Fault {
	var seen atomic.Int64
	var mu sync.Mutex
	var newest hexutil.Uint64
	var since time.Time
	return Fault{Name: "two nodes a block apart", pass: func() bool { return seen.Add(1)%2 == 0 },
		before: func(ctx context.Context, p *Proxy, c *Call) {
			var head hexutil.Uint64
			if err := p.ask(ctx, &head, "eth_blockNumber"); err != nil {
				c.fail(-32603, err.Error())
				return
			}
			mu.Lock()
			if head != newest {
				newest, since = head, time.Now()
			}
			late := time.Since(since) < 3*time.Second
			mu.Unlock()
			if late {
				Behind(uint64(head)-1).before(ctx, p, c)
			}
		}}
}

// NoBlockHash refuses a block that is given as an object (EIP-1898).
func NoBlockHash() Fault {
	return Fault{Name: "no EIP-1898", before: func(_ context.Context, _ *Proxy, c *Call) {
		if _, hash := c.block(); hash != "" && c.readsState() {
			c.fail(-32602, "invalid argument 1: json: cannot unmarshal object into Go value of type string")
		}
	}}
}

// LogSize refuses searches that find more than this many logs.
func LogSize(logs int, says string) Fault {
	return Fault{Name: fmt.Sprintf("%d logs at once", logs), after: func(c *Call) {
		var found []json.RawMessage
		if c.Method == "eth_getLogs" && json.Unmarshal(c.reply.Result, &found) == nil && len(found) > logs {
			c.fail(-32005, says)
		}
	}}
}

func answerError(w http.ResponseWriter, status, code int, says string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(reply{ID: json.RawMessage("null"), Version: "2.0",
		Error: &problem{Code: code, Message: says}})
}

// Forgets is a full node. It keeps only the state of its last blocks. It refuses to read older
// state, in the words of a client, such as "missing trie node".
func Forgets(blocks uint64, says string) Fault {
	return Fault{Name: "old state is gone", before: func(ctx context.Context, p *Proxy, c *Call) {
		tag, hash := c.block()
		if !c.readsState() || tag == "latest" || tag == "pending" {
			return
		}
		var b *struct{ Number hexutil.Uint64 }
		var head hexutil.Uint64
		method, at := "eth_getBlockByNumber", tag
		if hash != "" {
			method, at = "eth_getBlockByHash", hash
		}
		if err := p.ask(ctx, &b, method, at, false); err != nil || b == nil {
			return // let the node say that it does not have this block
		}
		if err := p.ask(ctx, &head, "eth_blockNumber"); err != nil {
			c.fail(-32603, err.Error())
		} else if uint64(b.Number)+blocks <= uint64(head) {
			c.fail(-32000, says)
		}
	}}
}

// LogRange is a node that searches for logs in at most this many blocks at once. It refuses more
// with the given error code and words.
func LogRange(blocks uint64, code int, says string) Fault {
	return Fault{Name: "logs of few blocks at once", before: func(_ context.Context, _ *Proxy, c *Call) {
		var filter struct{ FromBlock, ToBlock hexutil.Uint64 }
		if c.Method == "eth_getLogs" && json.Unmarshal(c.Params[0], &filter) == nil &&
			uint64(filter.ToBlock-filter.FromBlock) >= blocks {
			c.fail(code, says)
		}
	}}
}

// Both is a node with two limits.
func Both(a, b Fault) Fault {
	return Fault{
		Name:    a.Name + ", " + b.Name,
		refuses: func(w http.ResponseWriter, x *exchange) bool { return a.limits(w, x) || b.limits(w, x) },
		before: func(ctx context.Context, p *Proxy, c *Call) {
			for _, f := range []Fault{a, b} {
				if f.before != nil && c.reply == nil {
					f.before(ctx, p, c)
				}
			}
		},
	}
}

func (f Fault) limits(w http.ResponseWriter, x *exchange) bool {
	return f.refuses != nil && f.refuses(w, x)
}
