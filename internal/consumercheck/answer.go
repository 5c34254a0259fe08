package consumercheck

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// An answer is the complete answer to a request.
type answer struct {
	status int
	header http.Header
	body   []byte
	tls    *tls.ConnectionState // nil for plain HTTP
}

// A check returns an error if an answer is wrong.
type check = func(*answer) error

const (
	maxBody     = 16 << 20 // bytes of an answer
	maxDocument = 1 << 20  // bytes of a JSON document, which may need fifty times as much memory
)

// call sends a request and applies the checks up to the first that fails. If one fails, it returns
// the answer together with the error.
func (c *checker) call(ctx context.Context, method, url string, header http.Header, checks ...check) (*answer, error) {
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
		return nil, errors.New("the answer is larger than 16 MB")
	}
	a := &answer{status: res.StatusCode, header: res.Header, body: body, tls: res.TLS}
	for _, check := range checks {
		if err := check(a); err != nil {
			return a, err
		}
	}
	return a, nil
}

// hasStatus checks the status.
func hasStatus(status int) check {
	return func(a *answer) error {
		if a.status != status {
			return fmt.Errorf("status %d, want %d%s", a.status, status, a.challenge())
		}
		return nil
	}
}

// isOK checks for status 200 and a media type.
func isOK(mediaType string) check {
	return func(a *answer) error {
		if a.status == http.StatusOK && a.mediaType() != mediaType {
			return fmt.Errorf("type %q, want %s", a.mediaType(), mediaType)
		}
		return hasStatus(http.StatusOK)(a)
	}
}

// isJSON checks for status 200 and a JSON document, and decodes the document.
func isJSON(document any) check {
	return func(a *answer) error {
		if err := isOK("application/json")(a); err != nil {
			return err
		}
		if len(a.body) > maxDocument {
			return errors.New("the document is larger than 1 MB")
		}
		return json.Unmarshal(a.body, document)
	}
}

// isRefusal checks that the answer has this error status and forbids caches to store it.
func isRefusal(status int) check {
	return func(a *answer) error {
		if err := hasStatus(status)(a); err != nil {
			return err
		}
		return a.wantHeader("Cache-Control", "no-store")
	}
}

// isCertified checks that the certificate does not expire soon.
func isCertified(a *answer) error {
	if a.tls == nil {
		return errors.New("the answer did not use TLS")
	}
	if end := a.tls.PeerCertificates[0].NotAfter; time.Until(end) < 7*24*time.Hour {
		return fmt.Errorf("it expires on %s", end.Format(time.DateOnly))
	}
	return nil
}

func (a *answer) mediaType() string {
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// challenge returns a hint if the answer looks like a bot challenge.
func (a *answer) challenge() string {
	if a.mediaType() == "text/html" && (a.status == 403 || a.status == 429 || a.status == 503 ||
		a.header.Get("Cf-Mitigated") != "" || bytes.Contains(a.body, []byte("challenge"))) {
		return "; it looks like a bot challenge, which price aggregators cannot pass"
	}
	return ""
}

func (a *answer) wantHeader(name, value string) error {
	if got := a.header.Get(name); !strings.Contains(got, value) {
		return fmt.Errorf("%s is %q, want %s", name, got, value)
	}
	return nil
}

// wantCORS demands that scripts of other origins may read the answer.
func (a *answer) wantCORS() error { return a.wantHeader("Access-Control-Allow-Origin", "*") }
