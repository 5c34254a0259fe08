package faultproxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// before makes a fault that changes or answers each call before the node is asked.
func before(name string, do func(x *exchange, c *call)) Fault {
	return Fault{Name: name, serve: func(x *exchange, next func()) {
		for _, c := range x.calls {
			if c.reply == nil {
				do(x, c)
			}
		}
		next()
	}}
}

// after makes a fault that changes each good reply.
func after(name string, do func(c *call)) Fault {
	return Fault{Name: name, serve: func(x *exchange, _ func()) {
		if !x.fetch() {
			return
		}
		for _, c := range x.calls {
			if c.reply.Error == nil {
				do(c)
			}
		}
		x.send(x.body())
	}}
}

// instead makes a fault that does not ask the node.
func instead(name string, do func(x *exchange)) Fault {
	return Fault{Name: name, serve: func(x *exchange, _ func()) { do(x) }}
}

// mangled makes a fault that sends the true answer in a bad way.
func mangled(name string, send func(x *exchange, body []byte)) Fault {
	return Fault{Name: name, serve: func(x *exchange, _ func()) {
		if x.fetch() {
			send(x, x.body())
		}
	}}
}

// None is no fault.
func None() Fault { return Fault{Name: "none"} }

// Times applies a fault to the first n requests only.
func Times(n int, f Fault) Fault {
	var seen atomic.Int64
	return Fault{Name: fmt.Sprintf("%s, %d times", f.Name, n), serve: func(x *exchange, next func()) {
		if seen.Add(1) > int64(n) {
			next()
			return
		}
		f.serve(x, next)
	}}
}

// Both is a node with two faults.
func Both(a, b Fault) Fault {
	return Fault{Name: a.Name + ", " + b.Name, serve: func(x *exchange, next func()) {
		a.serve(x, func() { b.serve(x, next) })
	}}
}

// Refused closes the port.
func Refused() Fault { return Fault{Name: "connection refused", refuse: true} }

// Hang accepts a request and never answers.
func Hang() Fault {
	return instead("hang", func(x *exchange) {
		<-x.ctx.Done()
		x.cut()
	})
}

// Drip sends the true answer a byte at a time.
func Drip(every time.Duration) Fault {
	return mangled("slow drip", func(x *exchange, body []byte) {
		x.header(len(body))
		tick := time.NewTicker(every)
		defer tick.Stop()
		for i := range body {
			select {
			case <-tick.C:
			case <-x.ctx.Done():
				x.cut()
				return
			}
			if _, err := x.w.Write(body[i : i+1]); err != nil {
				return
			}
			http.NewResponseController(x.w).Flush()
		}
	})
}

// CutOff ends the connection in the middle of the answer.
func CutOff() Fault {
	return mangled("cut mid-body", func(x *exchange, body []byte) {
		x.header(len(body))
		x.w.Write(body[:len(body)/2])
		http.NewResponseController(x.w).Flush()
		x.cut()
	})
}

// Truncated sends half of the answer as if it were complete.
func Truncated() Fault {
	return mangled("truncated JSON", func(x *exchange, body []byte) { x.send(body[:len(body)/2]) })
}

// TooMany answers 429 with a page of HTML, as gateways do.
func TooMany() Fault {
	return instead("429 with HTML", func(x *exchange) {
		x.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		x.w.Header().Set("Retry-After", "1")
		x.w.WriteHeader(http.StatusTooManyRequests)
		io.WriteString(x.w, "<!doctype html><title>Slow down</title><h1>429 Too Many Requests</h1>")
	})
}

// Broken answers 500.
func Broken() Fault {
	return instead("500", func(x *exchange) {
		http.Error(x.w, "internal server error", http.StatusInternalServerError)
	})
}

// Huge answers with that many bytes of well-formed JSON.
func Huge(size int) Fault {
	return instead(fmt.Sprintf("%d MB body", size>>20), func(x *exchange) {
		open := `{"jsonrpc":"2.0","id":` + string(x.calls[0].ID) + `,"result":"0x`
		end := `"}`
		if x.batch {
			open = "[" + open
			end += "]"
		}
		x.header(size + len(open) + len(end))
		io.WriteString(x.w, open)
		chunk := bytes.Repeat([]byte("0"), 1<<16)
		for left := size; left > 0; {
			n, err := x.w.Write(chunk[:min(left, len(chunk))])
			if err != nil {
				return
			}
			left -= n
		}
		io.WriteString(x.w, end)
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
	late := before("two nodes a block apart", func(x *exchange, c *call) {
		head, ok := x.height(c)
		if !ok {
			return
		}
		if newest.Swap(head) != head {
			since.Store(time.Now().UnixNano())
		}
		if time.Since(time.Unix(0, since.Load())) < 3*time.Second {
			x.behind(c, head-1)
		}
	})
	return Fault{Name: late.Name, serve: func(x *exchange, next func()) {
		if seen.Add(1)%2 == 0 {
			next()
			return
		}
		late.serve(x, next)
	}}
}

// elsewhere makes a fault that lets another node answer the requests that the function chosen
// selects.
func elsewhere(name, node string, chosen func(x *exchange) bool) Fault {
	return Fault{Name: name, serve: func(x *exchange, next func()) {
		if chosen(x) {
			x.node = node
		}
		next()
	}}
}

func (x *exchange) readsState() bool {
	for _, c := range x.calls {
		if c.readsState() {
			return true
		}
	}
	return false
}

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

// NoFinalized is a node that does not know the tags finalized and safe.
func NoFinalized() Fault {
	return before("finalized unsupported", func(_ *exchange, c *call) {
		if tag, _ := c.block(); tag == "finalized" || tag == "safe" {
			c.fail(-32602, "invalid argument 0: hex string without 0x prefix")
		}
	})
}

// NoBlockHash refuses a block that is given as an object (EIP-1898).
func NoBlockHash() Fault {
	return before("no EIP-1898", func(_ *exchange, c *call) {
		if _, hash := c.block(); hash != "" && c.readsState() {
			c.fail(-32602, "invalid argument 1: json: cannot unmarshal object into Go value of type string")
		}
	})
}

// NoProofs is a node that does not know eth_getProof.
func NoProofs() Fault {
	return before("no proofs", func(_ *exchange, c *call) {
		if c.Method == "eth_getProof" {
			c.fail(-32601, "the method eth_getProof does not exist/is not available")
		}
	})
}
