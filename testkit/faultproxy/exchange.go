package faultproxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

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

// An exchange is one HTTP request, with a call or a batch of them.
type exchange struct {
	proxy   *Proxy
	request *http.Request
	changed chan struct{} // closed when the fault changes
	node    string        // URL of the node to ask
	batch   bool
	calls   []*call
	size    int // bytes of the request
}

// parse reads the calls.
func (x *exchange) parse() error {
	defer x.request.Body.Close()
	body, err := io.ReadAll(x.request.Body)
	if err != nil {
		return err
	}
	x.size = len(body)
	x.batch = bytes.HasPrefix(bytes.TrimSpace(body), []byte("["))
	if !x.batch {
		body = slices.Concat([]byte("["), body, []byte("]"))
	}
	return json.Unmarshal(body, &x.calls)
}

// fail answers a call with an error, instead of the node.
func (c *call) fail(code int, message string) {
	c.reply = &reply{ID: c.ID, Version: "2.0", Error: &problem{Code: code, Message: message}}
}

// give answers a call with a result, instead of the node.
func (c *call) give(result any) {
	c.reply = &reply{ID: c.ID, Version: "2.0", Result: toJSON(result)}
}

// toJSON encodes a value that is made of JSON, numbers and texts.
func toJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // a node sent what is not JSON
	}
	return text
}

// pass answers the request as the node does, except for the calls that are answered already.
func (x *exchange) pass() (*http.Response, error) {
	body, err := x.fetch()
	if err != nil {
		return nil, err
	}
	return x.send(body), nil
}

// fetch sends the node the calls that are not answered yet. It returns the answer to all calls.
func (x *exchange) fetch() ([]byte, error) {
	var open []*call
	for _, c := range x.calls {
		if c.reply == nil {
			open = append(open, c)
		}
	}
	if len(open) > 0 {
		if err := x.forward(x.node, open); err != nil {
			return nil, err
		}
	}
	return x.body(), nil
}

// body returns the answer to all calls.
func (x *exchange) body() []byte {
	if !x.batch {
		return toJSON(x.calls[0].reply)
	}
	replies := make([]*reply, len(x.calls))
	for i, c := range x.calls {
		replies[i] = c.reply
	}
	return toJSON(replies)
}

// send answers the request with JSON.
func (x *exchange) send(body []byte) *http.Response {
	return x.answer(http.StatusOK, "application/json", len(body), bytes.NewReader(body))
}

// page answers the request with a page of HTML, as gateways do.
func (x *exchange) page(status int, text string) *http.Response {
	return x.answer(status, "text/html; charset=utf-8", len(text), bytes.NewReader([]byte(text)))
}

// refuse answers the whole request with a status and one error.
func (x *exchange) refuse(status, code int, says string) *http.Response {
	c := call{ID: json.RawMessage("null")}
	c.fail(code, says)
	body := toJSON(c.reply)
	return x.answer(status, "application/json", len(body), bytes.NewReader(body))
}

// answer returns an answer whose body may end before its length.
func (x *exchange) answer(status int, mediaType string, length int, body io.Reader) *http.Response {
	header := http.Header{"Content-Type": {mediaType}, "Content-Length": {strconv.Itoa(length)}}
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1, Header: header, ContentLength: int64(length), Body: io.NopCloser(body), Request: x.request}
}

// wait returns nil after a time, and an error if the fault changes or the caller leaves before.
func (x *exchange) wait(d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-x.changed:
		return errors.New("the fault has changed")
	case <-x.request.Context().Done():
		return x.request.Context().Err()
	}
}

// forward sends calls to a node, as one batch, and assigns the answers to them.
func (x *exchange) forward(node string, calls []*call) error {
	// Use new ids, because the program's own need not be unique.
	wire := make([]call, len(calls))
	for i, c := range calls {
		wire[i] = call{ID: json.RawMessage(strconv.Itoa(i)), Version: "2.0", Method: c.Method,
			Params: append([]json.RawMessage{}, c.Params...)}
	}
	request, err := http.NewRequestWithContext(x.request.Context(), http.MethodPost, node, bytes.NewReader(toJSON(wire)))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := x.proxy.transport.RoundTrip(request)
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
		c.Params = append(c.Params, toJSON(v))
	}
	if err := x.forward(x.proxy.node, []*call{c}); err != nil {
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
	method := "eth_getBlockByNumber"
	if hash != "" {
		method = "eth_getBlockByHash"
	}
	var b *struct{ Number hexutil.Uint64 }
	if err := x.ask(&b, method, tag+hash, false); err != nil || b == nil {
		return 0, false
	}
	return uint64(b.Number), true
}

// blockParam is the position of each method's block parameter.
var blockParam = map[string]int{
	"eth_call": 1, "eth_getBalance": 1, "eth_getCode": 1, "eth_getTransactionCount": 1,
	"eth_getStorageAt": 2, "eth_getProof": 2, "eth_getBlockByNumber": 0, "eth_getBlockByHash": 0,
}

// readsState reports whether a call reads state, and not headers.
func (c *call) readsState() bool { return blockParam[c.Method] > 0 }

// block returns the block that a call names: a tag or number, or a hash.
func (c *call) block() (tag, hash string) {
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
		c.Params[i] = toJSON(hexutil.Uint64(number))
	}
}
