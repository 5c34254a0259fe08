package evm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	maxAnswer = 32 << 20 // bytes of one answer
	maxRefuse = 64 << 10 // bytes of one that is not an answer
)

var (
	errTooLong  = errors.New("answer is too long")
	errNotJSON  = errors.New("answer is not JSON")
	errEmptyAns = errors.New("answer is empty")
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

// bounded is the HTTP transport beneath the JSON-RPC client. It reads every
// answer whole and no further than limit, and turns what is no answer to a
// batch into an error, so that the client above only ever sees JSON arrays.
type bounded struct {
	base  http.RoundTripper
	limit int64
}

func (b bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := b.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefuse))
		return nil, &statusError{resp.StatusCode, retryAfter(resp.Header, time.Now()), refusal(text)}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, b.limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(body)) > b.limit {
		return nil, errTooLong
	}
	body, err = answers(body)
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	return resp, nil
}

// CloseIdleConnections lets http.Client reach the base.
func (b bounded) CloseIdleConnections() {
	if base, ok := b.base.(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

// answers checks that body is a JSON array, as the answer to a batch must be. A
// lone error, bare or in an array, is the answer to the batch as a whole.
func answers(body []byte) ([]byte, error) {
	text := bytes.TrimSpace(body)
	switch {
	case len(text) == 0:
		return nil, errEmptyAns
	case text[0] == '{':
		if node := refusal(text); node != nil {
			return nil, &statusError{status: http.StatusOK, node: node}
		}
		return nil, errNotJSON
	case text[0] != '[':
		return nil, errNotJSON
	case len(text) <= maxRefuse:
		if node := refusal(text); node != nil {
			return nil, &statusError{status: http.StatusOK, node: node}
		}
	}
	return withoutNullErrors(text), nil
}

// withoutNullErrors drops "error":null, which some nodes send beside a result
// and which the client would take for an error.
func withoutNullErrors(text []byte) []byte {
	if !bytes.Contains(text, []byte(`"error":null`)) && !bytes.Contains(text, []byte(`"error": null`)) {
		return text
	}
	var batch []map[string]json.RawMessage
	if json.Unmarshal(text, &batch) != nil {
		return text
	}
	for _, msg := range batch {
		if string(msg["error"]) == "null" {
			delete(msg, "error")
		}
	}
	clean, err := json.Marshal(batch)
	if err != nil {
		return text
	}
	return clean
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
