// Package probe tries things from the outside: check*.go play the consumers of
// a deployed service, online.go holds a configuration against its chains.
package probe

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A Checker calls deployed services as their consumers do, and keeps a Result
// for each demand that a consumer makes.
type Checker struct {
	Client    *http.Client // follows no redirects
	UserAgent string
	Pet       uint64 // to ask for; 0: the first of the listing
	Results   []Result
}

// A Result says whether a consumer's demand is met.
type Result struct {
	Consumer, Demand string
	Err              error // why not; nil if it is
	Took             time.Duration
}

// demand records whether a consumer's demand is met; check says why not.
func (c *Checker) demand(consumer, what string, check func() error) {
	start := time.Now()
	err := check()
	c.Results = append(c.Results, Result{consumer, what, err, time.Since(start)})
}

// Check finds out which interfaces answer at a base address and checks them.
// Its error is that the address is none.
func (c *Checker) Check(ctx context.Context, address string) error {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return fmt.Errorf("%q is not an address; write it like https://supply.example.com", address)
	}
	supply := c.find(ctx, base, "/supply", "/", func(r *response) bool { return bytes.HasPrefix(r.body, []byte("[")) })
	if supply != "" {
		c.supply(ctx, supply)
	}
	pets := c.find(ctx, base, "/pets", "/contract", func(r *response) bool { return r.is("application/json") })
	if pets != "" {
		c.pets(ctx, pets)
	}
	if base.Scheme == "https" {
		c.demand("everyone", "certificate is valid for a week more: "+base.String(), func() error { return c.certificate(ctx, base) })
	}
	if supply == "" && pets == "" {
		c.demand("everyone", "a supply or pets interface answers at "+base.String(), func() error {
			r, err := c.get(ctx, base.String()+"/")
			if err != nil {
				return err
			}
			return fmt.Errorf("answered %d %s: neither a supply nor a pets interface%s", r.status, r.mediaType(), r.challenge())
		})
	}
	return nil
}

// find returns where an interface answers, which is base itself or a path under
// it, or "" if there is none. It is asked for a document that is has to accept.
func (c *Checker) find(ctx context.Context, base *url.URL, under, document string, is func(*response) bool) string {
	for _, at := range []string{base.String(), base.String() + under} {
		if r, err := c.get(ctx, at+document); err == nil && r.status == http.StatusOK && is(r) {
			return at
		}
	}
	return ""
}

func (c *Checker) certificate(ctx context.Context, base *url.URL) error {
	host := base.Host
	if base.Port() == "" {
		host += ":443"
	}
	d := tls.Dialer{NetDialer: &net.Dialer{Timeout: c.Client.Timeout}}
	conn, err := d.DialContext(ctx, "tcp", host)
	if err != nil {
		return err
	}
	defer conn.Close()
	leaf := conn.(*tls.Conn).ConnectionState().PeerCertificates[0]
	if time.Until(leaf.NotAfter) < 7*24*time.Hour {
		return fmt.Errorf("it ends on %s", leaf.NotAfter.Format(time.DateOnly))
	}
	return nil
}

// conditional demands that HEAD shows what GET did and that a known ETag is
// answered with 304.
func (c *Checker) conditional(ctx context.Context, url string, got *response) error {
	if _, err := c.expect(ctx, http.MethodHead, url, http.StatusOK, got.mediaType()); err != nil {
		return fmt.Errorf("HEAD: %w", err)
	}
	tag := got.header.Get("ETag")
	if tag == "" {
		return errors.New("no ETag")
	}
	again, err := c.get(ctx, url, "If-None-Match", tag)
	if err == nil && again.status != http.StatusNotModified && again.header.Get("ETag") == tag {
		return fmt.Errorf("status %d for an ETag it still has, want 304", again.status)
	}
	return err
}
