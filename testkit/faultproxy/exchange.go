package faultproxy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// A call is one JSON-RPC call on its way through the proxy.
type call struct {
	ID      json.RawMessage   `json:"id"`
	Version string            `json:"jsonrpc"`
	Method  string            `json:"method"`
	Params  []json.RawMessage `json:"params"`

	reply *reply // the answer, if there is one yet
}

// A reply is the answer to a call.
type reply struct {
	ID      json.RawMessage `json:"id"`
	Version string          `json:"jsonrpc"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *problem        `json:"error,omitempty"`
}

type problem struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// An exchange is one HTTP request, with a call or a batch of them, and its answer.
type exchange struct {
	ctx   context.Context // ends when the fault changes
	w     http.ResponseWriter
	proxy *Proxy
	node  string // URL of the node to ask
	batch bool
	calls []*call
	size  int // bytes of the request
}

func parse(r *http.Request) (*exchange, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, 64<<20))
	if err != nil {
		return nil, err
	}
	x := &exchange{batch: bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")), size: len(body)}
	if x.batch {
		return x, json.Unmarshal(body, &x.calls)
	}
	c := new(call)
	x.calls = []*call{c}
	return x, json.Unmarshal(body, c)
}

// fail answers a call with an error, instead of the node.
func (c *call) fail(code int, message string) {
	c.reply = &reply{ID: c.ID, Version: "2.0", Error: &problem{Code: code, Message: message}}
}

// give answers a call with a result, instead of the node.
func (c *call) give(result any) {
	raw, err := json.Marshal(result)
	if err != nil {
		c.fail(-32603, err.Error())
		return
	}
	c.reply = &reply{ID: c.ID, Version: "2.0", Result: raw}
}

// pass answers the request as the node does, except for the calls that are answered already.
func (x *exchange) pass() {
	if x.fetch() {
		x.send(x.body())
	}
}

// fetch sends the node the calls that are not answered yet. If that fails, it answers the request
// itself and returns false. A request that has begun is answered even if the fault changes
// meanwhile.
func (x *exchange) fetch() bool {
	var open []*call
	for _, c := range x.calls {
		if c.reply == nil {
			open = append(open, c)
		}
	}
	err := x.proxy.forward(context.WithoutCancel(x.ctx), x.node, open)
	if err != nil {
		http.Error(x.w, err.Error(), http.StatusBadGateway)
	}
	return err == nil
}

// body returns the answer to all calls.
func (x *exchange) body() []byte {
	replies := make([]*reply, len(x.calls))
	for i, c := range x.calls {
		replies[i] = c.reply
	}
	var answer any = replies
	if !x.batch {
		answer = replies[0]
	}
	body, err := json.Marshal(answer)
	if err != nil {
		panic(err) // a node sent what is not JSON
	}
	return body
}

func (x *exchange) send(body []byte) {
	x.header(len(body))
	x.w.Write(body)
}

func (x *exchange) header(length int) {
	x.w.Header().Set("Content-Type", "application/json")
	x.w.Header().Set("Content-Length", strconv.Itoa(length))
}

// refuse answers the whole request with a status and one error.
func (x *exchange) refuse(status, code int, says string) {
	x.w.Header().Set("Content-Type", "application/json")
	x.w.WriteHeader(status)
	json.NewEncoder(x.w).Encode(reply{ID: json.RawMessage("null"), Version: "2.0", Error: &problem{Code: code, Message: says}})
}

// cut closes the connection before the answer is complete.
func (x *exchange) cut() {
	if conn, _, err := http.NewResponseController(x.w).Hijack(); err == nil {
		conn.Close()
	}
}

// forward sends calls to the node, as one batch, and assigns the answers to them.
func (p *Proxy) forward(ctx context.Context, node string, calls []*call) error {
	if len(calls) == 0 {
		return nil
	}
	// Use new ids, because the program's own need not be unique.
	wire := make([]call, len(calls))
	for i, c := range calls {
		wire[i] = *c
		wire[i].ID = json.RawMessage(strconv.Itoa(i))
		wire[i].Version = "2.0"
		wire[i].Params = append([]json.RawMessage{}, c.Params...)
	}
	body, err := json.Marshal(wire)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, node, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := p.client.Do(request)
	if err != nil {
		return fmt.Errorf("asking the node: %w", err)
	}
	defer response.Body.Close()
	var replies []*reply
	if err := json.NewDecoder(response.Body).Decode(&replies); err != nil {
		return fmt.Errorf("reading the node's answer: %w", err)
	}
	for _, r := range replies {
		i, err := strconv.Atoi(string(r.ID))
		if err != nil || i < 0 || i >= len(calls) {
			return fmt.Errorf("reading the node's answer: no call has the id %s", r.ID)
		}
		if r.Result == nil && r.Error == nil {
			r.Result = json.RawMessage("null")
		}
		r.ID = calls[i].ID
		calls[i].reply = r
	}
	for _, c := range calls {
		if c.reply == nil {
			return fmt.Errorf("reading the node's answer: there is none to %s", c.Method)
		}
	}
	return nil
}

// ask sends a request of the proxy itself to its node.
func (x *exchange) ask(result any, method string, params ...any) error {
	c := &call{Method: method}
	for _, v := range params {
		raw, err := json.Marshal(v)
		if err != nil {
			return err
		}
		c.Params = append(c.Params, raw)
	}
	if err := x.proxy.forward(x.ctx, x.proxy.node, []*call{c}); err != nil {
		return err
	}
	if c.reply.Error != nil {
		return fmt.Errorf("%s: %s", method, c.reply.Error.Message)
	}
	return json.Unmarshal(c.reply.Result, result)
}

// height returns the node's newest block. If it cannot, it answers the call with an error.
func (x *exchange) height(c *call) (height uint64, ok bool) {
	var n hexutil.Uint64
	if err := x.ask(&n, "eth_blockNumber"); err != nil {
		c.fail(-32603, err.Error())
		return 0, false
	}
	return uint64(n), true
}

// number returns the number of the block with a hash or tag, if the node has it.
func (x *exchange) number(tag, hash string) (n uint64, ok bool) {
	var b *struct{ Number hexutil.Uint64 }
	var err error
	if hash != "" {
		err = x.ask(&b, "eth_getBlockByHash", hash, false)
	} else {
		err = x.ask(&b, "eth_getBlockByNumber", tag, false)
	}
	if err != nil || b == nil {
		return 0, false
	}
	return uint64(b.Number), true
}

// blockParam is the position of each method's block parameter.
var blockParam = map[string]int{
	"eth_call": 1, "eth_getBalance": 1, "eth_getCode": 1, "eth_getTransactionCount": 1,
	"eth_getStorageAt": 2, "eth_getProof": 2, "eth_getBlockByNumber": 0,
}

// readsState reports whether a call reads state, and not headers.
func (c *call) readsState() bool {
	_, takes := blockParam[c.Method]
	return takes && c.Method != "eth_getBlockByNumber"
}

// block returns the block that a call names: a tag or number, or a hash.
func (c *call) block() (tag, hash string) {
	if c.Method == "eth_getBlockByHash" && len(c.Params) > 0 {
		json.Unmarshal(c.Params[0], &hash)
		return "", hash
	}
	i, takes := blockParam[c.Method]
	if !takes || i >= len(c.Params) {
		return "", ""
	}
	if json.Unmarshal(c.Params[i], &tag) == nil {
		if len(tag) == 66 {
			return "", tag
		}
		return tag, ""
	}
	var named struct{ BlockHash, BlockNumber string }
	json.Unmarshal(c.Params[i], &named)
	return named.BlockNumber, named.BlockHash
}

// setBlock changes the block that a call names.
func (c *call) setBlock(number uint64) {
	if i, takes := blockParam[c.Method]; takes && i < len(c.Params) {
		c.Params[i], _ = json.Marshal(hexutil.Uint64(number))
	}
}
