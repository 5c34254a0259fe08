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
	"time"
)

// A Checker calls deployed services as their consumers do, and tells a Result
// for each demand that a consumer makes, as soon as it was tried.
type Checker struct {
	Tried     func(Result)
	client    *http.Client
	userAgent string
	pet       uint64 // to ask for; 0: the first of the listing
}

// A Result says whether a consumer's demand is met.
type Result struct {
	Consumer, Demand string
	Err              error  // why not; nil if it is
	Note             string // what to know of it all the same
	Took             time.Duration
}

// NewChecker returns a Checker that asks for a pet, or for the first of the
// listing if it is 0, and waits at most timeout for each answer.
func NewChecker(pet uint64, timeout time.Duration, userAgent string) *Checker {
	return &Checker{Tried: func(Result) {}, pet: pet, userAgent: userAgent, client: &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// A response is a whole answer.
type response struct {
	status int
	header http.Header
	body   []byte
}

// A check says what is wrong with an answer.
type check func(*response) error

// maxBody bounds what a service may send.
const maxBody = 16 << 20

// demand records whether a consumer's demand is met; met says why not.
func (c *Checker) demand(consumer, what string, met func() error) {
	start := time.Now()
	r := Result{Consumer: consumer, Demand: what, Err: met()}
	var n note
	if errors.As(r.Err, &n) {
		r.Err, r.Note = nil, string(n)
	}
	r.Took = time.Since(start)
	c.Tried(r)
}

// A note is a demand that is met, with something to know about it.
type note string

func (n note) Error() string { return string(n) }

// get is the demand that the answer to a GET passes every check. It returns the
// answer, nil if there is none.
func (c *Checker) get(ctx context.Context, consumer, what, url string, checks ...check) (r *response) {
	c.demand(consumer, what, func() (err error) {
		r, err = c.call(ctx, http.MethodGet, url, nil, checks...)
		return err
	})
	return r
}

// call sends a request and applies the checks up to the first that fails. The
// answer is there even if one does.
func (c *Checker) call(ctx context.Context, method, url string, header http.Header, checks ...check) (*response, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return nil, err
	}
	if header != nil {
		req.Header = header
	}
	req.Header.Set("User-Agent", c.userAgent)
	res, err := c.client.Do(req)
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
	r := &response{res.StatusCode, res.Header, body}
	for _, check := range checks {
		if err := check(r); err != nil {
			return r, err
		}
	}
	return r, nil
}

// conditional demands that HEAD shows what GET did and that a known ETag is
// answered with 304.
func (c *Checker) conditional(ctx context.Context, url string, got *response) {
	c.demand("everyone", "HEAD and 304: "+url, func() error {
		if _, err := c.call(ctx, http.MethodHead, url, nil, isOK(got.mediaType())); err != nil {
			return fmt.Errorf("HEAD: %w", err)
		}
		tag := got.header.Get("ETag")
		if tag == "" {
			return errors.New("no ETag")
		}
		again, err := c.call(ctx, http.MethodGet, url, http.Header{"If-None-Match": {tag}})
		if err == nil && again.status != http.StatusNotModified && again.header.Get("ETag") == tag {
			return fmt.Errorf("status %d for an ETag it still has, want 304", again.status)
		}
		return err
	})
}

// hasStatus checks the status.
func hasStatus(status int) check {
	return func(r *response) error {
		if r.status != status {
			return fmt.Errorf("status %d, want %d%s", r.status, status, r.challenge())
		}
		return nil
	}
}

// isOK checks for a 200 of a media type.
func isOK(mediaType string) check {
	return func(r *response) error {
		if r.status == http.StatusOK && r.mediaType() != mediaType {
			return fmt.Errorf("type %q, want %s", r.mediaType(), mediaType)
		}
		return hasStatus(http.StatusOK)(r)
	}
}

// isJSON checks for a 200 with a JSON document, and decodes it.
func isJSON(document any) check {
	return func(r *response) error {
		if err := isOK("application/json")(r); err != nil {
			return err
		}
		return json.Unmarshal(r.body, document)
	}
}

// isRefusal checks for an error that no cache keeps.
func isRefusal(status int) check {
	return func(r *response) error {
		if err := hasStatus(status)(r); err != nil {
			return err
		}
		return r.wantHeader("Cache-Control", "no-store")
	}
}

func (r *response) mediaType() string {
	kind, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// challenge says whether the answer looks like a wall against robots.
func (r *response) challenge() string {
	if r.mediaType() == "text/html" && (r.status == 403 || r.status == 429 || r.status == 503 ||
		r.header.Get("Cf-Mitigated") != "" || bytes.Contains(r.body, []byte("challenge"))) {
		return "; a bot challenge stands in front of it, and price aggregators cannot pass one"
	}
	return ""
}

func (r *response) wantHeader(name, value string) error {
	if got := r.header.Get(name); !strings.Contains(got, value) {
		return fmt.Errorf("%s is %q, want %s", name, got, value)
	}
	return nil
}

// wantCORS demands that scripts of other origins may read the answer.
func (r *response) wantCORS() error { return r.wantHeader("Access-Control-Allow-Origin", "*") }
