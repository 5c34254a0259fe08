package faultproxy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// before makes a fault that changes or answers each call before the node is asked.
func before(name string, do func(x *exchange, c *call)) Fault {
	return unless(name, func(x *exchange) *http.Response {
		for _, c := range x.calls {
			if c.reply == nil {
				do(x, c)
			}
		}
		return nil
	})
}

// after makes a fault that changes each good reply.
func after(name string, do func(c *call)) Fault {
	return mangled(name, func(x *exchange, _ []byte) *http.Response {
		for _, c := range x.calls {
			if c.reply.Error == nil {
				do(c)
			}
		}
		return x.send(x.body())
	})
}

// unless makes a fault that answers a request itself, unless refuse returns nil.
func unless(name string, refuse func(x *exchange) *http.Response) Fault {
	return Fault{name, func(x *exchange, next func() (*http.Response, error)) (*http.Response, error) {
		if answer := refuse(x); answer != nil {
			return answer, nil
		}
		return next()
	}}
}

// mangled makes a fault that sends the true answer in a bad way.
func mangled(name string, send func(x *exchange, body []byte) *http.Response) Fault {
	return Fault{name, func(x *exchange, _ func() (*http.Response, error)) (*http.Response, error) {
		body, err := x.fetch()
		if err != nil {
			return nil, err
		}
		return send(x, body), nil
	}}
}

// None is no fault.
func None() Fault { return Fault{Name: "none"} }

// Times applies a fault to the first n requests only.
func Times(n int, f Fault) Fault {
	var seen atomic.Int64
	name := fmt.Sprintf("%s, %d times", f.Name, n)
	return Fault{name, func(x *exchange, next func() (*http.Response, error)) (*http.Response, error) {
		if seen.Add(1) > int64(n) {
			return next()
		}
		return f.serve(x, next)
	}}
}

// Both is a node with two faults.
func Both(a, b Fault) Fault {
	return Fault{a.Name + ", " + b.Name, func(x *exchange, next func() (*http.Response, error)) (*http.Response, error) {
		return a.serve(x, func() (*http.Response, error) { return b.serve(x, next) })
	}}
}

// Refused gives no answer at all. A proxy on a port closes each connection at once.
func Refused() Fault {
	return Fault{"connection refused", func(*exchange, func() (*http.Response, error)) (*http.Response, error) {
		return nil, errors.New("connection refused")
	}}
}

// Hang accepts a request and never answers.
func Hang() Fault {
	return Fault{"hang", func(x *exchange, _ func() (*http.Response, error)) (*http.Response, error) {
		return nil, x.wait(1000 * time.Hour)
	}}
}

// Drip sends the true answer a byte at a time.
func Drip(every time.Duration) Fault {
	return mangled("slow drip", func(x *exchange, body []byte) *http.Response {
		return x.answer(http.StatusOK, "application/json", len(body), &drip{x: x, every: every, body: body})
	})
}

// A drip is a body that is read a byte at a time.
type drip struct {
	x     *exchange
	every time.Duration
	body  []byte
}

func (d *drip) Read(b []byte) (int, error) {
	if len(d.body) == 0 {
		return 0, io.EOF
	}
	if err := d.x.wait(d.every); err != nil {
		return 0, err
	}
	b[0] = d.body[0]
	d.body = d.body[1:]
	return 1, nil
}

// CutOff ends the connection in the middle of the answer.
func CutOff() Fault {
	return mangled("cut mid-body", func(x *exchange, body []byte) *http.Response {
		pipe, cut := io.Pipe()
		go func() {
			cut.Write(body[:len(body)/2])
			cut.CloseWithError(io.ErrUnexpectedEOF)
		}()
		return x.answer(http.StatusOK, "application/json", len(body), pipe)
	})
}

// Truncated sends half of the answer as if it were complete.
func Truncated() Fault {
	return mangled("truncated JSON", func(x *exchange, body []byte) *http.Response { return x.send(body[:len(body)/2]) })
}

// TooMany answers 429 with a page of HTML, as gateways do.
func TooMany() Fault {
	return unless("429 with HTML", func(x *exchange) *http.Response {
		answer := x.page(http.StatusTooManyRequests, "<!doctype html><title>Slow down</title>")
		answer.Header.Set("Retry-After", "1")
		return answer
	})
}

// Broken answers 500.
func Broken() Fault {
	return unless("500", func(x *exchange) *http.Response {
		return x.page(http.StatusInternalServerError, "internal server error")
	})
}

// WrongID answers with ids that nobody sent.
func WrongID() Fault {
	return after("wrong id", func(c *call) { c.reply.ID = json.RawMessage("987654321") })
}

// RPCError refuses each call with a valid error.
func RPCError() Fault {
	return before("JSON-RPC error", func(_ *exchange, c *call) {
		c.fail(-32000, "internal error: backend is on holiday")
	})
}

