// Package consumercheck calls a deployed service as its consumers do: price aggregators, wallets,
// marketplaces, explorers, browsers. It compares each answer with the service's own specification.
// Call Check.
package consumercheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A Config has the options of a check.
type Config struct {
	Pet       uint64        // the pet to request; 0 means the first of the listing
	Timeout   time.Duration // for each answer
	UserAgent string
	Report    func(Result) // called with each result as soon as it is known
}

// A Result says whether the service meets one demand.
type Result struct {
	Demand string `json:"demand"`
	OK     bool   `json:"ok"`
	Error  string `json:"error,omitempty"` // why the demand is not met
	// Unreachable means that there was no answer at all.
	Unreachable bool    `json:"unreachable,omitempty"`
	Note        string  `json:"note,omitempty"` // a remark about a demand that is met
	Seconds     float64 `json:"seconds"`
}

// Check finds the specifications at a base address and below it, and checks their interfaces. It
// returns an error only if address is not a web address.
func Check(ctx context.Context, cfg Config, address string) error {
	address = strings.TrimRight(address, "/")
	base, err := url.Parse(address)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return fmt.Errorf("%q is not an address; write it like https://supply.example.com", address)
	}
	client := &http.Client{
		Timeout:       cfg.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	found := false
	for _, base := range []string{address, address + "/supply", address + "/pets"} {
		c := &checker{Config: cfg, client: client, base: base}
		at := base + "/openapi.json"
		a, err := c.call(ctx, http.MethodGet, at, nil)
		if err == nil && (a.status == http.StatusNotFound || a.mediaType() == "text/html") {
			continue // there is no interface here
		}
		found = true
		read := c.demand("a specification: "+at, func() error {
			if err == nil && a.status != http.StatusOK {
				err = fmt.Errorf("status %d, want 200", a.status)
			}
			if err != nil {
				return err
			}
			return a.decode(&c.spec)
		})
		switch {
		case err != nil:
			return nil // nothing answers
		case read && c.spec.describes("/{token}"):
			c.checkSupply(ctx)
		case read:
			c.checkPets(ctx)
		}
	}
	if !found {
		c := &checker{Config: cfg}
		c.demand("a supply or pets interface: "+address, func() error {
			return errors.New("there is no specification at /openapi.json, /supply/openapi.json or /pets/openapi.json")
		})
	}
	return nil
}

// A checker checks one interface of a service.
type checker struct {
	Config
	client *http.Client
	base   string // address of the interface
	spec   specification
}

// demand calls the function met, and reports and returns whether the demand is met. The function
// returns nil or a note if it is, and otherwise the reason why not.
func (c *checker) demand(demand string, met func() error) bool {
	start := time.Now()
	r := Result{Demand: demand}
	err := met()
	n, noted := errors.AsType[note](err)
	r.Note = string(n)
	r.OK = err == nil || noted
	if !r.OK {
		_, r.Unreachable = errors.AsType[*net.OpError](err)
		r.Unreachable = r.Unreachable || errors.Is(err, context.DeadlineExceeded)
		r.Error = err.Error()
	}
	r.Seconds = time.Since(start).Seconds()
	c.Report(r)
	return r.OK
}

// A note is a remark about a demand that is met.
type note string

func (n note) Error() string { return string(n) }

// answers checks the answer at an address. An address that begins with a slash is below the
// interface. The answer must have the status, fit what the specification says about path, and pass
// the check further, which may be nil. It reports whether all of this holds.
func (c *checker) answers(ctx context.Context, demand, path, at string, status int, further func(*answer) error) bool {
	if strings.HasPrefix(at, "/") {
		at = c.base + at
	}
	return c.demand(demand+": "+at, func() error {
		a, err := c.call(ctx, http.MethodGet, at, nil)
		switch {
		case err != nil:
			return err
		case a.status != status:
			return fmt.Errorf("status %d, want %d", a.status, status)
		}
		if err := c.spec.fits(path, a); err != nil {
			return err
		}
		if status == http.StatusOK {
			if err := c.isConditional(ctx, at, a); err != nil {
				return err
			}
		}
		if further == nil {
			return nil
		}
		return further(a)
	})
}

// isConditional returns an error if HEAD is not answered like GET, or if a request with the answer's
// ETag does not get 304. This request accepts only JSON, as Coinranking's do for every address. It
// must not be refused for that.
func (c *checker) isConditional(ctx context.Context, url string, got *answer) error {
	head, err := c.call(ctx, http.MethodHead, url, nil)
	if err != nil {
		return fmt.Errorf("HEAD: %w", err)
	}
	if head.status != got.status || head.mediaType() != got.mediaType() {
		return fmt.Errorf("HEAD is answered with status %d and the type %q", head.status, head.mediaType())
	}
	tag := got.header.Get("ETag")
	again, err := c.call(ctx, http.MethodGet, url, http.Header{"If-None-Match": {tag}, "Accept": {"application/json"}})
	switch {
	case err != nil:
		return err
	case again.status == http.StatusNotModified:
		return nil
	case again.status != http.StatusOK:
		return fmt.Errorf("status %d for a client that accepts JSON", again.status)
	case again.header.Get("ETag") == tag:
		return errors.New("status 200 for an ETag that is still current, want 304")
	}
	return nil
}

// An answer is the complete answer to a request.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a *answer) mediaType() string {
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// decode reads a JSON document.
func (a *answer) decode(document any) error { return json.Unmarshal(a.body, document) }

// maxBody is the most bytes of an answer. A JSON document may need fifty times as much memory.
const maxBody = 4 << 20

// call sends a request.
func (c *checker) call(ctx context.Context, method, url string, header http.Header) (*answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return nil, err
	}
	if header != nil {
		req.Header = header
	}
	req.Header.Set("User-Agent", c.UserAgent)
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
		return nil, errors.New("the answer is larger than 4 MB")
	}
	return &answer{status: res.StatusCode, header: res.Header, body: body}, nil
}
