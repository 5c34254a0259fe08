package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/supply/proof"
)

// current is the path of the current log. Each log also has a path below it.
const current = "/log/"

// NewClient returns a client for a server that may be hostile. It follows no redirects, because not
// every reader follows them.
func NewClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = 64 << 10
	return &http.Client{Transport: patient{transport}, Timeout: time.Minute,
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			return fmt.Errorf("%s redirects to %.200s; if that is the service, give its address",
				via[0].URL.Redacted(), next.URL.Redacted())
		},
	}
}

// patient repeats a request that was answered with 429, after the pause that the answer asks for. It
// refuses a body in an encoding that it did not ask for.
type patient struct{ next http.RoundTripper }

func (p patient) RoundTrip(q *http.Request) (*http.Response, error) {
	for try := 1; ; try++ {
		resp, err := p.next.RoundTrip(q)
		if err != nil {
			return nil, err
		}
		if code := strings.Join(resp.Header.Values("Content-Encoding"), ", "); code != "" && code != "identity" {
			resp.Body.Close()
			return nil, fault(differs, q.URL.Path, "its encoding is %.80q, which was not asked for", code)
		}
		seconds, err := strconv.ParseUint(resp.Header.Get("Retry-After"), 10, 6)
		if err != nil || resp.StatusCode != http.StatusTooManyRequests || try == maxTries {
			return resp, nil
		}
		resp.Body.Close()
		if err := pause(q.Context(), time.Duration(seconds)*time.Second); err != nil {
			return nil, err
		}
	}
}

// maxTries limits how often a request is repeated after answers of 429.
const maxTries = 10

// get reads the service's answer at a path. The body is nil if the service has nothing there: 404,
// 410 or 503. most limits the bytes of the body.
func (a *auditor) get(ctx context.Context, path string, most int64) ([]byte, http.Header, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, a.URL+path, nil)
	if err != nil {
		return nil, nil, err
	}
	resp, err := a.Client.Do(q)
	if f, refused := errors.AsType[*Fault](err); refused {
		return nil, nil, f
	}
	if err != nil {
		return nil, nil, &unread{err}
	}
	defer resp.Body.Close()
	switch code := resp.StatusCode; {
	case code == http.StatusNotFound, code == http.StatusGone, code == http.StatusServiceUnavailable:
		return nil, nil, nil
	case code > http.StatusOK && code < http.StatusMultipleChoices: // some readers read its body
		return nil, nil, fault(differs, path, "the service answers %.80q", resp.Status)
	case code != http.StatusOK:
		return nil, nil, &unread{fmt.Errorf("%s: the service answers %.80q", path, resp.Status)}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	if err != nil {
		return nil, nil, &unread{err}
	}
	if int64(len(body)) > most {
		return nil, nil, fault(differs, path, "the answer is longer than %d bytes: %w", most, proof.ErrLarge)
	}
	return append([]byte{}, body...), resp.Header, nil // never nil
}

// need reads an answer that must be there.
func (a *auditor) need(ctx context.Context, path string, most int64) ([]byte, error) {
	body, _, err := a.get(ctx, path, most)
	if err == nil && body == nil {
		err = fault(passing, path, "the service has nothing there")
	}
	return body, err
}