// TagOlder reads state some blocks before the latest, whatever block a call names. Headers are
// true.
func TagOlder(blocks uint64) Fault {
	return before("block tag ignored", func(x *exchange, c *call) {
		if !c.readsState() {
			return
		}
		if height, ok := x.height(c); ok {
			c.setBlock(height - min(blocks, height))
		}
	})
}

// Behind is a node that stopped at a block, and does not know later ones. The block should be hours
// old, as the fault's name says.
func Behind(stopped uint64) Fault {
	return before("hours behind", func(x *exchange, c *call) { x.behind(c, stopped) })
}

func (x *exchange) behind(c *call, stopped uint64) {
	tag, hash := c.block()
	known := true
	switch {
	case c.Method == "eth_blockNumber":
		c.give(hexutil.Uint64(stopped))
	case hash != "":
		n, ok := x.number("", hash)
		known = ok && n <= stopped
	case tag == "latest" || tag == "pending" || tag == "safe" || tag == "finalized":
		c.setBlock(stopped)
	case tag != "":
		n, err := hexutil.DecodeUint64(tag)
		known = err != nil || n <= stopped
	}
	switch {
	case known:
	case c.readsState():
		c.fail(-32001, "header not found")
	default:
		c.give(nil)
	}
}

// Syncing is a node that has synced up to one block on its way to another, and says so when asked.
func Syncing(at, to uint64) Fault {
	return before("syncing", func(x *exchange, c *call) {
		if c.Method == "eth_syncing" {
			c.give(map[string]any{"startingBlock": "0x0", "currentBlock": hexutil.Uint64(at), "highestBlock": hexutil.Uint64(to)})
			return
		}
		x.behind(c, at)
	})
}

// Balanced is an address behind which two nodes answer alternately. One of them gets each block
// three seconds after the other.
func Balanced() Fault {
	var seen atomic.Int64
	var newest atomic.Uint64
	var since atomic.Int64 // when newest was first seen, in nanoseconds
	return before("two nodes a block apart", func(x *exchange, c *call) {
		head, ok := x.height(c)
		if !ok {
			return
		}
		if newest.Swap(head) != head {
			since.Store(time.Now().UnixNano())
		}
		if seen.Add(1)%2 == 0 && time.Since(time.Unix(0, since.Load())) < 3*time.Second {
			x.behind(c, head-1)
		}
	})
}

// elsewhere makes a fault that lets another node answer the requests that the function chosen
// selects.
func elsewhere(name, node string, chosen func(x *exchange) bool) Fault {
	return unless(name, func(x *exchange) *http.Response {
		if chosen(x) {
			x.node = node
		}
		return nil
	})
}

func (x *exchange) readsState() bool { return slices.ContainsFunc(x.calls, (*call).readsState) }

// OtherChain lets a node of another chain answer everything.
func OtherChain(node string) Fault {
	return elsewhere("another chain's answers", node, func(*exchange) bool { return true })
}

// OtherReads lets another node answer every request that reads state. If a batch has such a
// request, the other node answers the whole batch. Other requests, such as those for headers, chain
// id and logs, still go to the right chain.
func OtherReads(node string) Fault {
	return elsewhere("another chain's state", node, (*exchange).readsState)
}

// Switch uses the node until the first read of state, and another node from then on. If the other
// node has a reorganised copy of the chain, the provider seems to move to another fork between pin
// and read.
func Switch(node string) Fault {
	var over atomic.Bool
	return elsewhere("a reorg between pin and read", node, func(x *exchange) bool {
		if x.readsState() {
			over.Store(true)
		}
		return over.Load()
	})
}

// refusing makes a fault that answers some calls with an error.
func refusing(name string, code int, says string, chosen func(c *call) bool) Fault {
	return before(name, func(_ *exchange, c *call) {
		if chosen(c) {
			c.fail(code, says)
		}
	})
}

// NoFinalized is a node that does not know the tags finalized and safe.
func NoFinalized() Fault {
	return refusing("finalized unsupported", -32602, "invalid argument 0: hex string without 0x prefix", func(c *call) bool {
		tag, _ := c.block()
		return tag == "finalized" || tag == "safe"
	})
}

// NoBlockHash refuses a block that is given as an object (EIP-1898).
func NoBlockHash() Fault {
	const says = "invalid argument 1: json: cannot unmarshal object into Go value of type string"
	return refusing("no EIP-1898", -32602, says, func(c *call) bool {
		_, hash := c.block()
		return hash != "" && c.readsState()
	})
}

// NoProofs is a node that does not know eth_getProof.
func NoProofs() Fault {
	const says = "the method eth_getProof does not exist/is not available"
	return refusing("no proofs", -32601, says, func(c *call) bool { return c.Method == "eth_getProof" })
}
