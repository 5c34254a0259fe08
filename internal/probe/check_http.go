package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// A response is a whole answer.
type response struct {
	status int
	header http.Header
	body   []byte
}

// maxBody bounds what a service may send.
const maxBody = 16 << 20

func (c *Checker) get(ctx context.Context, url string, header ...string) (*response, error) {
	return c.call(ctx, http.MethodGet, url, header...)
}

// call sends a request with headers that are given as names and values in turn.
func (c *Checker) call(ctx context.Context, method, url string, header ...string) (*response, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", c.UserAgent)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := c.Client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if len(body) > maxBody {
		return nil, errors.New("the answer is larger than 16 MB")
	}
	return &response{res.StatusCode, res.Header, body}, nil
}

// expect is call with the status and, unless it is empty, the media type that
// the answer has to have. The answer is there even if it has others.
func (c *Checker) expect(ctx context.Context, method, url string, status int, mediaType string, header ...string) (*response, error) {
	r, err := c.call(ctx, method, url, header...)
	switch {
	case err != nil:
		return nil, err
	case r.status != status:
		return r, fmt.Errorf("status %d, want %d%s", r.status, status, r.challenge())
	case mediaType != "" && !r.is(mediaType):
		return r, fmt.Errorf("type %q, want %s", r.mediaType(), mediaType)
	}
	return r, nil
}

// getJSON is expect for a JSON document, which it decodes. The answer is there
// even if it is not such a document.
func (c *Checker) getJSON(ctx context.Context, url string, document any) (*response, error) {
	r, err := c.expect(ctx, http.MethodGet, url, http.StatusOK, "application/json")
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(r.body, document)
}

// refused demands an error that no cache keeps.
func (c *Checker) refused(ctx context.Context, url string, status int) error {
	r, err := c.expect(ctx, http.MethodGet, url, status, "")
	if err != nil {
		return err
	}
	return r.wantHeader("Cache-Control", "no-store")
}

func (r *response) mediaType() string {
	kind, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	return strings.TrimSpace(kind)
}

func (r *response) is(mediaType string) bool { return strings.EqualFold(r.mediaType(), mediaType) }

// challenge says whether the answer looks like a wall against robots.
func (r *response) challenge() string {
	if r.is("text/html") && (r.status == 403 || r.status == 429 || r.status == 503 ||
		r.header.Get("Cf-Mitigated") != "" || bytes.Contains(r.body, []byte("challenge"))) {
		return "; a bot challenge stands in front of it, and price aggregators cannot pass one"
	}
	return ""
}

// wantHeader demands that a header contains a value.
func (r *response) wantHeader(name, value string) error {
	if got := r.header.Get(name); !strings.Contains(got, value) {
		return fmt.Errorf("%s is %q, want %s", name, got, value)
	}
	return nil
}

// wantCORS demands that scripts of other origins may read the answer.
func (r *response) wantCORS() error { return r.wantHeader("Access-Control-Allow-Origin", "*") }
