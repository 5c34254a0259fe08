package faultproxy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// A Call is one JSON-RPC call on its way through the proxy.
type Call struct {
	ID      json.RawMessage   `json:"id"`
	Version string            `json:"jsonrpc"`
	Method  string            `json:"method"`
	Params  []json.RawMessage `json:"params"`

	reply *reply // the answer, if the node is not asked
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

// An exchange is one HTTP request: a call, or a batch of them.
type exchange struct {
	batch bool
	calls []*Call
	size  int // bytes of the body
}

func parse(body []byte) (*exchange, error) {
	x := &exchange{batch: bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")), size: len(body)}
	if x.batch {
		return x, json.Unmarshal(body, &x.calls)
	}
	c := new(Call)
	x.calls = []*Call{c}
	return x, json.Unmarshal(body, c)
}

// fail answers a call with an error, instead of the node.
func (c *Call) fail(code int, message string) {
	c.reply = &reply{ID: c.ID, Version: "2.0", Error: &problem{Code: code, Message: message}}
}

// give answers a call with a result, instead of the node.
func (c *Call) give(result any) {
	raw, err := json.Marshal(result)
	if err != nil {
		c.fail(-32603, err.Error())
		return
	}
	c.reply = &reply{ID: c.ID, Version: "2.0", Result: raw}
}

// answer sends the node the calls that the fault has not answered, and returns the whole body.
func (p *Proxy) answer(ctx context.Context, f Fault, x *exchange) ([]byte, error) {
	if f.prepare != nil {
		f.prepare(x)
	}
	var open []*Call
	for _, c := range x.calls {
		if f.before != nil {
			f.before(ctx, p, c)
		}
		if c.reply == nil {
			open = append(open, c)
		}
	}
	node := p.node
	if f.node != nil {
		node = f.node(p.node, x)
	}
	if len(open) > 0 {
		if err := p.forward(ctx, node, open); err != nil {
			return nil, err
		}
	}
	replies := make([]*reply, len(x.calls))
	for i, c := range x.calls {
		if f.after != nil && c.reply.Error == nil {
			f.after(c)
		}
		replies[i] = c.reply
	}
	if x.batch {
		return json.Marshal(replies)
	}
	return json.Marshal(replies[0])
}

// forward sends calls to the node, as one batch.
func (p *Proxy) forward(ctx context.Context, node string, calls []*Call) error {
	// Use new ids, because the program's own need not be unique.
	wire := make([]Call, len(calls))
	for i, c := range calls {
		wire[i] = *c
		wire[i].ID = json.RawMessage(fmt.Sprint(i))
		wire[i].Version = "2.0"
		if c.Params == nil {
			wire[i].Params = []json.RawMessage{}
		}
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
	body, err = io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("asking the node: %w", err)
	}
	return match(calls, body)
}

// match assigns the node's answers to the calls of a batch.
func match(calls []*Call, body []byte) error {
	var replies []*reply
	if err := json.Unmarshal(body, &replies); err != nil {
		return fmt.Errorf("reading the node's answer: %w", err)
	}
	for _, r := range replies {
		var i int
		if err := json.Unmarshal(r.ID, &i); err != nil || i < 0 || i >= len(calls) {
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

// ask sends a request of the proxy itself to the node.
func (p *Proxy) ask(ctx context.Context, result any, method string, params ...any) error {
	c := &Call{ID: json.RawMessage("1"), Method: method}
	for _, v := range params {
		raw, err := json.Marshal(v)
		if err != nil {
			return err
		}
		c.Params = append(c.Params, raw)
	}
	if err := p.forward(ctx, p.node, []*Call{c}); err != nil {
		return err
	}
	if c.reply.Error != nil {
		return fmt.Errorf("%s: %s", method, c.reply.Error.Message)
	}
	return json.Unmarshal(c.reply.Result, result)
}
