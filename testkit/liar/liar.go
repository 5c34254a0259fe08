// Package liar is a proxy in front of a real service that acts as a dishonest operator. It changes
// one answer and forwards all others.
package liar

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// A Lie replaces the answers at one or two addresses.
type Lie struct {
	At     string                   // path and query, as in the request
	Also   string                   // another such address; "" means none
	Status int                      // status of the altered answer; 0 means that of the service
	Alter  func(body []byte) []byte // nil means the body stays
	Header func(header http.Header) // nil means the headers stay
	Asked  func(address string)     // called with the path and query of each request; may be nil
	told   atomic.Bool
}

// Start returns the address of a proxy in front of the service at an address. It ends with the
// test, which fails if the lie was never requested.
func Start(t testing.TB, service string, lie *Lie) string {
	t.Helper()
	target, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = target.Host
			r.Out.Header.Set("Accept-Encoding", "identity")
		},
		ModifyResponse: func(resp *http.Response) error {
			if lie.Asked != nil {
				lie.Asked(strings.TrimPrefix(resp.Request.URL.RequestURI(), strings.TrimSuffix(target.Path, "/")))
			}
			base := strings.TrimSuffix(target.Path, "/")
			if at := resp.Request.URL.RequestURI(); at != base+lie.At && (lie.Also == "" || at != base+lie.Also) {
				return nil
			}
			return lie.tell(resp)
		},
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(func() {
		server.Close()
		if !lie.told.Load() && !t.Failed() {
			t.Errorf("nobody asked for %s, or it was not altered", lie.At)
		}
	})
	return server.URL
}

// tell changes an answer.
func (l *Lie) tell(resp *http.Response) error {
	truth, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	body := truth
	if l.Alter != nil {
		body = l.Alter(bytes.Clone(truth))
	}
	if l.Status != 0 || l.Header != nil || !bytes.Equal(body, truth) {
		l.told.Store(true)
	}
	if l.Status != 0 {
		resp.StatusCode, resp.Status = l.Status, strconv.Itoa(l.Status)
	}
	if l.Header != nil {
		l.Header(resp.Header)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return nil
}
