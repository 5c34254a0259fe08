package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"syscall"
	"time"
)

// Limits of a receiver's answer: how long it may take, and how many bytes its body and header may
// have.
const (
	answerTime = 15 * time.Second
	maxAnswer  = 64 << 10
	maxHeader  = 16 << 10
)

var errPrivate = errors.New("the address is private; only a webhook with private: true may have such an address")

// client returns an HTTP client that follows no redirect. It connects to public addresses only,
// unless the hook is private. It checks the address when it dials, because a name may resolve to
// another address each time.
func (h *Hook) client() *http.Client {
	dialer := &net.Dialer{Timeout: answerTime}
	if !h.Private {
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil || !public(at.Addr()) {
				return errPrivate
			}
			return nil
		}
	}
	return &http.Client{
		Timeout:       answerTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: answerTime,
			MaxResponseHeaderBytes: maxHeader, MaxIdleConns: 2, IdleConnTimeout: time.Minute,
		},
	}
}

// notPublic lists networks that are not public, but that netip does not know as private: shared and
// reserved networks, those for documentation and benchmarks, and IPv6 networks that embed IPv4
// addresses.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("::/96"), netip.MustParsePrefix("64:ff9b::/96"),
	netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2001::/32"),
	netip.MustParsePrefix("2002::/16"),
}

// public reports whether an address is on the public internet.
func public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// An Answer is a receiver's answer to a message.
type Answer struct {
	Status     int
	RetryAfter time.Duration // how long to send nothing, at most an hour; 0 if the receiver did not say
	Body       []byte        // at most maxAnswer bytes
}

// Error says that the answer does not accept the message.
func (a *Answer) Error() string { return fmt.Sprintf("the receiver answered %d", a.Status) }

// Accepted reports whether the receiver accepted the message.
func (a *Answer) Accepted() bool { return a.Status >= 200 && a.Status <= 299 }

// Refused reports whether the receiver rejected this message. Other failures are not about the
// message.
func (a *Answer) Refused() bool {
	switch a.Status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return a.Status >= 400 && a.Status <= 499
}

// Send sends a message once, as the service does.
func (h *Hook) Send(ctx context.Context, m *Message) (*Answer, error) {
	client := h.client()
	defer client.CloseIdleConnections()
	return h.post(ctx, client, m)
}

// post sends a message once. The error quotes neither address nor secret.
func (h *Hook) post(ctx context.Context, client *http.Client, m *Message) (*Answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(m.Body))
	if err != nil {
		return nil, errors.New("the address of the webhook is not a valid URL")
	}
	now := time.Now()
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "petsupply")
	req.Header.Set("Webhook-Id", m.ID)
	req.Header.Set("Webhook-Timestamp", strconv.FormatInt(now.Unix(), 10))
	req.Header.Set("Webhook-Signature", h.Secret.sign(m.ID, now, m.Body))
	resp, err := client.Do(req)
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the address
	}
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	a := &Answer{Status: resp.StatusCode, RetryAfter: retryAfter(resp.Header.Get("Retry-After"))}
	a.Body, _ = io.ReadAll(io.LimitReader(resp.Body, maxAnswer)) // reading the body lets the connection be used again
	return a, nil
}

// maxRetryAfter bounds the pause that a receiver can ask for.
const maxRetryAfter = time.Hour

// retryAfter returns the pause that a header Retry-After asks for, in seconds or as a date. The
// result is 0 for any other value.
func retryAfter(value string) time.Duration {
	d := time.Duration(0)
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil {
		d = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		d = time.Until(at)
	}
	return min(max(d, 0), maxRetryAfter)
}
