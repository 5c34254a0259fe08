package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestA304HasTheHeadersOfIts200: a 304 has the headers of the 200, on every kind of route, in every
// encoding and for every condition.
func TestA304HasTheHeadersOfIts200(t *testing.T) {
	k := sited(t, oneHost())
	k.remember(20)
	found := 0
	for _, path := range []string{
		"/supply/", "/supply/jewel", "/supply/jewel/totalsupply", "/supply/jewel/totalsupply?format=json",
		"/supply/jewel?q=total",
		"/supply/jewel/ledger", "/supply/jewel/evidence", "/supply/jewel/history?points=2", "/supply/log/checkpoint",
		"/supply/log/key",
		"/pets/contract", "/pets/token/7", "/pets/image/7?size=90&frame=false", "/pets/tokens", "/pets/changes",
		"/pets/traits",
		"/status", "/pet/7", "/assets/site.js",
	} {
		for _, accept := range []string{"", "gzip", "zstd", "br"} {
			whole := k.get(path, "Accept-Encoding", accept)
			tag, date := whole.Header().Get("Etag"), whole.Header().Get("Last-Modified")
			if whole.Code != http.StatusOK {
				continue
			}
			conditions := [][]string{{"If-None-Match", "*"}, {"If-None-Match", `"x", W/` + tag},
				{"If-Modified-Since", started.Add(time.Hour).Format(http.TimeFormat)},
				{"If-None-Match", tag, "If-Modified-Since", date}}
			for _, condition := range conditions {
				w := k.get(path, append([]string{"Accept-Encoding", accept}, condition...)...)
				if w.Code != http.StatusNotModified {
					continue
				}
				found++
				if w.Body.Len() > 0 {
					t.Errorf("%s as %q with %q: a body of %d bytes", path, accept, condition, w.Body.Len())
				}
				for _, key := range []string{"Etag", "Last-Modified", "Cache-Control", "Vary", "Content-Encoding",
					"Content-Location", "Access-Control-Allow-Origin", "Content-Security-Policy"} {
					is, was := w.Header()[key], whole.Header()[key]
					if !slices.Equal(is, was) {
						t.Errorf("%s as %q with %q: %s is %q in the 304, %q in the 200", path, accept, condition, key, is, was)
					}
				}
				for key, is := range w.Header() {
					if was := whole.Header()[key]; !slices.Equal(is, was) && !strings.HasPrefix(key, "X-Request") && key != "Date" {
						t.Errorf("%s as %q with %q: %s is %q in the 304 alone, %q in the 200", path, accept, condition, key, is, was)
					}
				}
			}
		}
	}
	if found < 150 {
		t.Errorf("only %d answers were 304", found)
	}
}
