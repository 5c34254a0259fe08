package faultproxy

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// BatchLimit is a node that accepts at most this many calls in a batch. It answers a larger batch
// with a status and one error for all calls. With 0 it refuses even a batch of one.
func BatchLimit(calls, status, code int, says string) Fault {
	return unless(fmt.Sprintf("batches of %d", calls), func(x *exchange) *http.Response {
		if !x.batch || len(x.calls) <= calls {
			return nil
		}
		return x.refuse(status, code, says)
	})
}

// BodyLimit accepts this many bytes, and refuses more in the words of geth.
func BodyLimit(bytes int) Fault {
	return unless(fmt.Sprintf("bodies of %d bytes", bytes), func(x *exchange) *http.Response {
		if x.size <= bytes {
			return nil
		}
		return x.page(http.StatusRequestEntityTooLarge, fmt.Sprintf("content length too large (%d>%d)\n", x.size, bytes))
	})
}

// CallRate answers this many calls of each batch and refuses the others one by one, like services
// that count calls.
func CallRate(calls int) Fault {
	return unless(fmt.Sprintf("%d calls at once", calls), func(x *exchange) *http.Response {
		for _, c := range x.calls[min(calls, len(x.calls)):] {
			c.fail(-32005, "limit exceeded")
		}
		return nil
	})
}

// RequestRate answers this many requests a second, and refuses others with 429.
func RequestRate(requests int, retryAfter string) Fault {
	var mu sync.Mutex
	var second time.Time
	served := 0
	return unless(fmt.Sprintf("%d requests a second", requests), func(x *exchange) *http.Response {
		mu.Lock()
		defer mu.Unlock()
		now := time.Now()
		if now.Sub(second) >= time.Second {
			second = now
			served = 0
		}
		served++
		if served <= requests {
			return nil
		}
		answer := x.refuse(http.StatusTooManyRequests, 429, "Too Many Requests")
		if retryAfter != "" {
			answer.Header.Set("Retry-After", retryAfter)
		}
		return answer
	})
}

// Pages answers every oneOf-th request with an HTML page and status 200.
func Pages(oneOf int64) Fault {
	var seen atomic.Int64
	return unless("HTML instead of JSON", func(x *exchange) *http.Response {
		if seen.Add(1)%oneOf != 0 {
			return nil
		}
		return x.page(http.StatusOK, "<!doctype html><title>Just a moment</title>")
	})
}

// LogSize refuses searches that find more than this many logs.
func LogSize(logs int, says string) Fault {
	return after(fmt.Sprintf("%d logs at once", logs), func(c *call) {
		var found []json.RawMessage
		if c.Method == "eth_getLogs" && json.Unmarshal(c.reply.Result, &found) == nil && len(found) > logs {
			c.fail(-32005, says)
		}
	})
}

// LogRange is a node that searches for logs in at most this many blocks at once. It refuses more
// with the given error code and words.
func LogRange(blocks uint64, code int, says string) Fault {
	return refusing("logs of few blocks at once", code, says, func(c *call) bool {
		var filter struct{ FromBlock, ToBlock hexutil.Uint64 }
		return c.Method == "eth_getLogs" && json.Unmarshal(c.Params[0], &filter) == nil &&
			uint64(filter.ToBlock-filter.FromBlock) >= blocks
	})
}

// Forgets is a full node. It keeps only the state of its last blocks. It refuses to read older
// state, in the words of a client, such as "missing trie node". It has all headers and logs.
func Forgets(blocks uint64, says string) Fault {
	return before("old state is gone", func(x *exchange, c *call) {
		tag, hash := c.block()
		if !c.readsState() || tag == "latest" || tag == "pending" {
			return
		}
		at, ok := x.number(tag, hash)
		if !ok {
			return // let the node say that it does not have this block
		}
		if height, ok := x.height(c); ok && at+blocks <= height {
			c.fail(-32000, says)
		}
	})
}
