package faultproxy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// A Fault is one way to misbehave. The zero Fault is None. Make a new one for each proxy, because
// some keep count.
type Fault struct {
	Name string // as in a table of faults

	refuse  bool
	pass    func() bool                                                   // reports whether this request gets no fault
	early   func(ctx context.Context, w http.ResponseWriter, x *exchange) // answers without the node
	refuses func(w http.ResponseWriter, x *exchange) bool                 // answers without the node, or reports false
	prepare func(x *exchange)                                             // answers some calls of a batch
	node    func(node string, x *exchange) string                         // returns the node to ask
	before  func(ctx context.Context, p *Proxy, c *Call)                  // changes or answers a call
	after   func(c *Call)                                                 // changes a good reply
	write   func(ctx context.Context, w http.ResponseWriter, body []byte) // sends the body
}

func (f Fault) String() string { return f.Name }

// None is no fault.
func None() Fault { return Fault{Name: "none"} }

// Times applies a fault to the first n requests only.
func Times(n int, f Fault) Fault {
	var seen atomic.Int64
	inner := f.pass
	f.Name = fmt.Sprintf("%s, %d times", f.Name, n)
	f.pass = func() bool {
		return seen.Add(1) > int64(n) || inner != nil && inner()
	}
	return f
}

// Refused closes the port.
func Refused() Fault { return Fault{Name: "connection refused", refuse: true} }

// Hang accepts a request and never answers.
func Hang() Fault {
	return Fault{Name: "hang", early: func(ctx context.Context, w http.ResponseWriter, _ *exchange) {
		<-ctx.Done()
		cut(w)
	}}
}

// Drip sends the true answer a byte at a time.
func Drip(every time.Duration) Fault {
	return Fault{Name: "slow drip", write: func(ctx context.Context, w http.ResponseWriter, body []byte) {
		header(w, len(body))
		tick := time.NewTicker(every)
		defer tick.Stop()
		for i := range body {
			select {
			case <-tick.C:
			case <-ctx.Done():
				cut(w)
				return
			}
			if _, err := w.Write(body[i : i+1]); err != nil {
				return
			}
			http.NewResponseController(w).Flush()
		}
	}}
}

// CutOff ends the connection in the middle of the answer.
func CutOff() Fault {
	return Fault{Name: "cut mid-body", write: func(_ context.Context, w http.ResponseWriter, body []byte) {
		header(w, len(body))
		w.Write(body[:len(body)/2])
		http.NewResponseController(w).Flush()
		cut(w)
	}}
}

// TooMany answers 429 with a page of HTML, as gateways do.
func TooMany() Fault {
	return Fault{Name: "429 with HTML", early: func(_ context.Context, w http.ResponseWriter, _ *exchange) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
		io.WriteString(w, "<!doctype html><title>Slow down</title><h1>429 Too Many Requests</h1>")
	}}
}

// Broken answers 500.
func Broken() Fault {
	return Fault{Name: "500", early: func(_ context.Context, w http.ResponseWriter, _ *exchange) {
		http.Error(w, "internal server error", http.StatusInternalServerError)
	}}
}

// Truncated sends half of the answer as if it were complete.
func Truncated() Fault {
	return Fault{Name: "truncated JSON", write: func(ctx context.Context, w http.ResponseWriter, body []byte) {
		plainly(ctx, w, body[:len(body)/2])
	}}
}

// WrongID answers with ids that nobody sent.
func WrongID() Fault {
	return Fault{Name: "wrong id", after: func(c *Call) { c.reply.ID = json.RawMessage("987654321") }}
}

// RPCError refuses each call with a valid error.
func RPCError() Fault {
	return Fault{Name: "JSON-RPC error", before: func(_ context.Context, _ *Proxy, c *Call) {
		c.fail(-32000, "internal error: backend is on holiday")
	}}
}

// Huge answers with that many bytes of well-formed JSON. Counts.Sent says how
// much of it the program took.
func Huge(size int) Fault {
	return Fault{Name: fmt.Sprintf("%d MB body", size>>20),
		early: func(_ context.Context, w http.ResponseWriter, x *exchange) {
			open, shut := `{"jsonrpc":"2.0","id":`+string(x.calls[0].ID)+`,"result":"0x`, `"}`
			if x.batch {
				open, shut = "["+open, shut+"]"
			}
			header(w, size+len(open)+len(shut))
			io.WriteString(w, open)
			chunk := bytes.Repeat([]byte("0"), 1<<16)
			for left := size; left > 0; {
				n, err := w.Write(chunk[:min(left, len(chunk))])
				if err != nil {
					return
				}
				left -= n
			}
			io.WriteString(w, shut)
		}}
}

func plainly(_ context.Context, w http.ResponseWriter, body []byte) {
	header(w, len(body))
	w.Write(body)
}

func header(w http.ResponseWriter, length int) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(length))
}

// cut closes the connection before the answer is complete.
func cut(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		conn.Close()
	}
}
