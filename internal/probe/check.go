// Package probe tries things from the outside: check*.go play the consumers of
// a deployed service, online*.go hold a configuration against its chains, survey*.go
// look at chains to draft one.
package probe

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Check finds out which interfaces answer at a base address and checks them.
// Its error is that the address is none.
func (c *Checker) Check(ctx context.Context, address string) error {
	address = strings.TrimRight(address, "/")
	base, err := url.Parse(address)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return fmt.Errorf("%q is not an address; write it like https://supply.example.com", address)
	}
	supply := c.find(ctx, address, "/supply", "/", func(r *response) bool { return bytes.HasPrefix(r.body, []byte("[")) })
	if supply != "" {
		c.checkSupply(ctx, supply)
	}
	pets := c.find(ctx, address, "/pets", "/contract", func(r *response) bool { return r.mediaType() == "application/json" })
	if pets != "" {
		c.checkPets(ctx, pets)
	}
	if base.Scheme == "https" {
		c.demand("everyone", "certificate is valid for a week more: "+address, func() error { return c.certificate(ctx, base) })
	}
	if supply == "" && pets == "" {
		c.get(ctx, "everyone", "a supply or pets interface answers at "+address, address+"/", func(r *response) error {
			return fmt.Errorf("answered %d %s: neither a supply nor a pets interface%s", r.status, r.mediaType(), r.challenge())
		})
	}
	return nil
}

// find returns where an interface answers, which is base itself or a path under
// it, or "" if there is none. Its document has to be what is accepts.
func (c *Checker) find(ctx context.Context, base, under, document string, is func(*response) bool) string {
	for _, at := range []string{base, base + under} {
		if r, err := c.call(ctx, http.MethodGet, at+document, nil); err == nil && r.status == http.StatusOK && is(r) {
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
	d := tls.Dialer{NetDialer: &net.Dialer{Timeout: c.client.Timeout}}
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
