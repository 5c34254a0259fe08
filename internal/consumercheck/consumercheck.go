// Package consumercheck calls a deployed service as its consumers do: price
// aggregators, wallets, marketplaces, explorers, browsers. Call Check.
package consumercheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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

// A Result says whether the service meets one demand of one consumer.
type Result struct {
	Consumer string `json:"consumer"`
	Demand   string `json:"demand"`
	OK       bool   `json:"ok"`
	Error    string `json:"error,omitempty"` // why the demand is not met
	// Unreachable means that there was no answer at all.
	Unreachable bool    `json:"unreachable,omitempty"`
	Note        string  `json:"note,omitempty"` // a remark about a demand that is met
	Seconds     float64 `json:"seconds"`
}

// Check finds out which interfaces answer at a base address and checks them. It returns an error
// only if address is not a web address.
func Check(ctx context.Context, cfg Config, address string) error {
	address = strings.TrimRight(address, "/")
	base, err := url.Parse(address)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return fmt.Errorf("%q is not an address; write it like https://supply.example.com", address)
	}
	c := &checker{Config: cfg, client: &http.Client{
		Timeout:       cfg.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	c.check(ctx, address)
	return nil
}

// A checker checks the interfaces of one service.
type checker struct {
	Config
	client *http.Client
}

func (c *checker) check(ctx context.Context, address string) {
	isList := func(a *answer) bool { return bytes.HasPrefix(a.body, []byte("[")) }
	supply := c.find(ctx, address, "/supply", "/", isList)
	if supply != "" {
		c.checkSupply(ctx, supply)
	}
	isDocument := func(a *answer) bool { return a.mediaType() == "application/json" }
	pets := c.find(ctx, address, "/pets", "/contract", isDocument)
	if pets != "" {
		c.checkPets(ctx, pets)
	}
	if strings.HasPrefix(address, "https:") {
		c.get(ctx, "everyone", "the certificate is valid for another week", address+"/", isCertified)
	}
	if supply == "" && pets == "" {
		c.get(ctx, "everyone", "a supply or pets interface answers", address+"/", func(a *answer) error {
			return fmt.Errorf("answered %d %s, which is neither a supply nor a pets interface%s",
				a.status, a.mediaType(), a.challenge())
		})
	}
}

// find returns the address of an interface, which is base or a path under it. It
// returns "" if neither has the interface's document.
func (c *checker) find(ctx context.Context, base, under, document string, is func(*answer) bool) string {
	for _, at := range []string{base, base + under} {
		a, err := c.call(ctx, http.MethodGet, at+document, nil)
		if err == nil && a.status == http.StatusOK && is(a) {
			return at
		}
	}
	return ""
}

// demand calls the function met, and reports and returns whether the demand is met. The function
// returns nil or a note if it is, and otherwise the reason why not.
func (c *checker) demand(consumer, demand string, met func() error) bool {
	start := time.Now()
	r := Result{Consumer: consumer, Demand: demand}
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

// get demands that the answer to a GET passes every check. It returns the answer, or nil if the
// demand is not met.
func (c *checker) get(ctx context.Context, consumer, demand, url string, checks ...check) (a *answer) {
	met := c.demand(consumer, demand+": "+url, func() (err error) {
		a, err = c.call(ctx, http.MethodGet, url, nil, checks...)
		return err
	})
	if !met {
		return nil
	}
	return a
}

// specification demands the specification of an interface. It returns nil if there is none.
func (c *checker) specification(ctx context.Context, base string) *specification {
	s := new(specification)
	if c.get(ctx, "client generators", "the specification", base+"/openapi.json", isJSON(s)) == nil {
		return nil
	}
	return s
}

// conditional demands that HEAD gets 200 and the media type of GET, and that a request with the
// current ETag gets 304.
func (c *checker) conditional(ctx context.Context, url string, got *answer) {
	c.demand("everyone", "HEAD and 304: "+url, func() error {
		if _, err := c.call(ctx, http.MethodHead, url, nil, isOK(got.mediaType())); err != nil {
			return fmt.Errorf("HEAD: %w", err)
		}
		tag := got.header.Get("ETag")
		if tag == "" {
			return errors.New("the answer has no ETag")
		}
		again, err := c.call(ctx, http.MethodGet, url, http.Header{"If-None-Match": {tag}})
		if err == nil && again.status != http.StatusNotModified && again.header.Get("ETag") == tag {
			return fmt.Errorf("status %d for an ETag that is still current, want 304", again.status)
		}
		return err
	})
}
