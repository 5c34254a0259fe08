package evm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
)

const (
	maxAnswer = 32 << 20 // bytes of one answer
	maxRefuse = 64 << 10 // bytes of one that is not an answer
	maxTrust  = 1 << 20  // bytes that are made ready because a node announced them
)

var (
	errTooLong  = errors.New("answer is too long")
	errNotJSON  = errors.New("answer is not JSON")
	errEmptyAns = errors.New("answer is empty")
	errNoReply  = errors.New("answer lacks a reply")
)

// A statusError is an HTTP answer that is not a 200, or a 200 that refuses the
// batch as a whole.
type statusError struct {
	status int
	wait   time.Duration // from Retry-After
	node   *nodeError    // what a JSON-RPC node said, if one spoke
}

func (e *statusError) Error() string { return fmt.Sprintf("HTTP status %d", e.status) }

// A nodeError is a JSON-RPC error that stands for a whole batch.
type nodeError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data"`
}

func (e *nodeError) Error() string  { return e.Message }
func (e *nodeError) ErrorCode() int { return e.Code }
func (e *nodeError) ErrorData() any { return e.Data }

// A wire carries batches to one node and brings their replies back.
type wire interface {
	// exchange asks all requests in one round trip and fills in their result or
	// err. An error of its own means that none was answered.
	exchange(ctx context.Context, reqs []*request) error
	Close()
}

// A socket is a wire by WebSocket. It reconnects by itself.
type socket struct{ *rpc.Client }

func (s socket) exchange(ctx context.Context, reqs []*request) error {
	batch := make([]rpc.BatchElem, len(reqs))
	for i, r := range reqs {
		batch[i] = rpc.BatchElem{Method: r.method, Args: r.args, Result: &r.result}
	}
	err := s.BatchCallContext(ctx, batch)
	for i, r := range reqs {
		r.err = batch[i].Error
	}
	return err
}

// A post is a wire by HTTP. It reads every answer whole and no further than
// limit. go-ethereum's client would go over each body several times; most of a
// refresh's own time went there.
type post struct {
	url    string
	client *http.Client
	limit  int64
	last   atomic.Uint64 // id of a request
}

func (p *post) Close() { p.client.CloseIdleConnections() }

func (p *post) exchange(ctx context.Context, reqs []*request) error {
	n := uint64(len(reqs))
	first := p.last.Add(n) - n + 1
	batch, err := encodeBatch(reqs, first)
	if err != nil {
		return err
	}
	body, err := p.send(ctx, batch)
	if err != nil {
		return err
	}
	return decodeBatch(body, reqs, first)
}

func (p *post) send(ctx context.Context, batch []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(batch))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefuse))
		return nil, &statusError{resp.StatusCode, retryAfter(resp.Header, time.Now()), refusal(text)}
	}
	var body bytes.Buffer
	body.Grow(int(min(max(resp.ContentLength, 0), maxTrust)) + bytes.MinRead)
	_, err = body.ReadFrom(io.LimitReader(resp.Body, p.limit+1))
	if err == nil && int64(body.Len()) > p.limit {
		err = errTooLong
	}
	return body.Bytes(), err
}

// encodeBatch writes the requests with ids from first on.
func encodeBatch(reqs []*request, first uint64) ([]byte, error) {
	size := 0
	for _, r := range reqs {
		size += 200 // and a little more than most need beside
		for _, arg := range r.args {
			text, _ := arg.(json.RawMessage)
			size += len(text)
		}
	}
	out := append(make([]byte, 0, size), '[')
	for i, r := range reqs {
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":[`, first+uint64(i), r.method)
		for j, arg := range r.args {
			if j > 0 {
				out = append(out, ',')
			}
			text, ready := arg.(json.RawMessage)
			if !ready {
				var err error
				if text, err = json.Marshal(arg); err != nil {
					return nil, err
				}
			}
			out = append(out, text...)
		}
		out = append(out, "]}"...)
	}
	return append(out, ']'), nil
}

// decodeBatch gives each request the first reply that carries its id. A lone
// error, bare or in an array, is the answer to the batch as a whole.
func decodeBatch(body []byte, reqs []*request, first uint64) error {
	text := bytes.TrimSpace(body)
	switch {
	case len(text) == 0:
		return errEmptyAns
	case text[0] == '{':
		if node := refusal(text); node != nil {
			return &statusError{status: http.StatusOK, node: node}
		}
		return errNotJSON
	case text[0] != '[':
		return errNotJSON
	}
	replies, short, ok := messages(text)
	switch {
	case !ok && short:
		return io.ErrUnexpectedEOF
	case !ok:
		return errNotJSON
	}
	for _, r := range reqs {
		r.err = errNoReply
	}
	for _, m := range replies {
		node, err := m.refuses()
		switch {
		case err != nil:
			return err
		case node != nil && len(replies) == 1:
			return &statusError{status: http.StatusOK, node: node}
		}
		id, err := strconv.ParseUint(string(m.id), 10, 64)
		if err != nil || id-first >= uint64(len(reqs)) || reqs[id-first].err != errNoReply {
			continue
		}
		r := reqs[id-first]
		switch {
		case node != nil:
			r.err = node
		case m.result != nil:
			r.result, r.err = m.result, nil
		}
	}
	return nil
}

// refuses is the error in m, if there is one; some nodes send a null beside a
// result.
func (m message) refuses() (node *nodeError, err error) {
	if m.fault != nil {
		err = json.Unmarshal(m.fault, &node)
	}
	return node, err
}

// refusal finds a JSON-RPC error that is all of text, bare or in an array.
func refusal(text []byte) *nodeError {
	var one struct{ Error *nodeError }
	if json.Unmarshal(text, &one) == nil && one.Error != nil {
		return one.Error
	}
	var many []struct{ Error *nodeError }
	if json.Unmarshal(text, &many) == nil && len(many) == 1 {
		return many[0].Error
	}
	return nil
}

// retryAfter reads the header in both its forms; 0 where there is none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := h.Get("Retry-After")
	if v == "" {
		return 0
	}
	if s, err := strconv.ParseUint(v, 10, 32); err == nil {
		return time.Duration(s) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, t.Sub(now))
	}
	return 0
}
