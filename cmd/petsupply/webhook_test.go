package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

const hookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// aReceiver answers with a status, and records the last request.
type aReceiver struct {
	*httptest.Server
	status atomic.Int64
	header http.Header
	body   string
}

func newAReceiver(t *testing.T) *aReceiver {
	t.Helper()
	r := &aReceiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.header = q.Header
		r.body = string(body)
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(int(r.status.Load()))
		fmt.Fprint(w, "my \x1b[31mwords")
	}))
	t.Cleanup(r.Close)
	return r
}

// TestWebhookTest: a receiver can be tried by its address, or by the name of its webhook.
func TestWebhookTest(t *testing.T) {
	r := newAReceiver(t)
	file := filepath.Join(t.TempDir(), "p.yaml")
	must(t, os.WriteFile(file, fmt.Appendf(nil, `
webhooks:
  - {name: game, url: "%s/key-in-path", secret: [%s, %s], private: true}
`, r.URL, hookSecret, strings.Replace(hookSecret, "M", "N", 1)), 0o600))
	unset := filepath.Join(t.TempDir(), "unset.yaml")
	must(t, os.WriteFile(unset, []byte("webhooks: [{name: other, url: $HOOK_ADDRESS, secret: $HOOK_SECRET}]"), 0o600))
	for _, test := range []struct {
		name   string
		args   []string
		status int
		code   int
		want   string
	}{
		{"an address", []string{r.URL, "--secret", hookSecret}, 204, exitOK, "Answered 204 No Content"},
		{"a secret of its own", []string{r.URL}, 200, exitOK, "Signed with whsec_"},
		{"a name", []string{"game", "--config", file}, 200, exitOK, `my \u001b[31mwords`},
		{"an error", []string{r.URL}, 500, exitNo, "would be sent again until it is accepted"},
		{"too many", []string{r.URL}, 429, exitNo, "no requests for 7s"},
		{"a refusal", []string{"game", "--config", file}, 404, exitNo, "then skipped"},
		{"gone", []string{r.URL}, 410, exitNo, "then skipped"},
		{"nobody there", []string{"http://127.0.0.1:1"}, 200, exitUnreached, "connection refused"},
		{"no secret", []string{r.URL, "--secret", "mine"}, 200, exitUsage, "want whsec_"},
		{"no address", []string{"http://"}, 200, exitUsage, "want an address"},
		{"another name", []string{"shop", "--config", file}, 200, exitUsage, `no webhook named "shop"`},
		{"its secrets are not set", []string{"other", "--config", unset}, 200, exitUsage,
			"the environment has no value for HOOK_SECRET"},
		{"no configuration", []string{"game"}, 200, exitUsage, "give the configuration"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r.status.Store(int64(test.status))
			r.header = nil
			code, out, errs := call(t, append([]string{"webhook", "test"}, test.args...)...)
			if code != test.code || !strings.Contains(out+errs, test.want) {
				t.Errorf("exit %d, want %d and %q:\n%s%s", code, test.code, test.want, out, errs)
			}
			if strings.Contains(out+errs, "key-in-path") || strings.Contains(out+errs, hookSecret) {
				t.Errorf("it shows a secret:\n%s%s", out, errs)
			}
			if code == exitUsage || test.name == "nobody there" {
				return
			}
			signatures := 1 + strings.Count(r.header.Get("Webhook-Signature"), " v1,")
			if want := 1 + strings.Count(test.args[0], "game"); signatures != want ||
				!strings.Contains(r.body, `"type":"webhook.test"`) {
				t.Errorf("%d signatures, want %d, and came %s", signatures, want, r.body)
			}
		})
	}
}
