package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	maxAnswer    = 32 << 20 // bytes of one answer
	maxErrorBody = 64 << 10 // bytes read of an answer whose status is not 200
	maxPrealloc  = 1 << 20  // most bytes that are allocated in advance because of Content-Length
)

// A Request is one call of a batch. After the round trip either Result or Fault is set.
type Request struct {
	method string
	args   []any // a json.RawMessage is sent as it is
	Result json.RawMessage
	Fault  *Fault
	post   uint64 // id of the first request of its last post
}

// Together reports whether the last replies to all requests came in one post.
func Together(reqs ...*Request) bool {
	return !slices.ContainsFunc(reqs, func(r *Request) bool { return r.post != reqs[0].post })
}

// Ask returns a request to send.
func Ask(method string, args ...any) *Request {
	return &Request{method: method, args: args}
}

// A postFunc sends a batch to one node and returns the body of the answer. Its errors are faults.
// Only this closure has the node's URL.
type postFunc func(ctx context.Context, batch []byte) ([]byte, error)

// newPost makes a postFunc. It reads no more than maxAnswer bytes of an answer.
func newPost(url string, client *http.Client) postFunc {
	return func(ctx context.Context, batch []byte) ([]byte, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(batch))
		if err != nil {
			return nil, networkFault(ctx, err)
		}
		req.Header.Set("Accept", "application/json")
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			return nil, networkFault(ctx, err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			text, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
			return nil, statusFault(resp, text)
		}
		var body bytes.Buffer
		body.Grow(int(min(max(resp.ContentLength, 0), maxPrealloc)) + bytes.MinRead)
		_, err = body.ReadFrom(io.LimitReader(resp.Body, maxAnswer+1))
		if err != nil {
			return nil, networkFault(ctx, err)
		}
		if body.Len() > maxAnswer {
			return nil, Faultf(tooLong, "answer is longer than %d MB", maxAnswer>>20)
		}
		return body.Bytes(), nil
	}
}

// encodeBatch writes the requests as JSON. Their ids are consecutive, beginning with first.
func encodeBatch(reqs []*Request, first uint64) ([]byte, error) {
	size := 0
	for _, r := range reqs {
		size += r.size()
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
				text, err = json.Marshal(arg)
				if err != nil {
					return nil, err
				}
			}
			out = append(out, text...)
		}
		out = append(out, "]}"...)
	}
	return append(out, ']'), nil
}

// decodeBatch assigns to each request the first reply with its id. A single error, bare or in an
// array, is the answer to the whole batch.
func decodeBatch(body []byte, reqs []*Request, first uint64) error {
	text := bytes.TrimSpace(body)
	if len(text) == 0 || text[0] != '[' {
		if node := batchError(text); node != nil {
			return nodeFault(node)
		}
		if bytes.HasPrefix(text, []byte("<")) {
			return &Fault{Kind: Malformed, Text: "answer is HTML and not JSON", page: true}
		}
		return Faultf(Malformed, "answer is empty or not JSON")
	}
	replies, short, ok := messages(text, 2*len(reqs)+8) // some nodes repeat a reply
	switch {
	case !ok && short:
		return Faultf(transport, "answer was cut short")
	case !ok:
		return Faultf(Malformed, "answer is empty or not JSON")
	}
	missing := Faultf(Malformed, "answer lacks a reply, or has one that is not valid")
	for _, r := range reqs {
		r.Result = nil
		r.Fault = missing
		r.post = first
	}
	for _, m := range replies {
		var node *nodeError // stays nil if "error" is null
		if m.fault != nil && json.Unmarshal(m.fault, &node) != nil {
			return Faultf(Malformed, "answer is not valid JSON-RPC")
		}
		id, err := strconv.ParseUint(string(m.id), 10, 64)
		known := err == nil && id-first < uint64(len(reqs))
		if node != nil && len(replies) == 1 && (!known || len(reqs) > 1) {
			return nodeFault(node)
		}
		if !known || reqs[id-first].Fault != missing {
			continue
		}
		switch r := reqs[id-first]; {
		case node != nil:
			r.Fault = nodeFault(node)
		case m.result != nil:
			r.Result = m.result
			r.Fault = nil
		}
	}
	return nil
}

// batchError returns the JSON-RPC error if text consists of one, bare or in an array. Otherwise it
// returns nil.
func batchError(text []byte) *nodeError {
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

// statusFault makes a fault from an answer whose status is not 200. If its body is a JSON-RPC error,
// the fault is that error.
func statusFault(resp *http.Response, text []byte) *Fault {
	f := Faultf(status, "HTTP status %d", resp.StatusCode)
	f.code = resp.StatusCode
	if node := batchError(text); node != nil {
		f = nodeFault(node)
	} else if bytes.Contains(text, []byte("not done bootstrapping")) { // avalanchego
		f.Text += ": is still syncing"
	} else if resp.StatusCode == http.StatusRequestEntityTooLarge {
		f.raw = strings.ToLower(string(text[:min(len(text), maxSaid)]))
	}
	f.Wait = retryAfter(resp.Header, time.Now())
	if resp.StatusCode == http.StatusTooManyRequests {
		f.Kind = Limited
	}
	return f
}

// retryAfter reads Retry-After, which is a number of seconds or a date. It returns 0 if there is
// none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := h.Get("Retry-After")
	if s, err := strconv.ParseUint(v, 10, 32); err == nil {
		return time.Duration(s) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, t.Sub(now))
	}
	return 0
}
